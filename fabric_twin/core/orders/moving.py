"""Orders to move plugs, and to take cubes away."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from fabric_twin.core.audit.places import natural
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.orders.bench import Bench
from fabric_twin.core.orders.connections import pull_out
from fabric_twin.core.orders.drained import drained, with_needs
from fabric_twin.core.orders.floor import Floor
from fabric_twin.core.orders.order import Bundle, Kind, Laid, WorkOrder
from fabric_twin.core.orders.plugs import Plug, Plugs
from fabric_twin.core.orders.steps import Do, End, Step
from fabric_twin.core.plant import Intended
from fabric_twin.core.slots import format_slots


@dataclass(frozen=True)
class Moved:
    """One end of a cable that goes to another port."""

    cable: str
    end: str
    to: End


def move(
    intended: Intended,
    moves: Sequence[Moved],
    floor: Floor,
    plugged: Plugs,
    *,
    in_circuits: Mapping[End, str] | None = None,
    crews: int = 1,
    name: str = "",
) -> WorkOrder:
    """The order that brings plugs to other ports; what slices they are of must be drained."""
    bench = Bench(floor, frozenset(intended.names.switches), plugged.copy())
    touched = _touched(moves, plugged)
    for moved in moves:
        if (moved.cable, moved.end) in bench.plugs.of:
            bench.unplug((moved.cable, moved.end), bundle=moved.cable)
    for moved in moves:
        task = bench.plug((moved.cable, moved.end), moved.to, bundle=moved.cable)
        bench.check(moved.cable, [task])
    needs = drained(touched, in_circuits or {})
    steps = bench.steps(crews)
    at = bench.rack_of_check(steps)
    return WorkOrder(
        name=name or f"{intended.pod}-move",
        pod=intended.pod,
        design=intended.design.name,
        kind=Kind.MOVE,
        title=f"Move {len(moves):,} plug{'s' * (len(moves) != 1)} of {intended.pod}",
        steps=with_needs(steps, needs),
        bundles=tuple(Bundle(m.cable, at[m.cable], (m.cable,)) for m in moves),
        needs=needs,
        crews=crews,
    )


def decommission(
    intended: Intended,
    slots: Collection[int],
    floor: Floor,
    plugged: Plugs,
    *,
    in_circuits: Mapping[End, str] | None = None,
    crews: int = 1,
    name: str = "",
) -> WorkOrder:
    """The order that takes cubes away: their cables at the switches first, then the cubes."""
    slots = tuple(sorted(set(slots)))
    if not slots or not set(slots) <= set(intended.slots):
        raise UnusableInput(
            f"slots {format_slots(slots) or 'none'} are not all of the pod",
            where="slots",
            remedy="Name slots where cubes stand",
        )
    names, cube = intended.names, intended.design.cube
    trays = {
        names.device((slot - 1) * cube.trays + tray) for slot in slots for tray in range(cube.trays)
    }
    bench = Bench(floor, frozenset(names.switches), plugged.copy())
    cables = sorted(
        {plug[0] for port, held in plugged.at.items() if port[0] in trays for plug in held}
    )
    laid = [
        Laid(c, plugged.of.get((c, "a"), ("", "")), plugged.of.get((c, "b"), ("", "")))
        for c in cables
    ]
    by_rack: dict[tuple[str, bool], list[tuple[Plug, End]]] = defaultdict(list)
    for cable in cables:
        for end in "ab":
            if port := plugged.of.get((cable, end)):
                key = floor.rack(port[0]), bench.guarded(port[0])
                by_rack[key].append(((cable, end), port))
    far: list[int] = []
    # At the switches first: what is unplugged there is dark at both ends.
    for (_, guarded), held in sorted(by_rack.items(), key=lambda item: (not item[0][1], item[0])):
        held.sort(key=lambda pair: natural(pair[1]))
        steps = [
            step
            for (cable, end), port in held
            for step in pull_out([(cable, port)], end, guarded=guarded)
        ]
        task = bench.add(held[0][1][0], steps, () if guarded else far, rank=int(not guarded))
        if guarded:
            far.append(task)
    for tray in sorted(trays):
        bench.add(tray, [Step(do=Do.TAKE_OUT, rack="", device=tray, part="tray")], far, rank=2)
    needs = drained({port for cable in laid for port in (cable.a, cable.b)}, in_circuits or {})
    said = f"cube{'s' * (len(slots) > 1)} {format_slots(slots)}"
    return WorkOrder(
        name=name or f"{intended.pod}-decommission-{format_slots(slots)}",
        pod=intended.pod,
        design=intended.design.name,
        kind=Kind.DECOMMISSION,
        title=f"Decommission {said} of {intended.pod}",
        steps=with_needs(bench.steps(crews), needs),
        cables=tuple(laid),
        needs=needs,
        slots=slots,
        crews=crews,
    )


def _touched(moves: Iterable[Moved], plugged: Plugs) -> set[End]:
    """All ports that light on these cables runs through, now or then."""
    touched: set[End] = set()
    for moved in moves:
        ends = (plugged.of.get((moved.cable, end)) for end in "ab")
        touched |= {moved.to, *filter(None, ends)}
    return touched
