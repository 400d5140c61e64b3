"""A ticket held beside its pod, for a user who may: whatever is done to one begins here."""

from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted, NotPossible
from fabric_twin.models import Ticket
from fabric_twin.repositories.pod_lock import hold_pod

#: What an action is called where it is not its name that says it.
_TO_DO = {"emergency": "approve it in an emergency", "run": "carry it out, stop or undo it"}


def hold_ticket(ticket: Ticket, user: User | None, action: str) -> Ticket:
    """A ticket to which the user may do this, held with its pod until the transaction ends."""
    hold_pod(ticket.pod, None)
    rows = Ticket.objects.select_for_update(of=("self",), no_key=True)
    found: Ticket | None = rows.filter(pk=ticket.pk).select_related("pod", "author").first()
    if found is None:
        raise NotPossible(
            "it is gone", where=f"ticket {ticket.name}", remedy="It was deleted with its pod"
        )
    if user and not Ticket.objects.restrict(user, action).filter(pk=found.pk).exists():
        raise NotPermitted(
            f"you may not {_TO_DO.get(action, f'{action} it')}",
            where=f"ticket {found.name}",
            remedy=f"Ask for the permission fabric_twin.{action}_ticket for this ticket",
        )
    return found
