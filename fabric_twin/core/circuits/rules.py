"""The rules of a pod that a wanted circuit must keep, whatever its switch would let it do.

    7A ---- 9A   same-side              +  ---- +     same-sign (a paired switch would do it)
    9B ---- 7A   wrong-side             X+ ---- Y-    other-axis
    130A --- 9B  spare-port             3,1 --- 3,2   other-index (a shared switch would do it)

Circuits that are there already may break rules: they may be what a plan leaves behind.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.circuits.unhealthy import Unhealthy, numbers_of
from fabric_twin.core.cube import AXES, Face
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.fabric.columns import NO_PORT, Column
from fabric_twin.core.rule import Plant

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class _Rule:
    """A rule, where it is broken, and words for one circuit that breaks it."""

    name: str
    broken: Mask
    words: Callable[[int], str]
    remedy: str


def check_circuits(intended: Intended, wanted: Sequence[Circuit]) -> None:
    """Refuse a wish in which any circuit breaks a rule, naming the first and the rule."""
    if refusal := first_breach(intended, wanted):
        raise refusal


def first_breach(intended: Intended, circuits: Sequence[Circuit]) -> NotPossible | None:
    """The first circuit that breaks a rule, the rule, and how many more do; or nothing."""
    rules = _rules(intended, circuits)
    broken = np.array([rule.broken for rule in rules]).reshape(len(rules), -1)
    rows = np.flatnonzero(broken.any(axis=0))
    if not rows.size:
        return None
    row = int(rows[0])
    rule = rules[int(broken[:, row].argmax())]
    return _refusal(circuits[row], rule.name, rule.words(row), rule.remedy, len(rows) - 1)


def check_healthy(intended: Intended, added: Sequence[Circuit], unhealthy: Unhealthy) -> None:
    """Refuse a plan that would add a circuit to something unhealthy.

    A running circuit may stay there: whether to move it is not for the plan to say.
    """
    numbers = {n for port in unhealthy.ports for n in numbers_of(intended.names, port)}
    sick = list(zip(*(_sick(intended, added, side, numbers) for side in (0, 1)), strict=True))
    cubes = [_slots_of(intended, added, side) for side in (0, 1)]
    for row, (circuit, ill) in enumerate(zip(added, sick, strict=True)):
        ends = [end for end, is_ill in zip(circuit.ports, ill, strict=True) if is_ill]
        slots = [int(side[row]) for side in cubes if int(side[row]) in unhealthy.slots]
        if not ends and not slots:
            continue
        raise _refusal(
            circuit,
            "port-unhealthy" if ends else "slot-unhealthy",
            f"{ends[0][1]} is unhealthy" if ends else f"the cube in slot {slots[0]} is unhealthy",
            "Choose other cubes, or mend it first",
        )


def _sick(
    intended: Intended, circuits: Sequence[Circuit], side: int, numbers: set[int]
) -> list[bool]:
    """Whether the port at one end of each circuit, or the cube's port behind it, is unhealthy."""
    port = _find(intended, circuits, side)
    behind = np.where(port < 0, NO_PORT, intended.mate[port])
    pairs = zip(port.tolist(), behind.tolist(), strict=True)
    return [not numbers.isdisjoint(pair) for pair in pairs]


def _slots_of(intended: Intended, circuits: Sequence[Circuit], side: int) -> Column:
    port = _find(intended, circuits, side)
    return intended.design.layout.slot[np.where(port < 0, 0, intended.mate[port])]


def _find(intended: Intended, circuits: Sequence[Circuit], side: int) -> Column:
    """Number the switch ports at one end of circuits; below 0 where the pod has no such port."""
    paired = intended.design.plant is Plant.PAIRED
    ports = [circuit.ports[side][1] for circuit in circuits]
    labels = [port[:-1] for port in ports] if paired else ports
    found = intended.names.find([circuit.switch for circuit in circuits], labels)
    return np.where(found < intended.design.layout.cube_ports, NO_PORT, found)


