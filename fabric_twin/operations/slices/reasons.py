"""Why a slice does without circuits: the ticket that took them, or what is wrong there."""

from nautobot.users.models import User

from fabric_twin.core.slices.bearing import Bearing
from fabric_twin.core.slices.slice import CircuitNumbers
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Finding, Pod, Ticket
from fabric_twin.models.finding import FindingStateChoices


#: Faults that take a switch, or ports of it, out of use.
TAKE_PORTS = ("switch-down", "power-lost", "board-out", "port-failed")


def reasons_for(bearing: Bearing, pod: Pod, user: User) -> dict[CircuitNumbers, str]:
    """Each circuit that is not made, and why; tickets and findings are named to who may see them.

    A query or two for each switch that the slice lacks, and these are few.
    """
    switches = bearing.intended.names.switches
    lacking = {switch for switch, _, _ in bearing.made.without}
    beside = {one: _beside(bearing.made.name, switches[one], pod, user) for one in lacking}
    return {
        circuit: f"{why}: {beside[circuit[0]]}" if beside[circuit[0]] else why
        for circuit, why in bearing.reasons()
    }


def _beside(name: str, switch: str, pod: Pod, user: User) -> str:
    """The newest ticket that took circuits of a slice from a switch, else what is wrong there."""
    took = {"remove": [{"switch": switch, "owner": name}]}
    tickets = Ticket.objects.restrict(user, "view").filter(pod=pod, state=State.DONE)
    tickets = tickets.filter(plan__contains=took).select_related("pod").defer("plan", "blast")
    if ticket := tickets.order_by("-ended").first():
        return f"ticket {ticket}"
    there = Finding.objects.restrict(user, "view").filter(
        pod=pod,
        state__in=FindingStateChoices.THERE,
        code__in=TAKE_PORTS,
        places__device__name=switch,
    )
    found = there.order_by("first_seen").distinct().first()
    return f"finding {found.key}, {found.code}" if found else ""
