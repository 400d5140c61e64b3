"""Who answers at the address of a switch or a cube, and what is recorded of it."""

from collections.abc import Mapping
from typing import Any

from nautobot.apps.ui import Button, ButtonColorChoices
from nautobot.apps.views import get_obj_from_context
from nautobot.users.models import User

from fabric_twin.core.identity import Answering, Told
from fabric_twin.operations.audits.who_answers import (
    answered_at,
    answering_at,
    is_confirmed_since,
    told_by,
)
from fabric_twin.presenters.last_read import told_last
from fabric_twin.presenters.moments import local_moment
from fabric_twin.repositories.addresses import known_of

_SAID = {
    Answering.RIGHT: "The recorded device",
    Answering.ANOTHER: "Another device: it is left alone",
    Answering.NOT_CONFIRMED: "Nobody has confirmed it yet: it is only asked who it is",
    None: "Nobody has answered yet",
}
_SINCE = "Not asked since it was confirmed"


def tell_who_answers(record: Any, _user: User) -> Mapping[str, Any]:
    """What answers, what is recorded, and how it is known; nothing where nothing has an address."""
    if not record.address:
        return {}
    known, told = known_of(record), told_by(record)
    answering = answering_at(record)
    facts = {
        "At its address": _SINCE if is_confirmed_since(record) else _SAID[answering],
        "Recorded": Told(known.name, known.serial),
        "Confirmed": _confirmed(record),
        "Last read": told_last(answered_at(record)),
    }
    if answering not in (None, Answering.RIGHT) and not is_confirmed_since(record):
        facts["It says that it is"] = told
    return facts


def _confirmed(record: Any) -> str:
    if not record.confirmed_by:
        return "Not yet"
    return f"{record.get_confirmed_by_display()}, {local_moment(record.confirmed_at)}"


class ConfirmButton(Button):
    """Shown while something is to be confirmed, to who may."""

    def __init__(self, weight: int, kind: str) -> None:
        super().__init__(
            weight=weight,
            label="Confirm device",
            icon="mdi-shield-check-outline",
            color=ButtonColorChoices.BLUE,
            link_name=f"plugins:fabric_twin:{kind}_confirm",
            required_permissions=[f"fabric_twin.connect_{kind}"],
        )

    def should_render(self, context: Any) -> bool:
        """Where the device that answers is not known to be the recorded one."""
        record = get_obj_from_context(context)
        known = answering_at(record) in (None, Answering.RIGHT) or is_confirmed_since(record)
        return bool(super().should_render(context)) and not known
