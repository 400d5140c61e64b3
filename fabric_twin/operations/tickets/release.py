"""What a ticket releases when it ends, however it ends; in the caller's transaction."""

from nautobot.users.models import User

from fabric_twin.models import Finding, Reservation, Ticket
from fabric_twin.operations.audits.finding_life import release_findings
from fabric_twin.operations.audits.touches import touch
from fabric_twin.repositories.reservations import release_all


def free(ticket: Ticket, user: User | None = None, *, audit: bool = False) -> None:
    """Drop what a ticket holds; have its switches and cubes audited where it may have changed any.

    Its finding is worked on no more: the next audit says whether it is mended.
    """
    held = Reservation.objects.filter(ticket=ticket).order_by()
    switches = set(held.filter(cube=None).values_list("switch", flat=True).distinct())
    cubes = set(held.exclude(cube=None).values_list("cube", flat=True))
    release_all(ticket)
    release_findings(Finding.objects.filter(pk=ticket.finding_id), ticket.name, user)
    if audit and (switches or cubes):
        touch([ticket.pod_id], switch=switches, cube=cubes)
