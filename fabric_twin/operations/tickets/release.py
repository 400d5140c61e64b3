"""What a ticket releases when it ends, however it ends; in the caller's transaction."""

from nautobot.users.models import User

from fabric_twin.models import Finding, Ticket
from fabric_twin.operations.audits.finding_life import release_findings
from fabric_twin.operations.audits.touches import touch
from fabric_twin.repositories.reservations import places_of, release_all


def free(ticket: Ticket, user: User | None = None, *, audit: bool = False) -> None:
    """Drop what a ticket holds; have its switches and cubes audited where it may have changed any.

    Its finding is worked on no more: the next audit says whether it is mended.
    """
    held = places_of(ticket)
    release_all(ticket)
    release_findings(Finding.objects.filter(pk=ticket.finding_id), ticket.name, user)
    if audit and (held.ports or held.cubes):
        touch([ticket.pod_id], switch={one.switch for one in held.ports}, cube=held.cubes)
