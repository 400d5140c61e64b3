"""Filters of Nautobot's cables: by when light last agreed with them.

They ask of the pods that the user may see, as pages do.
"""

from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django_filters import BooleanFilter, DateTimeFilter
from nautobot.apps.forms import DateTimePicker
from nautobot.users.models import User

from fabric_twin.operations.pods.light_agreed import agreed_before, never_agreed
from fabric_twin.repositories.change_log import acting_user, current_change


def _asking(asked: Any) -> User | AnonymousUser | None:
    """Who asks: REST says so, and for a page it is whose request it is; None for a command.

    Of a dynamic group it is the user whose change or job brings its members up to date.
    """
    user = getattr(getattr(asked.parent, "request", None), "user", None)
    if isinstance(user, User | AnonymousUser):
        return user
    return acting_user() or (AnonymousUser() if current_change() else None)


class AgreedBeforeFilter(DateTimeFilter):
    """Cables that light agreed with, and last before a moment."""

    def generate_query(self, value: datetime) -> Q:
        """The same as a condition, for Nautobot's dynamic groups."""
        return agreed_before(value, _asking(self))

    def filter(self, qs: QuerySet[Any], value: datetime | None) -> Any:
        """The cables; all, where no moment is given."""
        return qs.filter(self.generate_query(value)) if value else qs


class NotAgreedSinceFilter(AgreedBeforeFilter):
    """Cables that light has not agreed with since a moment, or never did."""

    def generate_query(self, value: datetime) -> Q:
        """The same as a condition, for Nautobot's dynamic groups."""
        return super().generate_query(value) | never_agreed(_asking(self))


class NeverAgreedFilter(BooleanFilter):
    """Cables of pods that light never agreed with; False: that it agreed with at some time."""

    def generate_query(self, value: object) -> Q:
        """The same as a condition, for Nautobot's dynamic groups."""
        user = _asking(self)
        if str(value).lower() == "true":
            return never_agreed(user)
        return agreed_before(datetime.max.replace(tzinfo=UTC), user)

    def filter(self, qs: QuerySet[Any], value: bool | None) -> Any:
        """The cables; all, where neither is asked for."""
        return qs if value is None else qs.filter(self.generate_query(value))


def light_filters() -> dict[str, AgreedBeforeFilter | NeverAgreedFilter]:
    """By the names that they have in addresses."""
    return {
        "fabric_twin_light_agreed_before": AgreedBeforeFilter(
            label="Light last agreed before", widget=DateTimePicker()
        ),
        "fabric_twin_light_not_agreed_since": NotAgreedSinceFilter(
            label="Light has not agreed since, or never", widget=DateTimePicker()
        ),
        "fabric_twin_light_never_agreed": NeverAgreedFilter(label="Light never agreed"),
    }
