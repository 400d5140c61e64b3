"""Which repairs are one physical mistake: runs and bundles that were moved together.

Neighbours on a panel that were moved by the same step, or mirrored about the same point, were
moved by one mistake. So were the cables of a bundle (in a pod: of a face, a cube or a switch) that
went to another one together, and the cables of a bundle that are missing together, or that all have
no far end: its device may be dead.

What belongs together depends on the cables of the mistake and on the rule, never on whether
another mistake stands between them: so a finding keeps its name while others come and go.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.audit.arrangement import Panel, Standing
from fabric_twin.core.audit.repair import Repair
from fabric_twin.core.audit.sets import DisjointSets
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, NOT_OF_DESIGN, Column
from fabric_twin.core.fabric.fabric import Bundle
from fabric_twin.core.fabric.plant import IntendedPlant, Recorded

#: The fewest missing or hanging cables that make a bundle.
BUNDLE = 16


def mistakes(
    intended: IntendedPlant, recorded: Recorded, repairs: list[Repair]
) -> list[list[Repair]]:
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
        *_absent(intended, recorded, repairs),
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


def _order_on_panels(intended: IntendedPlant) -> Column:
    """By position: the how-manieth wanted port it is, with a jump from panel to panel.

    Ports that hold no cable by right (empty slots, spares) are no gap in a run.
    """
    fabric = intended.fabric
    wanted = np.zeros((int(fabric.panel.max()) + 1) * fabric.stride, np.int32)
    wanted[fabric.line[intended.want != NO_PORT]] = 1
    wanted[fabric.stride - 1 :: fabric.stride] = fabric.stride
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


def _bundles(intended: IntendedPlant, standing: Standing) -> Iterable[list[int]]:
    """Cables of a bundle of which more than half went the same way.

    Where cubes and switches were both exchanged, some cables went both ways: they are the cubes',
    as are all that went from the one to the other.
    """
    fabric = intended.fabric
    row, at, should = standing.row, standing.near, standing.near_wanted
    for bundle in fabric.bundles:
        yield from _moved(bundle, row, at, should, bundle.size, whatever_place=True)
    switches = fabric.switches
    # A switch has near ends too where cables join it to others.
    of = switches.of[np.concatenate([intended.a, intended.b])]
    used = np.bincount(of[of >= 0], minlength=len(switches.size))
    at = np.concatenate([standing.near, standing.far])
    should = np.concatenate([standing.near_wanted, standing.far_wanted])
    yield from _moved(switches, np.tile(row, 2), at, should, used, whatever_place=False)


def _moved(
    bundle: Bundle,
    row: Column,
    at: Column,
    should: Column,
    full: NDArray[np.intp],
    *,
    whatever_place: bool,
) -> Iterable[list[int]]:
    """Cables of one bundle in another, where more than half of it is at the same place there."""
    there = (should != NO_PORT) & (bundle.of[at] >= 0) & (bundle.of[should] >= 0)
    row, at, should = row[there], at[there], should[there]
    start, end = bundle.of[at], bundle.of[should]
    alike = bundle.place[at] == bundle.place[should]
    went = alike & (start != end)
    times = Counter(zip(start[went].tolist(), end[went].tolist(), strict=True))
    for (one, other), count in times.items():
        if 2 * count > int(full[other]):
            yield row[(start == one) & (end == other) & (alike | whatever_place)].tolist()


def _absent(
    intended: IntendedPlant, recorded: Recorded, repairs: list[Repair]
) -> Iterable[list[int]]:
    """Repairs of missing cables, or of hanging ones, that are all of a bundle's."""
    yield from _all_of_a_bundle(
        intended,
        {
            repair.missing[0]: number
            for number, repair in enumerate(repairs)
            if not repair.rows and repair.missing
        },
    )
    hangs = (recorded.a == NOT_KNOWN) | (recorded.b == NOT_KNOWN)
    pair_of = np.full(len(intended.mate), NO_PORT, np.int32)
    pair_of[intended.a] = pair_of[intended.b] = np.arange(len(intended.a))
    yield from _all_of_a_bundle(
        intended,
        {
            int(pair_of[repair.turns[0].target]): number
            for number, repair in enumerate(repairs)
            if repair.turns and repair.rows == [repair.turns[0].row] and hangs[repair.rows[0]]
        },
    )


def _all_of_a_bundle(intended: IntendedPlant, number_of: Mapping[int, int]) -> Iterable[list[int]]:
    """Those whose cables, by number, are all of the plant's, a switch's or a bundle's."""
    if len(number_of) < BUNDLE:
        return
    fabric = intended.fabric
    number = np.full(len(intended.a), NO_PORT, np.int32)
    number[list(number_of)] = list(number_of.values())
    ends = np.concatenate([intended.a, intended.b])
    keys = [
        np.zeros_like(intended.a),
        fabric.device[intended.b],
        # A switch has near ends too where cables join it to others.
        fabric.switches.of[ends],
        *(bundle.of[intended.a] for bundle in fabric.bundles),
    ]
    for key in keys:
        numbers = np.resize(number, len(key))
        full = np.bincount(key[key >= 0])
        absent = np.bincount(key[(key >= 0) & (numbers >= 0)], minlength=len(full))
        for whole in np.flatnonzero((absent == full) & (full >= BUNDLE)).tolist():
            yield numbers[key == whole].tolist()


def _uncalled(
    intended: IntendedPlant, recorded: Recorded, repairs: list[Repair]
) -> Iterable[list[int]]:
    """Repairs that take away most cables of a unit that is not in the plant."""
    fabric = intended.fabric
    surplus: dict[int, tuple[int, int]] = {}
    for number, repair in enumerate(repairs):
        if not repair.turns and len(repair.surplus) == 1:
            a, b = (int(ends[repair.surplus[0]]) for ends in (recorded.a, recorded.b))
            if a >= 0 and b >= 0 and intended.mate[a] == b:
                surplus[number] = a, b
    if not surplus:
        return []
    ports, wanted = (
        np.bincount(fabric.unit, weights) for weights in (None, intended.want != NO_PORT)
    )
    by_unit: dict[int, list[int]] = defaultdict(list)
    for number, ends in surplus.items():
        # Of two units the near one, but rather one that is not there at all.
        units = [int(fabric.unit[end]) for end in fabric.near_first(ends)]
        by_unit[next((u for u in units if u and not wanted[u]), units[0])].append(number)
    return [group for unit, group in by_unit.items() if 2 * len(group) > ports[unit]]


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
    intended: IntendedPlant, recorded: Recorded, repairs: list[Repair]
) -> Iterable[list[int]]:
    """Repairs that take cables away from the same two ports, which only their names tell apart."""
    places: dict[tuple[tuple[str, str], ...], list[int]] = defaultdict(list)
    for number, repair in enumerate(repairs):
        if not repair.turns and len(repair.surplus) == 1:
            ends = recorded.ends(intended.names, repair.surplus[0])
            places[tuple(sorted(ends))].append(number)
    return places.values()
