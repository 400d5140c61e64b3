"""Which repairs are one physical mistake: runs and bundles that were moved together.

Neighbours on a panel that were moved by the same step, or mirrored about the same point, were
moved by one mistake. So were the cables of a face, a cube or a switch that went to another one
together, and the cables of a face, a cube or a switch that are missing together.

What belongs together depends on the cables of the mistake and on the rule, never on whether
another mistake stands between them: so a finding keeps its name while others come and go.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.audit.arrangement import Panel, Standing
from fabric_twin.core.audit.repair import Repair
from fabric_twin.core.audit.sets import DisjointSets
from fabric_twin.core.cabling.plant import Intended, Recorded
from fabric_twin.core.fabric.columns import NO_PORT, NOT_OF_DESIGN, Column

#: The fewest missing cables that make a bundle.
BUNDLE = 16


def mistakes(intended: Intended, recorded: Recorded, repairs: list[Repair]) -> list[list[Repair]]:
    """Put the repairs that one mistake made necessary together."""
    sets = DisjointSets(range(len(repairs)))
    repair_of = {row: number for number, repair in enumerate(repairs) for row in repair.rows}
    moved = [row for repair in repairs if repair.turns for row in repair.rows]
    if len(moved) > 1:
        standing = Standing.of(intended, recorded, moved)
        closed = {row for repair in repairs if repair.closed for row in repair.rows}
        order = _order_on_panels(intended)
        together = [
            *_runs(Panel.near(intended, standing), closed, order),
            *_runs(Panel.far(intended, standing), closed, order),
            *_bundles(intended, standing),
        ]
        for rows in together:
            _join(sets, (repair_of[row] for row in rows))
    for numbers in (
        *_absent(intended, repairs),
        *_uncalled(intended, recorded, repairs),
        *_foreign(recorded, repairs),
        *_alike_in_place(intended, recorded, repairs),
    ):
        _join(sets, numbers)
    return [[repairs[number] for number in together] for together in sets.parted()]


def _join(sets: DisjointSets, members: Iterable[int]) -> None:
    first, *others = members
    for other in others:
        sets.join(first, other)


def _order_on_panels(intended: Intended) -> Column:
    """By position: the how-manieth wanted port it is, with a jump from panel to panel.

    Ports that hold no cable by right (empty slots, spares) are no gap in a run.
    """
    layout = intended.names.layout
    wanted = np.zeros((int(layout.position.max()) // layout.stride + 1) * layout.stride, np.int32)
    wanted[layout.position[intended.want != NO_PORT]] = 1
    wanted[layout.stride - 1 :: layout.stride] = layout.stride
    return np.cumsum(wanted, dtype=np.int32)


def _runs(panel: Panel, closed: set[int], order: Column) -> Iterable[list[int]]:
    """Runs of neighbours on a panel with one step or one mirror.

    Two runs of the same step or mirror are one over a gap no wider than either: another mistake
    may have moved what was there, or a hand may have mended it.
    """
    if len(panel.row) < 2:
        return
    is_closed = np.array([row in closed for row in panel.row.tolist()])
    place = order[panel.wanted]
    for kind in ("step", "mirror"):
        value: Column = getattr(panel, kind)
        by_value = np.lexsort((place, value))
        apart = (np.diff(value[by_value]) != 0) | (np.diff(place[by_value]) != 1)
        found: list[list[int]] = []
        last = (0, 0, 0)
        for run in np.split(by_value, np.flatnonzero(apart) + 1):
            enough = abs(int(value[run[0]])) + 1 if kind == "step" else 3
            if len(run) < (2 if is_closed[run].all() else max(2, enough)):
                continue
            begins, ends = int(place[run[0]]), int(place[run[-1]])
            gap = begins - last[1] - 1
            if found and value[run[0]] == last[0] and gap <= min(last[2], len(run)):
                found[-1] += panel.row[run].tolist()
            else:
                found.append(panel.row[run].tolist())
            last = (int(value[run[0]]), ends, len(run))
        yield from found


def _bundles(intended: Intended, standing: Standing) -> Iterable[list[int]]:
    """Cables of a face, a cube or a switch of which more than half went the same way.

    Where cubes and switches were both exchanged, some cables went both ways: they are the cubes',
    as are all that went from the one to the other.
    """
    layout = intended.names.layout
    per_cube, per_switch = layout.ports_per_cube, max(1, layout.ports_per_switch)
    per_face = per_cube // len(layout.cube.faces)
    at, should = standing.near, standing.near_wanted
    near = (should >= 0) & (should < layout.cube_ports)
    for size in (per_face, per_cube):
        way = (at // size, should // size)
        for start, end in _alike(near & (at % size == should % size), way, size):
            yield standing.row[near & (way[0] == start) & (way[1] == end)].tolist()

    at, should = standing.far - layout.cube_ports, standing.far_wanted - layout.cube_ports
    same_port = (at >= 0) & (should >= 0) & (at % per_switch == should % per_switch)
    way = (at // per_switch, should // per_switch)
    used = (intended.b - layout.cube_ports) // per_switch
    sizes = np.bincount(used[used >= 0], minlength=len(layout.switches) + 1)
    for start, end in _alike(same_port, way, sizes):
        yield standing.row[same_port & (way[0] == start) & (way[1] == end)].tolist()


def _alike(
    candidates: NDArray[np.bool_], way: tuple[Column, Column], full: int | NDArray[np.intp]
) -> list[tuple[int, int]]:
    """From where to where more than half of a bundle's cables went."""
    went = candidates & (way[0] != way[1])
    times = Counter(zip(way[0][went].tolist(), way[1][went].tolist(), strict=True))
    return [
        (start, end)
        for (start, end), count in times.items()
        if 2 * count > (full if isinstance(full, int) else int(full[end]))
    ]


