"""Forms in which a record that their user may not see is as if it were not there.

Nautobot does so in the forms of its records, and in no others: there a hidden record's key shows
its name.
"""

from typing import Any

from nautobot.apps.forms import NautobotFilterForm, restrict_form_fields

from fabric_twin.repositories.change_log import acting_user


def show_only_seen(form: Any) -> None:
    """Leave the choices that the user of this request may see; all, where nobody asks."""
    if user := acting_user():
        restrict_form_fields(form, user)


class SeenMixin:
    """A form of ours."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        show_only_seen(self)


class SeenFilterForm(SeenMixin, NautobotFilterForm):
    """Which records to list."""
