"""What a rule joins, as port numbers; what no pod could be built from is refused here."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.cube import AXES, SIGNS, Cube, Face
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


def _places(cube: Cube, lanes: int) -> Iterator[tuple[Face, tuple[int, ...], int]]:
    """The places of a cube's ports, face by face, index by index, lane by lane."""
    for face in cube.faces:
        for index in cube.indices(face.axis):
            for lane in range(1, lanes + 1):
                yield face, index, lane


def cube_port_labels(cube: Cube, lanes: int) -> list[str]:
    """Name the ports of a cube, `4.3.2/X+`, with their lanes where a port has several cables."""
    return [
        f"{'.'.join(map(str, cube.chip(face, index)))}/{face}{f'/{lane}' if lanes > 1 else ''}"
        for face, index, lane in _places(cube, lanes)
    ]


def ports_of_a_cube(cube: Cube, lanes: int) -> CubePorts:
    """Every port of a cube, in the order of its numbers; its slot is left 0."""
    rows = [(*face, index, lane) for face, index, lane in _places(cube, lanes)]
    columns = [np.array(column, dtype=np.int32) for column in zip(*rows, strict=True)]
    return CubePorts(np.zeros(len(rows), dtype=np.int32), *columns)


def trays_of_ports(cube: Cube, lanes: int) -> Column:
    """The trays of those ports, from 0, in the same order."""
    chips = (cube.chip(face, index) for face, index, _ in _places(cube, lanes))
    return np.array([cube.tray_of(chip) - 1 for chip in chips], dtype=np.int32)


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


def neighbours(asked: CubePorts, answer: CubePorts, cube: Cube, lanes: int, plant: Plant) -> Column:
    """Number the cube port that a rule names as each cube port's neighbour."""
    total, slots = len(asked.slot), int(asked.slot.max())
    if plant is not Plant.STATIC:
        raise DesignRefused(
            f"the plant is {plant.value}, but its rule names neighbours and no switch",
            remedy="Make the plant static, or let the rule name switch ports",
        )
    if any(
        np.shape(getattr(answer, column)) != np.shape(getattr(asked, column))
        for column in ("slot", "axis", "sign", "index", "lane")
    ):
        raise DesignRefused(
            f"the rule does not name one neighbour for each of {total} cube ports",
            remedy="Answer with columns as long as those asked about",
        )
    labels = cube_port_labels(cube, lanes)
    outside = np.flatnonzero((answer.slot < 1) | (answer.slot > slots))
    if outside.size:
        port = int(outside[0])
        raise DesignRefused(
            f"its neighbour is a cube in slot {answer.slot[port]}, but slots go from 1 to {slots}",
            where=_cube_port(labels, port),
            remedy="Let the rule name a slot of the pod",
        )
    # Ports of a cube are in the order of their keys; what is no port has a key of its own.
    key, local = _key(answer, cube, lanes), _key(asked, cube, lanes)[: len(labels)]
    at = np.clip(np.searchsorted(local, key), 0, len(local) - 1)
    ends = np.arange(total)
    mate = np.where(local[at] == key, (answer.slot - 1) * len(local) + at, ends).astype(np.int32)
    wrong = np.flatnonzero((mate == ends) | (mate[mate] != ends))
    if wrong.size:
        raise DesignRefused(
            "the rule does not join it to one neighbour that is joined back to it",
            where=_cube_port(labels, int(wrong[0])),
            remedy="Make the rule its own inverse: what A names must name A",
        )
    return mate


def _key(port: CubePorts, cube: Cube, lanes: int) -> NDArray[Any]:
    """One number for axis, sign, index and lane, in this order."""
    columns = (port.axis + 1, port.sign + 1, *port.index.T, port.lane)
    most = (len(AXES), len(SIGNS), *(max(cube.chips),) * (cube.dimensions - 1), lanes)
    key = np.ravel_multi_index(columns, tuple(last + 2 for last in most), mode="clip")
    return np.asarray(key)


def _switch(name: NDArray[Any]) -> str:
    axis, *numbers = name.tolist()
    return switch_label((axis, tuple(numbers)))


def _cube_port(labels: list[str], port: int) -> str:
    slot, local = divmod(port, len(labels))
    return f"cube {slot + 1} port {labels[local]}"
