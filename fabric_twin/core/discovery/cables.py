"""The observed plant as rows of a cut sheet: cables where they are two strands or one."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.discovery.observed import Observed, Seen
from fabric_twin.core.pods.names import Names

Port = tuple[str, str]
NOWHERE = ("", "")
#: What a row says of itself where somebody is seen who should not be there.
FOREIGN, TWICE = "foreign", "twice"


class ObservedCable(NamedTuple):
    """A cable (or a strand of one) as light shows it; an end that is not known is empty."""

    cable: str
    a: Port
    b: Port
    #: How it is known, as a word.
    seen: str
    #: The ports of cubes whose light it carries.
    of: tuple[int, ...]


def observed_cables(
    intended: Intended, observed: Observed, strangers: Mapping[int, Port]
) -> Iterator[ObservedCable]:
    """Rows of everything that was looked for or found; `strangers` are named by switch port.

    `intended` is the plant that was discovered: a paired one strand by strand.
    """
    names = intended.names
    strands = names.layout.strands
    looked_for = np.flatnonzero(observed.seen != Seen.ABSENT) // strands
    for cable in np.unique(looked_for).tolist():
        yield from _cable(names, observed, cable * strands, strands)
    cubes = names.layout.cube_ports
    ends = observed.end[cubes:]
    named = cubes + np.flatnonzero(ends >= 0)
    taken: dict[str, int] = {}
    for port in named[observed.end[observed.end[named]] != named].tolist():
        cube = int(observed.end[port])
        name = _again(names.cable(cube), taken)
        yield ObservedCable(name, names.port(cube), names.port(port), TWICE, (cube,))
    for port, stranger in sorted(strangers.items()):
        name = _again(":".join(stranger), taken)
        yield ObservedCable(name, stranger, names.port(port), FOREIGN, ())


def _again(name: str, taken: dict[str, int]) -> str:
    """A name for one more cable that goes by this one."""
    taken[name] = taken.get(name, 1) + 1
    return f"{name} ({taken[name]})"


def _cable(names: Names, observed: Observed, first: int, strands: int) -> Iterator[ObservedCable]:
    ports = range(first, first + strands)
    rows = [
        ObservedCable(
            names.cable(port),
            names.port(port),
            names.port(int(end)) if (end := observed.end[port]) >= 0 else NOWHERE,
            Seen(observed.seen[port]).word,
            (port,),
        )
        for port in ports
    ]
    if strands == 1 or not _is_straight(rows):
        yield from rows
        return
    one, other = rows
    yield ObservedCable(
        one.cable.removesuffix(":1"),
        (one.a[0], one.a[1].removesuffix(":1")),
        (one.b[0], one.b[1][:-1]),
        one.seen if one.seen == other.seen else f"{one.seen}, {other.seen}",
        tuple(ports),
    )


def _is_straight(rows: list[ObservedCable]) -> bool:
    """Both strands in one duplex port, strand 1 on A; or neither anywhere."""
    (device, one), (other_device, other) = (row.b for row in rows)
    same = device == other_device and one[:-1] == other[:-1]
    return same and (one[-1:], other[-1:]) in {("A", "B"), ("", "")}
