"""Ask for a change as a scheduler does: one call makes the draft and submits it."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from fabric_twin.models import Pod, Ticket
from fabric_twin.repositories.ticket_life import submit
from fabric_twin.repositories.ticket_terms import Terms
from fabric_twin.repositories.ticket_wishes import wish_ticket


def ask_for(
    pod: Pod,
    kind: str,
    wish: Mapping[str, Any],
    user: Any,
    terms: Terms | None = None,
    *,
    submitted: bool = True,
) -> Ticket:
    """Make a draft of a wish, and submit it unless it is to be looked at first."""
    with transaction.atomic():
        ticket = wish_ticket(pod, kind, wish, user, terms)
        return submit(ticket, user) if submitted else ticket


def ask_for_slice(wish: Mapping[str, Any], pod: Pod, user: Any) -> Ticket:
    """A slice by a ticket that is submitted at once."""
    return ask_for(pod, "slice", wish, user)
