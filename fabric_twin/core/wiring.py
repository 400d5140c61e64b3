"""What a rule joins, as port numbers; what no pod could be built from is refused here."""

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.cube import AXES, Cube
from fabric_twin.core.errors import DesignRefused
from fabric_twin.core.rule import Column, CubePorts, Plant, SwitchPorts

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
    axis, sign, place, lane = zip(*rows, strict=True)
    return CubePorts(
        np.zeros(len(rows), dtype=np.int32),
        np.array(axis, dtype=np.int32),
        np.array(sign, dtype=np.int32),
        np.array(place, dtype=np.int32),
        np.array(lane, dtype=np.int32),
    )


def _where(cube: Cube, port: int, lanes: int) -> str:
    per_cube = len(cube.faces) * len(cube.indices(0)) * lanes
    return f"cube {port // per_cube + 1} port {cube_port_label(cube, port % per_cube, lanes)}"


def switch_ports(
    answer: SwitchPorts, cube_ports: int, plant: Plant, radix: int, spares: tuple[int, ...]
) -> tuple[tuple[SwitchName, ...], Column, NDArray[np.bool_]]:
    """Number the switches a rule names and the port it gives every cube port."""
    sides = 2 if plant is Plant.SPLIT else 1
    if len(answer.port) != cube_ports or np.any(answer.number < 0):
        raise DesignRefused(
            f"the rule does not name one switch port for each of {cube_ports} cube ports",
            remedy="Answer with columns as long as those asked about, and no number below 0",
        )
    names = np.column_stack([answer.axis, answer.number])
    # One number per name (its digits in a mixed base) sorts many times faster than rows do.
    key = np.ravel_multi_index(tuple(names.T), tuple(names.max(axis=0) + 1))
    _, first, switch = np.unique(key, return_index=True, return_inverse=True)
    distinct = names[first]

    def label(row: int) -> str:
        axis, *numbers = names[row].tolist()
        return switch_label((axis, tuple(numbers)))

    over = np.flatnonzero((answer.port < 1) | (answer.port > radix))
    if over.size:
        raise DesignRefused(
            f"the rule asks for port {answer.port[over[0]]}, but a side has ports 1 to {radix}",
            where=label(over[0]),
            remedy="Give the switch a larger radix, or the pod fewer slots",
        )
    if np.any((answer.side < 0) | (answer.side >= sides)):
        raise DesignRefused(
            f"the rule names a side that a {plant.value} plant does not have",
            remedy="Answer side 0 or 1 in a split plant, and always 0 in a paired one",
        )
    taken = np.flatnonzero(np.isin(answer.port, np.array(spares, dtype=np.int32)))
    if taken.size:
        raise DesignRefused(
            f"the rule puts a cable on port {answer.port[taken[0]]}, which is a spare",
            where=label(taken[0]),
            remedy="Make the switch's radix larger, or name other spares",
        )
    if any(not 1 <= spare <= radix for spare in spares):
        raise DesignRefused(
            f"spare ports {spares} are not all among ports 1 to {radix}",
            remedy="Name spares within the radix",
        )
    far = (
        cube_ports + switch.reshape(-1) * sides * radix + answer.side * radix + answer.port - 1
    ).astype(np.int32)
    order = np.argsort(far, kind="stable")
    twice = np.flatnonzero(np.diff(far[order]) == 0)
    if twice.size:
        row = order[twice[0]]
        letter = "AB" if plant is Plant.SPLIT else ("",)
        raise DesignRefused(
            f"the rule puts two cables on port {answer.port[row]}{letter[answer.side[row]]}",
            where=label(row),
            remedy="Give every cube port a switch port of its own",
        )
    spare = np.zeros(cube_ports + len(distinct) * sides * radix, dtype=np.bool_)
    on_side = np.isin(np.arange(1, radix + 1), spares)
    spare[cube_ports:] = np.tile(on_side, len(distinct) * sides)
    switches = tuple((int(row[0]), tuple(map(int, row[1:]))) for row in distinct)
    return switches, far, spare


def neighbours(answer: CubePorts, cube: Cube, slots: int, lanes: int) -> Column:
    """Number the cube port that a rule names as each cube port's neighbour."""
    places = len(cube.indices(0))
    if len(answer.slot) != slots * len(cube.faces) * places * lanes:
        raise DesignRefused(
            "the rule does not name one neighbour for each cube port",
            remedy="Answer with columns as long as those asked about",
        )
    outside = np.flatnonzero((answer.slot < 1) | (answer.slot > slots))
    if outside.size:
        port = int(outside[0])
        raise DesignRefused(
            f"its neighbour is a cube in slot {answer.slot[port]}, but slots go from 1 to {slots}",
            where=_where(cube, port, lanes),
            remedy="Let the rule name a slot of the pod",
        )
    number = np.zeros(len(answer.slot), dtype=np.int32)
    for column, others in enumerate(range(cube.dimensions - 1)):
        sides = np.array(
            [
                [s for o, s in enumerate(cube.chips) if o != a][others]
                for a in range(cube.dimensions)
            ]
        )
        number = number * sides[answer.axis] + answer.index[:, column] - 1
    face = answer.axis * 2 + answer.sign
    mate = (
        ((answer.slot - 1) * len(cube.faces) + face) * places * lanes
        + number * lanes
        + answer.lane
        - 1
    ).astype(np.int32)
    ends = np.arange(len(mate))
    wrong = np.flatnonzero((mate == ends) | (mate[np.clip(mate, 0, len(mate) - 1)] != ends))
    if wrong.size:
        port = int(wrong[0])
        raise DesignRefused(
            "the rule does not join it to one neighbour that is joined back to it",
            where=_where(cube, port, lanes),
            remedy="Make the rule its own inverse: what A names must name A",
        )
    return mate
