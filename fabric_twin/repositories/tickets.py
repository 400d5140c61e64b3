"""Make tickets, and change them as long as they are drafts; what is done with them after that is
in `ticket_life.py`.

Every function here asks what the user may do with this very ticket, works in one transaction under
the lock of the pod, and refuses in words (`FabricTwinError`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from fabric_twin.core.proposals.proposal import Proposal
from fabric_twin.models import Finding, Pod, Slice, Ticket, TicketDrain


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What people decide about a ticket; what is None stays as it is, or is chosen."""

    title: str | None = None
    reason: str | None = None
    window_start: datetime | None = None
    window_end: datetime | None = None
    on_failure: str | None = None
    most_bad: int | None = None
    custom_fields: Mapping[str, Any] = field(default_factory=dict)


def make_ticket(
    pod: Pod,
    proposal: Proposal,
    author: Any,
    terms: Terms | None = None,
    *,
    finding: Finding | None = None,
    keep: bool = True,
) -> Ticket:
    """Make a draft of a proposal, with all that it holds: ports, cubes and slices to be.

    Refused where another open ticket holds one of its ports, with that ticket's name. A dry run
    (not `keep`) makes it and takes it back.
    """
    raise NotImplementedError


def edit_ticket(ticket: Ticket, user: Any, terms: Terms) -> Ticket:
    """Change what people decide about a draft; what is submitted never changes."""
    raise NotImplementedError


def revise_ticket(ticket: Ticket, user: Any, why: str = "") -> Ticket:
    """Plan a ticket again from its wish, as a new draft of the same number.

    One that has not run is withdrawn with it. The new draft is the user's.
    """
    raise NotImplementedError


def confirm_drained(ticket: Ticket, made: Slice, user: Any, note: str = "") -> TicketDrain:
    """Write down that a slice which the ticket interrupts runs nothing; it is not run before."""
    raise NotImplementedError
