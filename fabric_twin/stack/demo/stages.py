"""What a newcomer finds: each stage is done once, then says what there is.

A feature adds its stage to STAGES, and to tests/demo.py what the demo asserts of it.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.console import Console
from fabric_twin.stack.demo.api import hall_of, run_job
from fabric_twin.stack.demo.network import NETWORK, first_circuits, make_network
from fabric_twin.stack.demo.orders import make_orders
from fabric_twin.stack.demo.tickets import make_tickets
from fabric_twin.stack.parts import Stack
from fabric_twin.stack.simulated_fabric import DESIGN, POD

if TYPE_CHECKING:
    from fabric_twin.core.slices.slice import Slice

#: Three jobs of different shapes leave some cubes free; the last is no more than part of a cube.
SLICES = {"train-12": "8x16x16", "eval-3": "4x4x8", "debug-1": "2x2x1"}
#: Seconds for the audit that follows the loading of a pod.
FIRST_AUDIT_WITHIN = 60


def load_demo(stack: Stack, console: Console, heed: Callable[[], None]) -> None:
    """Do the stages that were not done: what somebody deleted stays deleted.

    `heed` raises what somebody asked for meanwhile.
    """
    for name, stage in STAGES.items():
        heed()
        if f"demo: {name}" not in stack.folder.done:
            with console.step(f"Demo: {name}"), answered(stack):
                console.tell(stage(stack))
            stack.folder.mark_done(f"demo: {name}")


def state_of_demo(stack: Stack) -> str:
    """Whether there is none, it is to be loaded, or it is there."""
    if not stack.fabric:
        return "none"
    return "loading" if {f"demo: {name}" for name in STAGES} - stack.folder.done.keys() else "there"


def a_pod(stack: Stack) -> str:
    """An Ironwood pod that has 64 of its 144 cubes so far, loaded by a job in the worker."""
    nautobot = client(stack)
    hall = hall_of(nautobot)
    wish = {"pod": POD, "design": DESIGN, "location": hall.id, "slots": "1-64"}
    wish["address"] = stack.fabric.address if stack.fabric else ""
    run_job(nautobot, "Load pod", wish)
    return f"{POD}, with 64 of its 144 cubes"


def slices(stack: Stack) -> str:
    """Slices, wished for as a scheduler would. The switches have their circuits beforehand, so no
    audit finds circuits missing."""
    from fabric_twin.core.designs import find_design
    from fabric_twin.core.slices.occupancy import Occupancy
    from fabric_twin.core.slices.shapes import parse_shape
    from fabric_twin.core.slots import format_slots

    nautobot = client(stack)
    pod, known, carried = _pod(nautobot), nautobot.plugins.fabric_twin.slices, 0
    _first_audit(nautobot)
    design = find_design(DESIGN)
    free = Occupancy(design)
    for name, shape in SLICES.items():
        made = free.allocate(name, parse_shape(shape, design))
        carried += _carry_slice(stack, made)
        if not known.get(pod=POD, name=name):
            known.create(pod=pod.id, name=name, shape=shape, slots=format_slots(made.slots))
    return f"{', '.join(SLICES)}, with {carried:,} circuits"


def _first_audit(nautobot: Any) -> None:
    """Wait for the audit that a loaded pod calls for: it looks before there are circuits."""
    runs, last = nautobot.plugins.fabric_twin.audit_runs, time.monotonic() + FIRST_AUDIT_WITHIN
    while not runs.filter(pod=POD, state=["done", "failed", "lost"]) and time.monotonic() < last:
        time.sleep(0.5)


def _carry_slice(stack: Stack, made: "Slice") -> int:
    """Make the circuits of a slice; how many they are."""
    from fabric_twin.core.designs import find_design
    from fabric_twin.core.pods.names import Names
    from fabric_twin.core.slices.slice import slice_circuits

    design = find_design(DESIGN)
    return _carry(stack, slice_circuits(design, made).named(Names(design.layout, POD)))


def _carry(stack: Stack, circuits: Iterable[tuple[str, str, str]]) -> int:
    """Make circuits by the driver, as no ticket does; how many they are."""
    from fabric_twin.switches.changes import Change
    from fabric_twin.switches.fabric import open_fabric, shared_targets

    wanted: dict[str, set[tuple[str, str]]] = {}
    for switch, a, b in circuits:
        wanted.setdefault(switch, set()).add((a, b))
    if not stack.fabric or not wanted:
        return 0
    changes = {name: Change(add=frozenset(pairs)) for name, pairs in wanted.items()}
    switches = shared_targets(stack.fabric.address, changes)
    with open_fabric(switches, (), stack.fabric.access) as fabric:
        done = fabric.apply(changes).all().values()
    return sum(report.outcome.is_good for applied in done for report in applied.circuits)


def audit(stack: Stack) -> str:
    """The first audit, as every night's: the faults of the fabric are found by their causes."""
    nautobot = client(stack)
    run_job(nautobot, "Audit pod", {"pod": _pod(nautobot).id})
    findings = nautobot.plugins.fabric_twin.findings.filter(pod=POD, is_there=True)
    codes = Counter(finding.code for finding in findings)
    return ", ".join(f"{count} {code}" for code, count in sorted(codes.items())) or "clean"


def tickets(stack: Stack) -> str:
    """A slice that came by a ticket, and a release that waits for somebody to approve it."""
    nautobot = client(stack)
    return make_tickets(nautobot, _pod(nautobot)) if stack.fabric else ""


def work_orders(stack: Stack) -> str:
    """A cube that is being installed, and a repair that is planned."""
    nautobot = client(stack)
    return make_orders(nautobot, _pod(nautobot)) if stack.fabric else ""


def a_network(stack: Stack) -> str:
    """Four blocks over switches of their own, joined, and an order that brings a fifth."""
    if not stack.fabric:
        return ""
    nautobot = client(stack)
    if not nautobot.plugins.fabric_twin.pods.get(name=NETWORK):
        _carry(stack, ((one.switch, one.a, one.b) for one in first_circuits()))
    return make_network(nautobot, stack.fabric.address)


@contextmanager
def answered(stack: Stack) -> Iterator[None]:
    """Say what the API refused, in our own way."""
    import pynautobot
    import requests

    try:
        yield
    except (pynautobot.RequestError, requests.RequestException) as error:
        raise StackRefused(
            f"the demo was refused: {str(error)[:300]}",
            where=stack.address,
            remedy="See the log of web, or start with --no-demo",
        ) from None


def _pod(nautobot: Any) -> Any:
    return nautobot.plugins.fabric_twin.pods.get(name=POD)


def client(stack: Stack) -> Any:
    """The API that everybody else uses, as the administrator."""
    import pynautobot

    return pynautobot.api(stack.address, token=stack.folder.secret("api-token"))


#: In the order in which they are done.
STAGES: dict[str, Callable[[Stack], str]] = {
    "a pod": a_pod,
    "slices": slices,
    "audit": audit,
    "tickets": tickets,
    "work orders": work_orders,
    "a network": a_network,
}
