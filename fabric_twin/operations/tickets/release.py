"""What an end of a ticket lets go, whichever end it is; in the caller's transaction."""

from nautobot.users.models import User

from fabric_twin.models import Finding, Ticket
from fabric_twin.operations.audits.finding_life import give_back
from fabric_twin.operations.audits.touches import touch
from fabric_twin.repositories.reservations import Places, let_go, places_of


def free(ticket: Ticket, user: User | None = None, *, audit: bool = False) -> Places:
    """Drop what a ticket holds; have its ports audited where it may have changed any."""
    held = places_of(ticket)
    let_go(ticket)
    put_finding_back(ticket, user)
    if audit:
        touch_places(ticket, held)
    return held


def put_finding_back(ticket: Ticket, user: User | None) -> None:
    """Its finding is worked on no more: the next audit says whether it is mended."""
    give_back(Finding.objects.filter(pk=ticket.finding_id), ticket.name, user)


def touch_places(ticket: Ticket, places: Places) -> None:
    """Have the ports of a ticket audited: whole switches where they are many."""
    switches = {one.switch for one in places.ports}
    if switches:
        touch([ticket.pod_id], switch=switches)
    if places.cubes:
        touch([ticket.pod_id], cube=places.cubes)
