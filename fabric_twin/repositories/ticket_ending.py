"""What an end of a ticket lets go, whichever end it is; in the caller's transaction."""

from collections.abc import Callable
from uuid import UUID

from fabric_twin.models import Finding, Ticket
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.repositories.reservations import Places, let_go, places_of
from fabric_twin.repositories.touching import touch

#: Calls for an audit of a pod.
Call = Callable[[UUID], None]


def free(ticket: Ticket, call: Call | None = None) -> Places:
    """Drop what a ticket holds, and have its ports audited where it changed any."""
    held = places_of(ticket)
    let_go(ticket)
    put_finding_back(ticket)
    if call:
        touch_places(ticket, held, call)
    return held


def put_finding_back(ticket: Ticket) -> None:
    """Its finding is worked on no more: the next audit says whether it is mended."""
    finding = ticket.finding
    if finding and (finding.state, finding.worked_on) == (
        FindingStateChoices.WORKING,
        ticket.name,
    ):
        known = finding.acknowledged_by_id is not None
        finding.state = FindingStateChoices.ACKNOWLEDGED if known else FindingStateChoices.OPEN
        finding.worked_on = ""
        Finding.objects.filter(pk=finding.pk).update(state=finding.state, worked_on="")


def touch_places(ticket: Ticket, places: Places, call: Call) -> None:
    """Have the ports of a ticket audited: whole switches where they are many."""
    switches = {one.switch for one in places.ports}
    if switches:
        touch([ticket.pod_id], call, switch=switches)
    if places.cubes:
        touch([ticket.pod_id], call, cube=places.cubes)
