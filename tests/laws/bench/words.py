"""What a right plant is, by names alone, in the words of the design documents.

Nothing here is shared with the product: a port is (device, port), a cable is two of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

POD = "p1"
SIGNS = "+-"
Port = tuple[str, str]


@dataclass(frozen=True)
class Kind:
    """The sizes of one design."""

    name: str
    slots: int
    radix: int
    spares: tuple[int, ...] = ()
    paired: bool = False
    lanes: int = 1
    #: Two indices share a switch.
    shared: bool = False


KINDS = {
    kind.name: kind
    for kind in (
        Kind("ironwood", 144, 144),
        Kind("tpu-v5p", 140, 144, tuple(range(141, 145))),
        Kind("tpu-v4", 64, 136, tuple(range(129, 137)), paired=True),
        Kind("tpu-v4-duplex", 64, 136, tuple(range(129, 137)), paired=True, lanes=2),
        Kind("tpu-v4-cwdm8", 64, 136, tuple(range(129, 137)), shared=True),
    )
}


@dataclass(frozen=True)
class Place:
    """Where a cube port is: its slot, axis, sign, index and lane (from 1)."""

    slot: int
    axis: str
    sign: str
    i: int
    j: int
    lane: int


def places(kind: Kind, slot: int) -> Iterator[Place]:
    """Every place of one cube, face by face, index by index."""
    indices = product(range(1, 5), range(1, 5), range(1, kind.lanes + 1))
    return (
        Place(slot, axis, sign, *index)
        for axis, sign, index in product("XYZ", SIGNS, list(indices))
    )


def cube_port(kind: Kind, at: Place) -> Port:
    """The tray and the port of a place."""
    outer = 4 if at.sign == "+" else 1
    x, y, z = {
        "X": (outer, at.i, at.j),
        "Y": (at.i, outer, at.j),
        "Z": (at.i, at.j, outer),
    }[at.axis]
    tray = 1 + (x > 2) + 2 * (y > 2) + 4 * (z - 1)
    lane = f"/{at.lane}" if kind.lanes > 1 else ""
    return f"{POD}-c{at.slot:03d}-t{tray:02d}", f"{x}.{y}.{z}/{at.axis}{at.sign}{lane}"


def switch_of(kind: Kind, at: Place) -> str:
    """Same axis, same index (and same lane), same switch."""
    last = (at.j + 1) // 2 if kind.shared else at.j
    lane = f"-{at.lane}" if kind.lanes > 1 else ""
    return f"{POD}-ocs-{at.axis.lower()}-{at.i}-{last}{lane}"


def switch_port(kind: Kind, at: Place) -> Port:
    """The slot decides the port, the sign the side."""
    number, side = at.slot, ""
    if kind.shared and at.j % 2 == 0:
        number += 64
    if kind.paired:
        number += 64 * (at.sign == "-")
    else:
        side = "A" if at.sign == "+" else "B"
    return switch_of(kind, at), f"{number}{side}"


def cable_name(kind: Kind, at: Place) -> str:
    """A cable is named by its cube end."""
    return f"{POD}-c{at.slot:03d}:{cube_port(kind, at)[1]}"


@cache
def right_cables(kind: Kind, slots: tuple[int, ...]) -> dict[str, tuple[Port, Port]]:
    """The plant that should be."""
    return {
        cable_name(kind, at): (cube_port(kind, at), switch_port(kind, at))
        for slot in slots
        for at in places(kind, slot)
    }


@cache
def homes(kind: Kind, slots: tuple[int, ...]) -> dict[str, Place]:
    """The place of every cable, by its name."""
    return {cable_name(kind, at): at for slot in slots for at in places(kind, slot)}


@cache
def switches(kind: Kind) -> list[str]:
    """The names of all switches."""
    return list(dict.fromkeys(switch_of(kind, at) for at in places(kind, 1)))


def sides(kind: Kind) -> list[str]:
    """The letters of a switch's sides."""
    return [""] if kind.paired else ["A", "B"]


@cache
def switch_panels(kind: Kind) -> dict[tuple[str, str], list[Port]]:
    """The ports of every side of every switch, in order."""
    return {
        (switch, side): [(switch, f"{number}{side}") for number in range(1, kind.radix + 1)]
        for switch in switches(kind)
        for side in sides(kind)
    }


@cache
def face_panels(kind: Kind, slot: int) -> dict[tuple[int, str, int], list[Port]]:
    """The ports of every face of a cube (and lane), in order of index."""
    panels: dict[tuple[int, str, int], list[Port]] = {}
    for at in places(kind, slot):
        key = (slot, at.axis + at.sign, at.lane)
        panels.setdefault(key, []).append(cube_port(kind, at))
    return panels


def number_of(port: Port) -> int:
    """The number of a switch port."""
    return int(port[1].rstrip("AB"))


def is_switch(port: Port) -> bool:
    """Whether a port is on a switch."""
    return "-ocs-" in port[0]
