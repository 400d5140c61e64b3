"""A wish becomes the draft of a ticket: planned, and held, in one transaction.

wish -> lock the pod -> drafts/propose.py -> Proposal -> drafts/make.py [-> submit]
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.proposals.proposal import ProposedChange
from fabric_twin.core.proposals.wishes import Wish
from fabric_twin.models import Finding, Pod, Ticket
from fabric_twin.operations.tickets.drafts.make import make_ticket
from fabric_twin.operations.tickets.drafts.propose import propose_ticket, wish_of_finding
from fabric_twin.operations.tickets.drafts.terms import Terms
from fabric_twin.operations.tickets.lifecycle import submit
from fabric_twin.repositories.pod_lock import hold_pod


def wish_ticket(
    pod: Pod,
    kind: str,
    wish: Wish,
    author: User,
    terms: Terms | None = None,
    *,
    finding: Finding | None = None,
    keep: bool = True,
) -> Ticket:
    """Plan a wish and make a draft of it, in one transaction under the lock of the pod."""
    with transaction.atomic():
        held = hold_pod(pod, author)
        found = propose_ticket(held, kind, wish, user=author)
        return make_ticket(held, found, author, terms, finding=finding, keep=keep)


def refusal_of_draft(
    pod: Pod,
    proposal: ProposedChange,
    author: User,
    terms: Terms | None = None,
    *,
    finding: Finding | None = None,
) -> FabricTwinError | None:
    """Why no draft of a proposal can be made now, if so: one is made, and rolled back."""
    try:
        make_ticket(pod, proposal, author, terms, finding=finding, keep=False)
    except FabricTwinError as refusal:
        return refusal
    return None


def mend_by_ticket(finding: Finding, author: User) -> Ticket:
    """Make a draft of what optics can do about a finding, or refuse where only manual work can."""
    kind, wish = wish_of_finding(finding)
    return wish_ticket(finding.pod, kind, wish, author, finding=finding)


def ask_for(
    pod: Pod,
    kind: str,
    wish: Mapping[str, Any],
    user: User,
    terms: Terms | None = None,
    *,
    submitted: bool = True,
) -> Ticket:
    """Ask for a change as a scheduler does: make a draft, and submit it unless told otherwise."""
    with transaction.atomic():
        ticket = wish_ticket(pod, kind, wish, user, terms)
        return submit(ticket, user) if submitted else ticket


def ask_for_slice(wish: Mapping[str, Any], pod: Pod, user: User) -> Ticket:
    """A slice by a ticket that is submitted at once."""
    return ask_for(pod, "slice", wish, user)
