"""A wish becomes the draft of a ticket: planned, and held, in one transaction.

wish -> lock the pod -> proposing.py -> Proposal -> make_ticket
"""

from typing import Any

from django.db import transaction

from fabric_twin.core.errors import NotPermitted
from fabric_twin.models import Finding, Pod, Ticket
from fabric_twin.repositories.proposing import propose_ticket, wish_of_finding
from fabric_twin.repositories.ticket_terms import Terms
from fabric_twin.repositories.tickets import make_ticket
from fabric_twin.services.wishes import Wish

__all__ = ["locked", "mend_by_ticket", "propose_ticket", "wish_ticket"]


def wish_ticket(
    pod: Pod,
    kind: str,
    wish: Wish,
    author: Any,
    terms: Terms | None = None,
    *,
    finding: Finding | None = None,
    keep: bool = True,
) -> Ticket:
    """Plan a wish and make a draft of it, in one transaction under the lock of the pod."""
    with transaction.atomic():
        held = locked(pod, author)
        return make_ticket(
            held, propose_ticket(held, kind, wish), author, terms, finding=finding, keep=keep
        )


def mend_by_ticket(
    finding: Finding, author: Any, terms: Terms | None = None, *, keep: bool = True
) -> Ticket:
    """Make a draft of what optics can do about a finding, or refuse where only hands can."""
    kind, wish = wish_of_finding(finding)
    return wish_ticket(finding.pod, kind, wish, author, terms, finding=finding, keep=keep)


def locked(pod: Pod, user: Any) -> Pod:
    """A pod that the user may see, held until the transaction ends: plans wait for each other."""
    rows = Pod.objects.restrict(user, "view").filter(pk=pod.pk)
    held: Pod | None = rows.select_for_update(of=("self",), no_key=True).first()
    if held is None:
        raise NotPermitted(
            "there is no such pod, or you may not see it",
            where="pod",
            remedy="Ask for the permission to view it",
        )
    return held
