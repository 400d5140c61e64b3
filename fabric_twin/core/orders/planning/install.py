"""An order to install cubes, groups, or a block: parts in racks, and cables to what stands.

    at each cube          trays and transceivers; cube ends, bundle by bundle, laid to the switches
    at each switch rack   switch ends, bundle by bundle; each is checked when it is done

A block is fitted like a cube, and its slots are its places. A bundle is what one cube or block
sends to one rack of switches. Every rack is visited once, by one crew:
crews share no rack, so they never meet.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from fabric_twin.core.audit.places import natural
from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.kinds import Kind as Kinds
from fabric_twin.core.orders.floor import Floor
from fabric_twin.core.orders.materials import Stock, bill, promise
from fabric_twin.core.orders.order import Bundle, Kind, Laid, WorkOrder, check_crews
from fabric_twin.core.orders.parts import cable_part
from fabric_twin.core.orders.planning.cableway import Cableway
from fabric_twin.core.orders.planning.connections import PLUG_IN, done
from fabric_twin.core.orders.planning.fitting import Fitted, fitted_at
from fabric_twin.core.orders.planning.plugs import Plugs
from fabric_twin.core.orders.planning.visits import Task, Visit, written
from fabric_twin.core.orders.ports import kept_dark, simplex
from fabric_twin.core.orders.steps import Do, End, Step, looked_at
from fabric_twin.core.slots import format_slots


@dataclass(frozen=True)
class _Ends:
    """A cable to be laid: its near end is finished first."""

    laid: Laid
    racks: tuple[str, str]
    slots: tuple[int, int]
    #: What goes before the names of its ports in turn: the side of a switch, a block's strand.
    before: tuple[int, int]

    def turn(self, end: int) -> tuple[str, int, int, str]:
        """When an end comes in turn: device by device, on a switch side A before side B."""
        device, number, rest = natural((self.laid.a, self.laid.b)[end])
        return device, self.before[end], number, rest


def install(
    intended: Intended,
    slots: Collection[int],
    floor: Floor,
    *,
    plugged: Plugs | None = None,
    in_circuits: Collection[End] = (),
    crews: int = 1,
    cableway: Cableway | None = None,
    stock: Stock | None = None,
    name: str = "",
) -> WorkOrder:
    """The order that brings cubes into these slots of a pod, or a block into these places.

    `intended` is the plant when all is done; `plugged` is what is recorded now, and
    `in_circuits` the switch ports that circuits use: none of these is ever touched.
    """
    slots = tuple(sorted(set(slots)))
    check_crews(crews)
    _check(intended, slots)
    cables = _cables(intended, slots, floor, cableway or Cableway())
    _check_free(cables, plugged or Plugs(), frozenset(in_circuits), intended.names.part)
    fitted = fitted_at(intended, slots)
    materials = bill(_parts(intended, fitted, cables), stock)
    if stock is not None:
        promise(materials, stock)
    plan = _Plan(intended, floor, slots, cables, fitted)
    tasks, visits = plan.tasks(), plan.visits(crews)
    return WorkOrder(
        name=name or f"{intended.pod}-install-{format_slots(slots)}",
        pod=intended.pod,
        design=intended.design.name,
        kind=Kind.INSTALL,
        title=f"Install {intended.names.in_words(slots)} of {intended.pod}",
        steps=written(tasks, visits, floor),
        bundles=tuple(plan.bundles.values()),
        cables=tuple(cable.laid for cable in cables),
        materials=materials,
        slots=slots,
        crews=crews,
    )


def _check(intended: Intended, slots: Sequence[int]) -> None:
    if not slots or not set(slots) <= set(intended.slots):
        noun = intended.names.noun
        raise UnusableInput(
            f"slots {format_slots(slots) or 'none'} are not all of the {noun} that is to be",
            where="slots",
            remedy=f"Name slots of the {noun}",
        )


def _cables(
    intended: Intended, slots: Sequence[int], floor: Floor, cableway: Cableway
) -> list[_Ends]:
    """Every cable with an end in a new cube, measured, in the order in which ports are counted."""
    names, layout = intended.names, intended.names.layout
    new = np.zeros(layout.slots + 1, np.bool_)
    new[list(slots)] = True
    rows = np.flatnonzero(new[layout.slot[intended.a]] | new[layout.slot[intended.b]])
    a, b = intended.a[rows], intended.b[rows]
    ends = [list(zip(*names.ends(column), strict=True)) for column in (a, b)]
    slot = zip(layout.slot[a].tolist(), layout.slot[b].tolist(), strict=True)
    strand = np.arange(len(layout.slot)) if intended.design.kind is Kinds.NETWORK else 0
    first = np.where(layout.slot > 0, strand, layout.fabric.panel)
    before = zip(first[a].tolist(), first[b].tolist(), strict=True)
    length: dict[tuple[str, str], int] = {}
    found = []
    for cable, near, far, of, turn in zip(names.cables(a), *ends, slot, before, strict=True):
        racks = floor.rack(near[0]), floor.rack(far[0])
        devices = near[0], far[0]
        if devices not in length:
            length[devices] = cableway.length_m(floor, *devices)
        bundle = f"{racks[0]} to {racks[1]}"
        laid = Laid(cable, near, far, length[devices], cable, bundle)
        found.append(_Ends(laid, racks, of, turn))
    return found


def _check_free(
    cables: Iterable[_Ends], plugged: Plugs, in_circuits: Collection[End], part: str
) -> None:
    """Refuse an order that would need a port in use, or a cable that is there already."""
    for cable in cables:
        laid = cable.laid
        for end, port in (("a", laid.a), ("b", laid.b)):
            if held := plugged.at.get(port):
                raise NotPossible(
                    f"{held[0][0]} is in the port that {laid.cable} needs",
                    where=" port ".join(port),
                    remedy=f"Move it, or leave its {part} out",
                )
            if any(one in in_circuits for one in simplex(port)):
                raise NotPossible(
                    f"a circuit uses the port that {laid.cable} needs",
                    where=" port ".join(port),
                    remedy="Release the circuit with a ticket first",
                )
            if (laid.cable, end) in plugged.of:
                raise NotPossible(
                    f"{laid.cable} is laid already",
                    where=" port ".join(plugged.of[laid.cable, end]),
                    remedy=f"Leave its {part} out, or take the cable away",
                )


def _parts(
    intended: Intended, fitted: Mapping[str, Sequence[Fitted]], cables: Sequence[_Ends]
) -> Counter[str]:
    """What is bought: a rack is its trays, a port its transceiver."""
    design, names = intended.design, intended.names
    parts = Counter(one.part for some in fitted.values() for one in some)
    for cable in cables:
        ends = names.find(*zip(cable.laid.a, cable.laid.b, strict=True)).tolist()
        parts[cable_part(design, cable.laid.length_m, *ends)] += 1
    parts["label"] = 2 * len(cables)
    return parts


@dataclass
class _Plan:
    """Tasks of an installation: every rack's, in the order in which racks are walked."""

    intended: Intended
    floor: Floor
    slots: Sequence[int]
    cables: Sequence[_Ends]
    fitted: Mapping[str, Sequence[Fitted]]
    bundles: dict[str, Bundle] = field(default_factory=dict)
    _tasks: list[Task] = field(default_factory=list)
    _at: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        """Know the racks of cubes and of switches, each in the order of a walk."""
        self._cubes = self.floor.in_turn(map(self.floor.rack, self.fitted))
        others = {rack for cable in self.cables for rack in cable.racks} - set(self._cubes)
        self._others = self.floor.in_turn(others)
        self._order = {rack: at for at, rack in enumerate([*self._cubes, *self._others])}

    def tasks(self) -> list[Task]:
        """Fit what goes into the cubes, then both ends of every bundle."""
        for device, parts in self.fitted.items():
            self._fit(device, parts)
        together: dict[str, list[_Ends]] = defaultdict(list)
        for cable in self.cables:
            together[cable.laid.bundle].append(cable)
        for name in sorted(together, key=lambda name: self._turn(together[name])):
            self._lay(name, together[name])
        return self._tasks

    def _turn(self, cables: Sequence[_Ends]) -> list[int]:
        """When both ends of a bundle come in turn."""
        return sorted(self._order[rack] for rack in cables[0].racks)

    def _add(self, task: Task) -> int:
        self._tasks.append(task)
        self._at[task.rack].append(len(self._tasks) - 1)
        return len(self._tasks) - 1

    def _fit(self, device: str, parts: Sequence[Fitted]) -> None:
        rack = self.floor.rack(device)
        steps = [Step(do=Do.FIT, rack=rack, device=device, port=p, part=part) for p, part in parts]
        self._add(Task(rack, steps))

    def _lay(self, name: str, cables: list[_Ends]) -> None:
        """Near ends, then far ends and the look at the light; by tray or switch, port by port."""
        racks = cables[0].racks
        near = min((0, 1), key=lambda end: self._order[racks[end]])
        slot = next((s for s in cables[0].slots if s in self.slots), 0)
        bundle = Bundle(name, racks[1 - near], tuple(c.laid.cable for c in cables), slot)
        self.bundles[name] = bundle
        first = -1
        for end in (near, 1 - near):
            cables = sorted(cables, key=lambda cable: cable.turn(end))
            plugs = [(c.laid.cable, (c.laid.a, c.laid.b)[end]) for c in cables]
            dark = cables[0].slots[end] == 0 and bool(kept_dark(self.intended))
            steps = done(plugs, "ab"[end], PLUG_IN, guarded=dark, bundle=name)
            if end != near or racks[0] == racks[1]:
                by = looked_at(self.intended.design)
                steps.append(Step(do=Do.CHECK, rack=racks[end], bundle=name, by=by))
            first = self._add(Task(racks[end], steps, [first] if first >= 0 else []))

    def visits(self, crews: int) -> list[Visit]:
        """Each crew a run of cubes and a run of the other racks, about as much work for each."""
        found: list[tuple[tuple[int, int, int], Visit]] = []
        for phase, racks in enumerate((self._cubes, self._others)):
            work = np.cumsum([0, *(len(self._at[rack]) for rack in racks)])
            for place, rack in enumerate(racks):
                middle = (work[place] + work[place + 1]) / 2
                crew = min(crews, int(middle * crews / max(1, work[-1])) + 1)
                found.append(((phase, place, crew), Visit(crew, rack, self._at[rack])))
        return [visit for _, visit in found]
