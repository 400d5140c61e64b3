"""Orders to move plugs, and to take cubes or blocks away."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fabric_twin.core.audit.places import natural
from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.orders.floor import Floor
from fabric_twin.core.orders.order import Bundle, Kind, Laid, WorkOrder, check_crews
from fabric_twin.core.orders.planning.connections import PULL_OUT, done
from fabric_twin.core.orders.planning.draft import Bench
from fabric_twin.core.orders.planning.drained import drained, with_needs
from fabric_twin.core.orders.planning.fitting import taken_out
from fabric_twin.core.orders.planning.plugs import Plug, Plugs
from fabric_twin.core.orders.ports import kept_dark
from fabric_twin.core.orders.steps import BY_NEIGHBOURS, Do, End, Step, looked_at
from fabric_twin.core.slots import format_slots

#: No name in an inventory is longer.
LONGEST_NAME = 255


@dataclass(frozen=True)
class Moved:
    """One end of a cable that goes to another port."""

    cable: str
    end: str
    to: End

    @classmethod
    def from_json(cls, facts: Any, where: str = "moves") -> "Moved":
        """Read a move as a finding's remedy has it, or refuse it."""
        facts = facts if isinstance(facts, Mapping) else {}
        cable, end, to = (facts.get(name) for name in ("cable", "end", "to"))
        texts = (cable, end, *(to if isinstance(to, list | tuple) else ()))
        if len(texts) != 4 or end not in ("a", "b") or not all(map(_is_name, texts)):
            raise UnusableInput(
                "this is not a move",
                where=where,
                remedy='Write {"cable": "iw1-c007:4.3.2/X+", "end": "b", '
                '"to": ["iw1-ocs-x-3-2", "9A"]}',
            )
        return cls(texts[0], texts[1], (texts[2], texts[3]))


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
    check_crews(crews)
    _check(intended, moves, plugged)
    bench = Bench(floor, kept_dark(intended), plugged.copy())
    touched = _touched(moves, plugged)
    for moved in moves:
        if (moved.cable, moved.end) in bench.plugs.of:
            bench.unplug((moved.cable, moved.end), bundle=moved.cable)
    back: dict[str, list[int]] = defaultdict(list)
    for moved in moves:
        task = bench.plug((moved.cable, moved.end), moved.to, bundle=moved.cable)
        back[moved.cable].append(task)
    for cable, tasks in back.items():
        bench.check(cable, tasks)
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
        bundles=tuple(Bundle(cable, at[cable], (cable,)) for cable in back),
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
    """The order that takes cubes or a block away: their cables at the switches first."""
    check_crews(crews)
    slots = tuple(sorted(set(slots)))
    if not slots or not set(slots) <= set(intended.slots):
        raise UnusableInput(
            f"slots {format_slots(slots) or 'none'} are not all of the {intended.names.noun}",
            where="slots",
            remedy=f"Name slots where {intended.names.part}s stand",
        )
    names, trays = intended.names, taken_out(intended, slots)
    dark, switches = kept_dark(intended), frozenset(names.switches)
    bench = Bench(floor, dark, plugged.copy(), looked_at(intended.design))
    cables = sorted(
        {plug[0] for port, held in plugged.at.items() if port[0] in trays for plug in held}
    )
    laid = [
        Laid(c, plugged.of.get((c, "a"), ("", "")), plugged.of.get((c, "b"), ("", "")))
        for c in cables
    ]
    heard = _heard_out(intended, slots, laid) if bench.by == BY_NEIGHBOURS else ()
    bundle_of = {cable: bundle.name for bundle in heard for cable in bundle.cables}
    by_rack: dict[tuple[str, bool], list[tuple[Plug, End]]] = defaultdict(list)
    for cable in cables:
        for end in "ab":
            if port := plugged.of.get((cable, end)):
                key = floor.rack(port[0]), port[0] in switches
                by_rack[key].append(((cable, end), port))
    far: list[int] = []
    # At the switches first: what is unplugged there is dark at both ends.
    for (_, at_switch), held in sorted(by_rack.items(), key=lambda item: (not item[0][1], item[0])):
        held.sort(key=lambda pair: natural(pair[1]))
        steps = [
            step
            for (cable, end), port in held
            for step in done(
                [(cable, port)],
                end,
                PULL_OUT,
                guarded=bench.guarded(port[0]),
                bundle=bundle_of.get(cable, "") if at_switch else "",
            )
        ]
        after = () if at_switch else far
        task = bench.add(held[0][1][0], steps, after, rank=int(not at_switch))
        if at_switch:
            far.append(task)
    for bundle in heard:
        bench.check(bundle.name, far)
    for tray, part in sorted(trays.items()):
        bench.add(tray, [Step(do=Do.TAKE_OUT, rack="", device=tray, part=part)], far, rank=2)
    needs = drained({port for cable in laid for port in (cable.a, cable.b)}, in_circuits or {})
    whole = bench.steps(crews)
    at = bench.rack_of_check(whole)
    return WorkOrder(
        name=name or f"{intended.pod}-decommission-{format_slots(slots)}",
        pod=intended.pod,
        design=intended.design.name,
        kind=Kind.DECOMMISSION,
        title=f"Decommission {names.in_words(slots)} of {intended.pod}",
        steps=with_needs(whole, needs),
        bundles=tuple(replace(bundle, rack=at[bundle.name]) for bundle in heard),
        cables=tuple(laid),
        needs=needs,
        slots=slots,
        crews=crews,
    )


def _heard_out(intended: Intended, slots: Iterable[int], laid: Sequence[Laid]) -> list[Bundle]:
    """The cables of each group that goes: the ports of switches that they leave hear nobody."""
    found = []
    for slot in slots:
        device = intended.names.device(slot - 1)
        mine = tuple(cable.cable for cable in laid if device in (cable.a[0], cable.b[0]))
        if mine:
            found.append(Bundle(intended.names.in_words([slot]), "", mine, slot))
    return found


def _touched(moves: Iterable[Moved], plugged: Plugs) -> set[End]:
    """All ports that light on these cables runs through, now or then."""
    touched: set[End] = set()
    for moved in moves:
        ends = (plugged.of.get((moved.cable, end)) for end in "ab")
        touched |= {moved.to, *filter(None, ends)}
    return touched


def _check(intended: Intended, moves: Sequence[Moved], plugged: Plugs) -> None:
    """Refuse moves of cables that are not there, to ports that no device has, or in two ways."""
    if not moves:
        raise UnusableInput("no plug is to move", where="moves", remedy="Name moves")
    found = intended.names.find(*zip(*(moved.to for moved in moves), strict=True))
    for moved, port in zip(moves, found, strict=True):
        if not any((moved.cable, end) in plugged.of for end in "ab"):
            raise UnusableInput(
                f"no cable {moved.cable} is plugged in",
                where="moves",
                remedy="Name it as the cut sheet does",
            )
        if port < 0:
            raise UnusableInput(
                f"{intended.pod} has no port {' port '.join(moved.to)}",
                where="moves",
                remedy="Name a device and its port as the cut sheet does",
            )
    (plug, times), *_ = Counter((moved.cable, moved.end) for moved in moves).most_common(1)
    if times > 1:
        raise UnusableInput(
            f"end {plug[1]} of {plug[0]} is to move {times} times",
            where="moves",
            remedy="Name where it goes in the end",
        )


def _is_name(text: Any) -> bool:
    return isinstance(text, str) and 0 < len(text) <= LONGEST_NAME and text.isprintable()
