"""Why a slice does without circuits: the ticket that took them, or what is wrong there."""

from nautobot.users.models import User

from fabric_twin.core.proposals.proposal import MAINTENANCE
from fabric_twin.core.slices.bearing import Bearing
from fabric_twin.core.slices.slice import CircuitNumbers
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Finding, Slice, Ticket
from fabric_twin.models.finding import FindingStateChoices

#: Faults that take a switch, or ports of it, out of use.
TAKE_PORTS = ("switch-down", "power-lost", "board-out", "port-failed")
#: States of a ticket whose circuits may be gone.
TOOK = (State.RUNNING, State.FAILED, State.DONE)
#: The newest tickets of a slice that are looked through.
MOST = 20


def reasons_for(bearing: Bearing, made: Slice, user: User) -> dict[CircuitNumbers, str]:
    """Each circuit that is not made, and why; tickets and findings are named to who may see them.

    Two queries, however many switches the slice lacks.
    """
    names = bearing.intended.names.switches
    took = _tickets(made, user)
    faults = _faults(made, {names[switch] for switch, _, _ in bearing.made.without}, user)
    found = {}
    for (switch, a, b), why in bearing.reasons():
        name = names[switch]
        more = took.get((name, f"{a}A", f"{b}B")) or faults.get(name, "")
        found[switch, a, b] = f"{why}: {more}" if more else why
    return found


def _tickets(made: Slice, user: User) -> dict[tuple[str, str, str], str]:
    """By circuit: the newest maintenance that took it from this slice."""
    rows = Ticket.objects.restrict(user, "view").filter(
        pod=made.pod_id,
        kind=MAINTENANCE,
        state__in=TOOK,
        plan__records__owners__contains={made.name: str(made.pk)},
    )
    found: dict[tuple[str, str, str], str] = {}
    for ticket in rows.select_related("pod").defer("blast").order_by("-number")[:MOST]:
        for stage in ticket.plan["stages"]:
            for one in stage["remove"]:
                if one["owner"] == made.name:
                    circuit = one["switch"], one["a"], one["b"]
                    found.setdefault(circuit, f"ticket {ticket}")
    return found


def _faults(made: Slice, switches: set[str], user: User) -> dict[str, str]:
    """By switch: the oldest finding of what takes it, or ports of it, out of use."""
    there = Finding.objects.restrict(user, "view").filter(
        pod=made.pod_id,
        state__in=FindingStateChoices.THERE,
        code__in=TAKE_PORTS,
        places__device__name__in=switches,
    )
    rows = there.order_by("-first_seen").values_list("places__device__name", "key", "code")
    return {device: f"finding {key}, {code}" for device, key, code in rows}
