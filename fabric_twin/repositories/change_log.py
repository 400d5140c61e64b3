"""Lines of the change log for rows that were written as a set, or where nobody logs; and in whose
change we are."""

from collections.abc import Iterable
from typing import Any
from uuid import uuid4

from nautobot.apps.change_logging import ChangeContext
from nautobot.extras.choices import ObjectChangeActionChoices, ObjectChangeEventContextChoices
from nautobot.extras.constants import CHANGELOG_MAX_CHANGE_CONTEXT_DETAIL
from nautobot.extras.models import ObjectChange
from nautobot.extras.signals import change_context_state
from nautobot.users.models import User

CREATE = ObjectChangeActionChoices.ACTION_CREATE
UPDATE = ObjectChangeActionChoices.ACTION_UPDATE
#: Who did it, where no user did.
NOBODY = "fabric-twin"


def record_change(record: Any, action: str, what: str, user: User | None) -> ObjectChange:
    """Write down what was done to a record; a job's own context sends it on when the job ends."""
    change = _change_of(record, action, what, user)
    change.save()
    return change


def record_changes(records: Iterable[Any], what: str, user: User | None) -> None:
    """The same for each of some records that were changed as a set."""
    record_each(((one, what) for one in records), user)


def record_each(told: Iterable[tuple[Any, str]], user: User | None, action: str = UPDATE) -> None:
    """The same, with words of its own for each record."""
    ObjectChange.objects.bulk_create(_change_of(one, action, what, user) for one, what in told)


def record_alone(record: Any, what: str, user: User | None, action: str = UPDATE) -> None:
    """Write down a record that was saved where nobody logs: a task, not a request or a job."""
    if current_change() is None:
        record_change(record, action, what, user)


def current_change() -> ChangeContext | None:
    """The request, job or command that is being logged, if there is one.

    The one place that knows a private name of Nautobot's change log: `nautobot.apps` opens changes
    and does not say which is open. `tests/nautobot/app/test_change_context.py` holds it to that.
    """
    context: ChangeContext | None = change_context_state.get()
    return context


def acting_user() -> User | None:
    """Who makes the change that is being logged; nobody, where none is."""
    context = current_change()
    user = context.get_user() if context else None
    return user if isinstance(user, User) else None


def _change_of(record: Any, action: str, what: str, user: User | None) -> ObjectChange:
    change: ObjectChange = record.to_objectchange(action)
    context = current_change()
    change.user = user
    change.user_name = getattr(user, "username", NOBODY)
    change.request_id = context.change_id if context else uuid4()
    change.change_context = (
        context.context if context else ObjectChangeEventContextChoices.CONTEXT_ORM
    )
    change.change_context_detail = what[:CHANGELOG_MAX_CHANGE_CONTEXT_DETAIL]
    return change
