"""Which repairs are one physical mistake: runs and bundles that were moved together.

Neighbours on a panel that were moved by the same step, or mirrored about the same point, were
moved by one mistake. So were the cables of a face, a cube or a switch that went to another one
together, and the cables of a face, a cube or a switch that are missing together.
"""

from collections import defaultdict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.audit.differences import Differences
from fabric_twin.core.audit.repair import Repair
from fabric_twin.core.audit.sets import DisjointSets
from fabric_twin.core.audit.standing import Panel, Standing
from fabric_twin.core.plant import Intended, Recorded
from fabric_twin.core.rule import Column

#: The fewest cables that make a bundle.
BUNDLE = 16


def mistakes(
    intended: Intended, recorded: Recorded, found: Differences, repairs: list[Repair]
) -> list[list[Repair]]:
    """Put the repairs that one mistake made necessary together."""
    sets = DisjointSets(range(len(repairs)))
    repair_of = {row: number for number, repair in enumerate(repairs) for row in repair.rows}
    moved = [row for repair in repairs if repair.turns for row in repair.rows]
    if len(moved) > 1:
        standing = Standing.of(intended, recorded, moved)
        closed = {row for repair in repairs if repair.closed for row in repair.rows}
        blocked = _met_positions(intended, found)
        together = [
            *_runs(intended, Panel.near(intended, standing), closed, blocked),
            *_runs(intended, Panel.far(intended, standing), closed, blocked),
            *_bundles(intended, standing),
        ]
        for rows in together:
            _join(sets, (repair_of[row] for row in rows))
    for numbers in _absent(intended, repairs):
        _join(sets, numbers)
    for numbers in _uncalled(intended, recorded, repairs):
        _join(sets, numbers)
    grouped: dict[int, list[Repair]] = defaultdict(list)
    for number, repair in enumerate(repairs):
        grouped[sets.find(number)].append(repair)
    return list(grouped.values())


def _join(sets: DisjointSets, members: Iterable[int]) -> None:
    first, *others = members
    for other in others:
        sets.join(first, other)


def _met_positions(intended: Intended, found: Differences) -> Column:
    """By position: how many ports up to it hold the cable they should."""
    position = intended.design.layout.position
    met = np.zeros(int(position.max()) + 2, dtype=np.int32)
    met[position[found.met] + 1] = 1
    return np.cumsum(met, dtype=np.int32)


def _runs(
    intended: Intended, panel: Panel, closed: set[int], met_before: Column
) -> Iterable[list[int]]:
    """Runs of wrong cables along a panel with one step or one mirror.

    A run may be broken by cables that another mistake moved, never by one that stands right.
    """
    if len(panel.row) < 2:
        return
    is_closed = np.isin(panel.row, list(closed))
    gap = met_before[panel.wanted[1:]] - met_before[panel.wanted[:-1] + 1] > 0
    stride = intended.design.layout.stride
    apart = gap | (panel.wanted[1:] // stride != panel.wanted[:-1] // stride)
    block = np.concatenate([[0], np.cumsum(apart)])
    for kind in ("step", "mirror"):
        value: Column = getattr(panel, kind)
        edges = np.flatnonzero((np.diff(value) != 0) | apart) + 1
        pieces: dict[tuple[int, int], list[int]] = defaultdict(list)
        for piece in np.split(np.arange(len(value)), edges):
            enough = abs(int(value[piece[0]])) + 1 if kind == "step" else 3
            if len(piece) >= (2 if is_closed[piece].all() else max(2, enough)):
                pieces[int(block[piece[0]]), int(value[piece[0]])] += panel.row[piece].tolist()
        yield from pieces.values()


def _bundles(intended: Intended, standing: Standing) -> Iterable[list[int]]:
    """Cables of a face, a cube or a switch of which more than half went the same way."""
    layout = intended.design.layout
    per_cube, per_switch = layout.ports_per_cube, max(1, layout.ports_per_switch)
    wanted = standing.near_wanted
    near = (wanted >= 0) & (wanted < layout.cube_ports)
    rows, is_at, should = standing.row[near], standing.near[near], wanted[near]
    local, local_wanted = is_at % per_cube, should % per_cube
    per_face = per_cube // len(layout.cube.faces)
    same_place = local % per_face == local_wanted % per_face
    yield from _alike(
        rows[same_place],
        (is_at[same_place] // per_face, should[same_place] // per_face),
        np.full(same_place.sum(), per_face),
    )
    same_port = local == local_wanted
    yield from _alike(
        rows[same_port],
        (is_at[same_port] // per_cube, should[same_port] // per_cube),
        np.full(same_port.sum(), per_cube),
    )
    far = (standing.far >= layout.cube_ports) & (standing.far_wanted >= layout.cube_ports)
    rows = standing.row[far]
    is_at, should = (
        standing.far[far] - layout.cube_ports,
        standing.far_wanted[far] - layout.cube_ports,
    )
    same_port = is_at % per_switch == should % per_switch
    used = np.bincount(
        (intended.b[intended.b >= layout.cube_ports] - layout.cube_ports) // per_switch,
        minlength=max(1, len(layout.switches)),
    )
    yield from _alike(
        rows[same_port],
        (is_at[same_port] // per_switch, should[same_port] // per_switch),
        np.maximum(used[should[same_port] // per_switch], BUNDLE),
    )


def _alike(rows: Column, way: tuple[Column, Column], full: NDArray[np.intp]) -> Iterable[list[int]]:
    """Rows that went the same way, where they are more than half of a full bundle."""
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    sizes: dict[tuple[int, int], int] = {}
    for row, start, end, size in zip(
        rows.tolist(), way[0].tolist(), way[1].tolist(), full.tolist(), strict=True
    ):
        groups[start, end].append(row)
        sizes[start, end] = size
    return [group for key, group in groups.items() if 2 * len(group) > sizes[key]]


def _absent(intended: Intended, repairs: list[Repair]) -> Iterable[list[int]]:
    """Repairs of missing cables that are all of the pod's, a cube's, a switch's or a face's."""
    number_of = {
        repair.missing[0]: number
        for number, repair in enumerate(repairs)
        if not repair.rows and repair.missing
    }
    if len(number_of) < BUNDLE:
        return
    layout = intended.design.layout
    pairs = np.array(sorted(number_of), dtype=np.int32)
    per_face = layout.ports_per_cube // len(layout.cube.faces)
    keys = [
        np.zeros_like(intended.a),
        layout.slot[intended.a],
        layout.device[intended.b],
        intended.a // per_face,
    ]
    for key in keys:
        full = np.bincount(key)
        absent = np.bincount(key[pairs], minlength=len(full))
        for whole in np.flatnonzero((absent == full) & (full >= BUNDLE)).tolist():
            yield [number_of[pair] for pair in pairs[key[pairs] == whole].tolist()]


def _uncalled(intended: Intended, recorded: Recorded, repairs: list[Repair]) -> Iterable[list[int]]:
    """Repairs that take away most cables of a cube whose slot is not in the plant."""
    layout = intended.design.layout
    by_slot: dict[int, list[int]] = defaultdict(list)
    for number, repair in enumerate(repairs):
        if not repair.turns and len(repair.surplus) == 1:
            a, b = (int(ends[repair.surplus[0]]) for ends in (recorded.a, recorded.b))
            if a >= 0 and b >= 0 and intended.mate[a] == b:
                by_slot[int(layout.slot[min(a, b)])].append(number)
    return [group for group in by_slot.values() if 2 * len(group) > layout.ports_per_cube]