def _absent(intended: Intended, repairs: list[Repair]) -> Iterable[list[int]]:
    """Repairs of missing cables that are all of the pod's, a cube's, a switch's or a face's."""
    number_of = {
        repair.missing[0]: number
        for number, repair in enumerate(repairs)
        if not repair.rows and repair.missing
    }
    if len(number_of) < BUNDLE:
        return
    layout = intended.names.layout
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
    layout = intended.names.layout
    by_slot: dict[int, list[int]] = defaultdict(list)
    for number, repair in enumerate(repairs):
        if not repair.turns and len(repair.surplus) == 1:
            a, b = (int(ends[repair.surplus[0]]) for ends in (recorded.a, recorded.b))
            if a >= 0 and b >= 0 and intended.mate[a] == b:
                by_slot[int(layout.slot[min(a, b)])].append(number)
    return [group for group in by_slot.values() if 2 * len(group) > layout.ports_per_cube]


def _foreign(recorded: Recorded, repairs: list[Repair]) -> Iterable[list[int]]:
    """Repairs of cables on unknown ports, where these are most: a sheet of another design."""
    unknown = (recorded.a == NOT_OF_DESIGN) | (recorded.b == NOT_OF_DESIGN)
    if unknown.sum() >= BUNDLE and 2 * unknown.sum() > len(unknown):
        yield [
            number
            for number, repair in enumerate(repairs)
            if any(unknown[row] for row in repair.rows)
        ]


def _alike_in_place(
    intended: Intended, recorded: Recorded, repairs: list[Repair]
) -> Iterable[list[int]]:
    """Repairs that take cables away from the same two ports, which only their names tell apart."""
    places: dict[tuple[tuple[str, str], ...], list[int]] = defaultdict(list)
    for number, repair in enumerate(repairs):
        if not repair.turns and len(repair.surplus) == 1:
            ends = recorded.ends(intended.names, repair.surplus[0])
            places[tuple(sorted(ends))].append(number)
    return places.values()
