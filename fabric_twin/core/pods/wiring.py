"""What a rule joins, as port numbers; what no pod could be built from is refused here."""

from collections.abc import Iterator
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.cube import AXES, Cube
from fabric_twin.core.errors import DesignRefused
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.rule import CubePorts, Plant, SwitchPorts

#: A switch as its name has it: axis, and the numbers after it.
SwitchName = tuple[int, tuple[int, ...]]


def switch_label(name: SwitchName) -> str:
    """Name a switch within its pod.

    >>> switch_label((0, (3, 2)))
    'ocs-x-3-2'
    """
    axis, numbers = name
    return "-".join(["ocs", AXES[axis].lower(), *map(str, numbers)])


def cube_port_label(cube: Cube, port: int, lanes: int) -> str:
    """Name a port within its cube, `4.3.2/X+`, with its lane where it has several cables."""
    places = cube.indices(0)
    face = cube.faces[port // (len(places) * lanes)]
    chip = cube.chip(face, cube.indices(face.axis)[port // lanes % len(places)])
    lane = f"/{port % lanes + 1}" if lanes > 1 else ""
    return f"{'.'.join(map(str, chip))}/{face}{lane}"


def ports_of_a_cube(cube: Cube, lanes: int) -> CubePorts:
    """Every port of a cube, face by face, index by index, lane by lane; its slot is left 0."""
    rows = [
        (face.axis, face.sign, place, lane)
        for face in cube.faces
        for place in cube.indices(face.axis)
        for lane in range(1, lanes + 1)
    ]
    columns = [np.array(column, dtype=np.int32) for column in zip(*rows, strict=True)]
    return CubePorts(np.zeros(len(rows), dtype=np.int32), *columns)


def chips_behind(cube: Cube, lanes: int) -> Iterator[tuple[int, ...]]:
    """The chips behind those ports, in the same order."""
    for face in cube.faces:
        for place in cube.indices(face.axis):
            yield from repeat(cube.chip(face, place), lanes)


def switch_ports(
    answer: SwitchPorts, cube_ports: int, plant: Plant, radix: int, spares: tuple[int, ...]
) -> tuple[tuple[SwitchName, ...], Column]:
    """Number the switches a rule names, and the port it gives every cube port."""
    if plant is Plant.STATIC:
        raise DesignRefused(
            "the plant is static, but its rule names switches",
            remedy="Make the plant split or paired, or let the rule name neighbours",
        )
    columns = (answer.axis, answer.side, answer.port, answer.number)
    if any(len(column) != cube_ports for column in columns) or np.any(answer.number < 0):
        raise DesignRefused(
            f"the rule does not name one switch port for each of {cube_ports} cube ports",
            remedy="Answer with columns as long as those asked about, and no number below 0",
        )
    if any(not 1 <= spare <= radix for spare in spares):
        raise DesignRefused(
            f"spare ports {spares} are not all among ports 1 to {radix}",
            remedy="Name spares within the radix",
        )
    names = np.column_stack([answer.axis, answer.number])
    # One number per name (its digits in a mixed base) sorts many times faster than rows do.
    key = np.ravel_multi_index(tuple(names.T), tuple(names.max(axis=0) + 1))
    _, first, switch = np.unique(key, return_index=True, return_inverse=True)
    _check_ports(answer, names, plant, radix, spares)
    side = switch.reshape(-1) * plant.sides + answer.side
    far = (cube_ports + side * radix + answer.port - 1).astype(np.int32)
    order = np.argsort(far, kind="stable")
    twice = np.flatnonzero(np.diff(far[order]) == 0)
    if twice.size:
        row = order[twice[0]]
        letter = "AB"[answer.side[row]] if plant is Plant.SPLIT else ""
        raise DesignRefused(
            f"the rule puts two cables on port {answer.port[row]}{letter}",
            where=_switch(names[row]),
            remedy="Give every cube port a switch port of its own",
        )
    return tuple((axis, tuple(numbers)) for axis, *numbers in names[first].tolist()), far


def _check_ports(
    answer: SwitchPorts, names: NDArray[Any], plant: Plant, radix: int, spares: tuple[int, ...]
) -> None:
    """Refuse ports beyond the radix, spares, and sides that are not there."""
    over = np.flatnonzero((answer.port < 1) | (answer.port > radix))
    if over.size:
        port = int(answer.port[over[0]])
        raise DesignRefused(
            f"the rule asks for port {port}, but a side has ports 1 to {radix}",
            where=_switch(names[over[0]]),
            remedy="Count ports from 1: the first one is too low"
            if port < 1
            else "Give the switch a larger radix, or the pod fewer slots",
        )
    if np.any((answer.side < 0) | (answer.side >= plant.sides)):
        raise DesignRefused(
            f"the rule names a side that a {plant.value} plant does not have",
            remedy="Answer side 0 or 1 in a split plant, and always 0 in a paired one",
        )
    taken = np.flatnonzero(np.isin(answer.port, np.array(spares, dtype=np.int32)))
    if taken.size:
        raise DesignRefused(
            f"the rule puts a cable on port {answer.port[taken[0]]}, which is a spare",
            where=_switch(names[taken[0]]),
            remedy="Make the switch's radix larger, or name other spares",
        )


def neighbours(answer: CubePorts, cube: Cube, slots: int, lanes: int, plant: Plant) -> Column:
    """Number the cube port that a rule names as each cube port's neighbour."""
    places = len(cube.indices(0))
    total = slots * len(cube.faces) * places * lanes
    if plant is not Plant.STATIC:
        raise DesignRefused(
            f"the plant is {plant.value}, but its rule names neighbours and no switch",
            remedy="Make the plant static, or let the rule name switch ports",
        )
    columns = (answer.slot, answer.axis, answer.sign, answer.index, answer.lane)
    if any(len(column) != total for column in columns):
        raise DesignRefused(
            f"the rule does not name one neighbour for each of {total} cube ports",
            remedy="Answer with columns as long as those asked about",
        )
    outside = np.flatnonzero((answer.slot < 1) | (answer.slot > slots))
    if outside.size:
        port = int(outside[0])
        raise DesignRefused(
            f"its neighbour is a cube in slot {answer.slot[port]}, but slots go from 1 to {slots}",
            where=_cube_port(cube, port, lanes),
            remedy="Let the rule name a slot of the pod",
        )
    place = np.zeros(total, dtype=np.int32)
    for column in answer.index.T:
        place = place * cube.chips[0] + column - 1
    face = (answer.slot - 1) * len(cube.faces) + answer.axis * 2 + answer.sign
    mate = ((face * places + place) * lanes + answer.lane - 1).astype(np.int32)
    ends = np.arange(total)
    wrong = np.flatnonzero((mate == ends) | (mate[np.clip(mate, 0, total - 1)] != ends))
    if wrong.size:
        raise DesignRefused(
            "the rule does not join it to one neighbour that is joined back to it",
            where=_cube_port(cube, int(wrong[0]), lanes),
            remedy="Make the rule its own inverse: what A names must name A",
        )
    return mate


def _switch(name: NDArray[Any]) -> str:
    axis, *numbers = name.tolist()
    return switch_label((axis, tuple(numbers)))


def _cube_port(cube: Cube, port: int, lanes: int) -> str:
    per_cube = len(cube.faces) * len(cube.indices(0)) * lanes
    return f"cube {port // per_cube + 1} port {cube_port_label(cube, port % per_cube, lanes)}"