def _rules(intended: Intended, wanted: Sequence[Circuit]) -> tuple[_Rule, ...]:
    """Every rule, the most telling first: a circuit is blamed for the first that it breaks."""
    layout = intended.design.layout
    switches = set(intended.names.devices[layout.slots * layout.cube.trays :])
    sides = [(circuit.a[-1:], circuit.b[-1:]) for circuit in wanted]
    ports = [_find(intended, wanted, side) for side in (0, 1)]
    known = (ports[0] >= 0) & (ports[1] >= 0)
    behind = [np.where(port >= 0, intended.mate[port], NO_PORT) for port in ports]
    absent = [np.where(port >= 0, intended.want[port], NO_PORT) == NO_PORT for port in ports]
    cabled: Mask = (behind[0] != NO_PORT) & (behind[1] != NO_PORT)
    spare = [layout.spare[port] & (end == NO_PORT) for port, end in zip(ports, behind, strict=True)]
    near: Column = behind[0] % layout.ports_per_cube
    far: Column = behind[1] % layout.ports_per_cube

    def end_of(mask: Sequence[Mask], row: int) -> str:
        return wanted[row].a if mask[0][row] else wanted[row].b

    def slot_of(row: int) -> int:
        return int(layout.slot[behind[0 if absent[0][row] else 1][row]])

    def faces(row: int) -> str:
        names = [Face(int(layout.axis[p]), int(layout.sign[p])) for p in (near[row], far[row])]
        return " to ".join(map(str, names))

    def indices(row: int) -> str:
        axis = int(layout.axis[near[row]])
        places = layout.cube.indices(axis)
        names = [places[int(layout.index[p])] for p in (near[row], far[row])]
        return f"{AXES[axis]} " + " to ".join(",".join(map(str, name)) for name in names)

    unknown = [(end < 0) for end in ports]
    return (
        _Rule(
            "unknown-switch",
            _mask(circuit.switch not in switches for circuit in wanted),
            lambda row: f"pod {intended.pod} has no switch {wanted[row].switch}",
            f"Name a switch of this pod, such as {min(switches, default='(it has none)')}",
        ),
        _Rule(
            "unknown-port",
            unknown[0] | unknown[1],
            lambda row: f"the switch has no port {end_of(unknown, row)}",
            f"Name ports from 1A to {layout.radix}A and from 1B to {layout.radix}B",
        ),
        _Rule(
            "same-side",
            _mask(a == b for a, b in sides),
            lambda row: f"both are {sides[row][0]} ports",
            "Join an A port to a B port",
        ),
        _Rule(
            "wrong-side",
            _mask(a == "B" for a, _ in sides),
            lambda _: "its a is a B port and its b is an A port",
            "Exchange a and b",
        ),
        _Rule(
            "spare-port",
            spare[0] | spare[1],
            lambda row: f"{end_of(spare, row)} is a spare, and no substitution puts a cable on it",
            "Name the port that the rule uses, or the substitution that uses the spare",
        ),
        _Rule(
            "no-cable",
            known & ~cabled,
            lambda row: f"no cable belongs on {end_of([end == NO_PORT for end in behind], row)}",
            "Name a port that a cube is cabled to",
        ),
        _Rule(
            "empty-slot",
            cabled & (absent[0] | absent[1]),
            lambda row: f"slot {slot_of(row)} holds no cube",
            "Name slots that hold cubes, or widen the slots",
        ),
        _Rule(
            "other-axis",
            cabled & (layout.axis[near] != layout.axis[far]),
            lambda row: f"it joins {faces(row)}",
            "Join faces of one axis",
        ),
        _Rule(
            "other-index",
            cabled & (layout.index[near] != layout.index[far]),
            lambda row: f"it joins index {indices(row)}",
            "Join ports of one index: an index can never change",
        ),
        _Rule(
            "other-lane",
            cabled & (layout.lane[near] != layout.lane[far]),
            lambda row: f"it joins lane {layout.lane[near[row]]} to lane {layout.lane[far[row]]}",
            "Join ports of one lane",
        ),
        _Rule(
            "same-sign",
            cabled & (layout.sign[near] == layout.sign[far]),
            lambda row: f"it joins {faces(row)}",
            "Join a + face to a - face",
        ),
        _Rule(
            "half-a-link",
            _without_second(intended, wanted),
            lambda row: f"its link lacks the second circuit, {' to '.join(_second(wanted[row]))}",
            "A link of a paired plant is two circuits: want both or neither",
        ),
    )


def _mask(rows: Iterable[bool]) -> Mask:
    return np.fromiter(rows, dtype=np.bool_)


def _second(circuit: Circuit) -> tuple[str, str]:
    """The ports of the other circuit of a link in a paired plant: pA-qB has qA-pB.

    p ====A----B==== q
    p ====B----A==== q
    """
    return f"{circuit.b[:-1]}A", f"{circuit.a[:-1]}B"


def _without_second(intended: Intended, wanted: Sequence[Circuit]) -> Mask:
    if intended.design.plant is not Plant.PAIRED:
        return np.zeros(len(wanted), dtype=np.bool_)
    keys: Collection[tuple[str, str, str]] = {circuit.key for circuit in wanted}
    return _mask((circuit.switch, *_second(circuit)) not in keys for circuit in wanted)


def _refusal(circuit: Circuit, rule: str, words: str, remedy: str, more: int = 0) -> NotPossible:
    others = f" ({more:,} more break a rule)" if more else ""
    return NotPossible(
        f"{circuit} breaks the rule {rule}: {words}{others}", where=circuit.where, remedy=remedy
    )
