"""A paired plant strand by strand, for the few cables whose strands went different ways.

Each strand is a cable of its own, from a strand of a cube's port to one half of a duplex port:

    4.3.2/X+  ==== 7        becomes        4.3.2/X+:1 ---- 7A
                                           4.3.2/X+:2 ---- 7B
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.cabling.plant import Intended, recorded_plant
from fabric_twin.core.fabric.columns import NO_PORT, Column
from fabric_twin.core.fabric.plant import Recorded, Row
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.pods.names import Names
from fabric_twin.core.pods.own_names import OwnNames
from fabric_twin.core.rule import Plant

STRANDS = (0, 1)


def by_strand(intended: Intended) -> Intended:
    """A paired plant strand by strand; any other plant as it is."""
    layout = intended.names.layout
    if layout.plant is not Plant.PAIRED or layout.strands > 1:
        return intended
    return _by_strand(intended, strand_names(intended.names))


def strand_names(names: Names) -> Names:
    """The names of a paired plant, with a name for each strand: `eth3:1`, `7A`."""
    layout, laid_out = names.layout, strand_layout(names.layout)
    if not isinstance(names, OwnNames):
        return Names(laid_out, names.pod)

    ports = np.arange(len(layout.mate), dtype=np.int32)
    numbers = [strand_of(layout, ports, strand).tolist() for strand in STRANDS]

    def strands(port: int, own: str) -> Iterable[tuple[int, str]]:
        for strand in STRANDS:
            called = f"{own}:{strand + 1}" if port < layout.cube_ports else f"{own}{'AB'[strand]}"
            yield numbers[strand][port], called

    return names.laid_out(laid_out, strands)


def circuit_ends(names: Names) -> dict[tuple[str, str], int]:
    """Simplex ports as circuits call them: `7A`, whatever the inventory calls them."""
    layout = names.layout
    return {
        (device, f"{at % layout.radix + 1}{'AB'[at // layout.radix]}"): first + at
        for number, device in enumerate(names.switches)
        for first in (layout.cube_ports + number * layout.ports_per_switch,)
        for at in range(layout.ports_per_switch)
    }


def part_strands(
    intended: Intended, recorded: Recorded
) -> tuple[Intended, Recorded, Intended, Recorded]:
    """Take what loose strands touch out of a plant, and lay that out strand by strand.

    A whole cable on a port that a loose strand needs or stands on is taken apart as well.
    """
    layout = intended.names.layout
    names = strand_names(intended.names)
    columns = list(zip(*recorded.loose, strict=True))
    strands = recorded_plant(names, *columns)
    touched = np.zeros(len(layout.mate), dtype=np.bool_)
    for ends in (strands.a, strands.b):
        touched[duplex_of(layout, ends[ends >= 0])] = True
    apart = np.zeros(len(recorded.a), dtype=np.bool_)
    known = [(ends, ends >= 0) for ends in (recorded.a, recorded.b)]
    while True:
        pairs = touched[intended.a] | touched[intended.b]
        touched[intended.a[pairs]] = touched[intended.b[pairs]] = True
        stands = np.zeros_like(apart)
        for ends, there in known:
            stands |= there & touched[np.where(there, ends, 0)]
        if not (stands & ~apart).any():
            break
        apart |= stands
        for ends, there in known:
            touched[ends[apart & there]] = True
    rows = [*recorded.loose, *_taken_apart(intended.names, recorded, np.flatnonzero(apart))]
    return (
        narrowed(intended, ~pairs),
        replace(recorded.only(~apart), loose=()),
        _by_strand(narrowed(intended, pairs), names),
        recorded_plant(names, *zip(*rows, strict=True)),
    )


@lru_cache(maxsize=8)
def strand_layout(layout: Layout) -> Layout:
    """The layout with every port in two."""
    cubes = layout.cube_ports
    switches = np.arange(len(layout.mate) - cubes, dtype=np.int32) // layout.radix
    last = int(layout.position[:cubes].max()) // layout.stride + 1

    def both(column: Column) -> Column:
        near = np.repeat(column[:cubes], 2)
        far = column[cubes:].reshape(len(layout.switches), 1, layout.radix)
        return np.concatenate([near, np.repeat(far, 2, axis=1).reshape(-1)])

    panel, place = layout.position // layout.stride, layout.position % layout.stride
    strand = np.concatenate([np.tile(STRANDS, cubes), _half(layout)]).astype(np.int32)
    panel = both(np.concatenate([panel[:cubes], last + switches])) * 2 + strand
    ends = np.arange(len(layout.mate), dtype=np.int32)
    mate = np.full(2 * len(ends), NO_PORT, dtype=np.int32)
    for number in STRANDS:
        joined = layout.mate != NO_PORT
        mate[strand_of(layout, ends[joined], number)] = strand_of(
            layout, layout.mate[joined], number
        )
    return replace(
        layout,
        mate=mate,
        cable_a=_both_strands(layout, layout.cable_a),
        cable_b=_both_strands(layout, layout.cable_b),
        device=both(layout.device),
        slot=both(layout.slot),
        position=panel * layout.stride + both(place),
        spare=both(layout.spare.astype(np.int32)) == 1,
        axis=np.repeat(layout.axis, 2),
        sign=np.repeat(layout.sign, 2),
        index=np.repeat(layout.index, 2),
        lane=np.repeat(layout.lane, 2) * 2 + np.tile(STRANDS, len(layout.lane)).astype(np.int32),
        strands=2,
    )


def _half(layout: Layout) -> Column:
    """By port of the switches: 0 for A, 1 for B."""
    return np.tile(np.repeat(np.array(STRANDS, np.int32), layout.radix), len(layout.switches))


def strand_of(layout: Layout, ports: Column, number: int) -> Column:
    """The port of one strand of some duplex ports; `layout` is that of the duplex ports."""
    cubes, radix = layout.cube_ports, layout.radix
    switch, place = np.divmod(ports - cubes, radix)
    far = 2 * cubes + (2 * switch + number) * radix + place
    return np.where(ports < cubes, 2 * ports + number, far).astype(np.int32)


def duplex_of(layout: Layout, strands: Column) -> Column:
    """The duplex ports of some strands; `layout` is that of the duplex ports."""
    cubes, radix = layout.cube_ports, layout.radix
    side, place = np.divmod(strands - 2 * cubes, radix)
    return np.where(strands < 2 * cubes, strands // 2, cubes + side // 2 * radix + place)


def _both_strands(layout: Layout, ports: Column) -> Column:
    return np.column_stack([strand_of(layout, ports, number) for number in STRANDS]).reshape(-1)


def narrowed(intended: Intended, pairs: NDArray[np.bool_]) -> Intended:
    """The plant with some of its pairs."""
    a, b = intended.a[pairs], intended.b[pairs]
    want = np.full_like(intended.want, NO_PORT)
    want[a], want[b] = b, a
    return replace(intended, want=want, a=a, b=b)


def _by_strand(intended: Intended, names: Names) -> Intended:
    """The same plant with two cables for each."""
    layout = intended.names.layout
    a, b = _both_strands(layout, intended.a), _both_strands(layout, intended.b)
    mate, want = names.layout.mate.copy(), np.full_like(names.layout.mate, NO_PORT)
    changed = np.flatnonzero(intended.mate != layout.mate).astype(np.int32)
    for number in STRANDS:
        to = intended.mate[changed]
        mate[strand_of(layout, changed, number)] = np.where(
            to == NO_PORT, NO_PORT, strand_of(layout, to, number)
        )
    want[a], want[b] = b, a
    return replace(intended, names=names, mate=mate, want=want, a=a, b=b)


def _taken_apart(names: Names, recorded: Recorded, rows: Iterable[int]) -> Iterable[Row]:
    """Both strands of whole cables, as rows that name them."""
    for row in map(int, rows):
        (a, a_port), (b, b_port) = recorded.ends(names, row)
        ends = (int(recorded.a[row]), a_port), (int(recorded.b[row]), b_port)
        for strand in (1, 2):
            letter = "AB"[(strand == 2) != (row in recorded.crossed)]
            halves = (
                "" if not port else f"{port}{f':{strand}' if near else letter}"
                for port, near in zip(
                    (a_port, b_port), (_is_cubes(names, *end) for end in ends), strict=True
                )
            )
            yield f"{recorded.cables[row]}:{strand}", a, next(halves), b, next(halves)


def _is_cubes(names: Names, number: int, port: str) -> bool:
    """Whether a port is a cube's; one that the design does not have tells by its name."""
    return number < names.layout.cube_ports if number >= 0 else "/" in port
