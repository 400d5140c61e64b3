"""Where a job would stand: in as few rows as can be, and where least is free beside it.

small      the group of small jobs with the least room that is enough; else an empty one that has
           no use for rings, for want of a port; else a free group
sequence   the row with the fewest free groups that are enough; else the fullest rows, and for the
           rest the row where it leaves the least
rectangle  rows with few free groups first, all with enough free columns in common
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.rings.state import State
from fabric_twin.core.slots import format_slots

#: How many rows are tried for a rectangle before the search gives up.
MOST_TRIES = 200_000
WORDS = ("row", "column")


def place_small(state: State, processors: int) -> int:
    """The group for a small job."""
    size = state.wiring.cluster.group.size
    room = [
        (size - used, group)
        for group, used in state.in_groups.items()
        if group not in state.lost | state.held_groups and size - used >= processors
    ]
    if room:
        return min(room)[1]
    if short := list(filter(state.is_empty, state.short)):
        return min(short)
    if not state.free:
        raise NotPossible(
            f"{counted(processors, 'processor')} fit in no group of small jobs, and no group is "
            "free",
            where="rings",
            remedy="Release a job",
        )
    beside = _beside(state, 0)
    return min(state.free, key=lambda group: (beside[state.wiring.serves(group, 0)], group))


def _beside(state: State, axis: int) -> dict[int, int]:
    """How many groups are free, by the row (or column) that they are in."""
    found = dict.fromkeys(range(1, state.wiring.cluster.tier_0(axis) + 1), 0)
    for group in state.free:
        found[state.wiring.serves(group, axis)] += 1
    return found


@dataclass(frozen=True)
class SequencePlace:
    """Places sequences along one dimension; rows that turn out to have no links are barred."""

    state: State
    axis: int
    groups: int
    barred: frozenset[int] = frozenset()

    def find(self, shut: Collection[int] = ()) -> tuple[int, ...]:
        """The groups of a sequence, row after row; `shut` rows are on switches that are lost."""
        rows: dict[int, list[int]] = {}
        for group in self.state.free:
            row = self.state.wiring.serves(group, self.axis)
            if row not in shut:
                rows.setdefault(row, []).append(group)
        enough = [row for row, free in rows.items() if len(free) >= self.groups]
        if enough:
            best = min(enough, key=lambda row: (len(rows[row]), row))
            return tuple(rows[best][: self.groups])
        chosen, left = [], self.groups
        open_rows = sorted(rows.keys() - self.barred, key=lambda row: (-len(rows[row]), row))
        while left and open_rows:
            last = [row for row in open_rows if len(rows[row]) >= left]
            row = min(last, key=lambda row: (len(rows[row]), row)) if last else open_rows[0]
            open_rows.remove(row)
            taken = rows[row][:left]
            left -= len(taken)
            chosen.append((row, taken))
        if left:
            raise self._short(rows, shut)
        return tuple(group for _, taken in sorted(chosen) for group in taken)

    def _short(self, rows: dict[int, list[int]], shut: Collection[int]) -> NotPossible:
        word = WORDS[self.axis]
        free = sum(len(found) for found in rows.values())
        what = f"the sequence takes {counted(self.groups, 'group')}, and {free} "
        what += "is free" if free == 1 else "are free"
        if self.barred:
            joined = sum(len(found) for row, found in rows.items() if row not in self.barred)
            what += f", {joined} of them in {word}s that links to others are left in"
        if shut:
            what += f", without {counted(len(shut), word)} whose switch is lost"
        most = max(map(len, rows.values()), default=0)
        return NotPossible(
            what,
            where="rings",
            remedy=f"Release a job, or ask for at most {counted(most, 'group')} of one {word}"
            if most
            else "Release a job",
        )


def place_rectangle(
    state: State, rows: int, columns: int, shut: tuple[Collection[int], Collection[int]]
) -> tuple[int, ...]:
    """The groups of a rectangle, row by row; `shut` rows and columns are left out."""
    cluster = state.wiring.cluster
    free = {
        row: frozenset(
            column
            for column in range(1, cluster.columns + 1)
            if column not in shut[1] and state.is_free((row - 1) * cluster.columns + column - 1)
        )
        for row in range(1, cluster.rows + 1)
        if row not in shut[0]
    }
    order = sorted(free, key=lambda row: (len(free[row]), row))
    found, tries = _rows(free, order, rows, columns)
    if found is None:
        wanted = (
            f"{counted(rows, 'row')} of groups with {counted(columns, 'column')} free in common"
        )
        raise NotPossible(
            f"there {'is' if rows == 1 else 'are'} not {wanted}"
            if tries < MOST_TRIES
            else f"no {wanted} were found in {MOST_TRIES:,} tries",
            where="rings",
            remedy="Release a job, ask for another shape, or for a sequence",
        )
    chosen, common = found
    beside = _beside(state, 1)
    best = sorted(sorted(common, key=lambda column: (beside[column], column))[:columns])
    return tuple(
        (row - 1) * cluster.columns + column - 1 for row in sorted(chosen) for column in best
    )


def _rows(
    free: dict[int, frozenset[int]], order: list[int], many: int, columns: int
) -> tuple[tuple[list[int], frozenset[int]] | None, int]:
    """The first rows in this order with enough free columns in common, and how many were tried."""
    tries = 0
    every = frozenset[int]().union(*free.values())
    stack: list[tuple[int, list[int], frozenset[int]]] = [(0, [], every)]
    while stack and tries < MOST_TRIES:
        tries += 1
        at, chosen, common = stack.pop()
        if len(chosen) == many:
            return (chosen, common), tries
        if len(order) - at < many - len(chosen):
            continue
        stack.append((at + 1, chosen, common))
        both = common & free[order[at]]
        if len(both) >= columns:
            stack.append((at + 1, [*chosen, order[at]], both))
    return None, tries


def what_fits(state: State) -> str:
    """The largest jobs that have a place now, as far as groups go: links may be used up."""
    size = state.wiring.cluster.group.size
    most = (max(_beside(state, axis).values(), default=0) for axis in (0, 1))
    rows = [
        f"{counted(many, 'group')} of one {word}"
        for word, many in zip(WORDS, most, strict=True)
        if many
    ]
    room = [
        size - state.in_groups.get(group, 0)
        for group in range(state.wiring.cluster.groups)
        if group in state.in_groups.keys() - state.lost - state.held_groups or state.is_empty(group)
    ]
    small = f"small jobs of at most {counted(max(room, default=0), 'processor')}"
    if not rows and not max(room, default=0):
        return "Nothing fits now: release a job, or repair a group"
    return f"The largest that fit now: {', '.join([*rows, small])}"


def words(state: State, groups: Collection[int]) -> str:
    """Groups for people, by row: `row 1 columns 1-24, row 2 columns 1-14`."""
    columns: dict[int, list[int]] = {}
    for group in sorted(groups):
        row, column = (state.wiring.serves(group, axis) for axis in (0, 1))
        columns.setdefault(row, []).append(column)
    rows: dict[tuple[int, ...], list[int]] = {}
    for row, found in columns.items():
        rows.setdefault(tuple(found), []).append(row)
    return ", ".join(
        f"{_numbers('row', alike)} {_numbers('column', found)}" for found, alike in rows.items()
    )


def _numbers(word: str, numbers: Sequence[int]) -> str:
    return f"{word}{'s' * (len(numbers) > 1)} {format_slots(numbers)}"
