"""One line of the change log for thousands of rows, and one webhook."""

from typing import Any
from uuid import uuid4

from nautobot.extras.choices import ObjectChangeEventContextChoices
from nautobot.extras.constants import CHANGELOG_MAX_CHANGE_CONTEXT_DETAIL
from nautobot.extras.models import ObjectChange
from nautobot.users.models import User

from fabric_twin.repositories.change_context import current_change

#: Who did it, where no user did.
NOBODY = "fabric-twin"


def record_change(record: Any, action: str, what: str, user: User | None) -> ObjectChange:
    """Write down what was done to a record; a job's own context sends it on when the job ends."""
    change: ObjectChange = record.to_objectchange(action)
    context = current_change()
    change.user = user
    change.user_name = getattr(user, "username", NOBODY)
    change.request_id = context.change_id if context else uuid4()
    change.change_context = (
        context.context if context else ObjectChangeEventContextChoices.CONTEXT_ORM
    )
    change.change_context_detail = what[:CHANGELOG_MAX_CHANGE_CONTEXT_DETAIL]
    change.save()
    return change
