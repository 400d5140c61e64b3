"""The fewest cable ends to touch so that wrong cables meet unmet pairs.

Pairs are the points of a graph and wrong cables its lines: a cable joins the pairs of the two
ports it stands on, and can meet either by moving its other end.

    c1 ===== s1        pair 1 o---- cable on (c1, s2) ----o pair 2
    c2 ===== s2               \\--- cable on (c2, s1) ---/          two exchanged cables

A cable meets one pair and a pair takes one cable, so every line is turned towards one of its
points and no point is turned to twice. Such a choice exists for all lines just when no connected
part has more lines than points. So lines are taken greedily (a matroid: the greatest names are
left out), then turned; of the ways to turn them, the one where a hand reaches both ports wins.
"""

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from fabric_twin.core.audit.differences import Differences
from fabric_twin.core.audit.sets import DisjointSets
from fabric_twin.core.plant import Intended, Recorded


@dataclass(frozen=True)
class Turn:
    """A cable that meets a pair by moving one end to a port."""

    row: int
    end: str
    #: The port the end stands on: below 0 where it is none of the design's.
    source: int
    target: int


@dataclass
class Repair:
    """Differences that hang together, and the smallest mending of them."""

    turns: list[Turn] = field(default_factory=list)
    #: Rows of cables that nothing needs.
    surplus: list[int] = field(default_factory=list)
    #: Rows of pairs that a new cable must meet.
    missing: list[int] = field(default_factory=list)

    @property
    def rows(self) -> list[int]:
        """The wrong cables."""
        return sorted([turn.row for turn in self.turns] + self.surplus)

    @property
    def closed(self) -> bool:
        """Whether the cables only exchange places among themselves."""
        sources = sorted(turn.source for turn in self.turns)
        targets = sorted(turn.target for turn in self.turns)
        return not self.surplus and not self.missing and sources == targets


class Reach:
    """How far a hand must reach from port to port: one device, one rack, along the switches."""

    def __init__(self, intended: Intended) -> None:
        layout = intended.names.layout
        self._device, self._slot = layout.device, layout.slot
        self._names = intended.names

    def cost(self, turn: Turn) -> int:
        """0 on one device, 1 in one rack, 2 between switches, 3 between racks."""
        source, target = turn.source, turn.target
        slot = int(self._slot[target])
        if source < 0:
            return 3 if slot else 2
        if self._device[source] == self._device[target]:
            return 0
        if self._slot[source] == slot:
            return 1 if slot else 2
        return 3

    def name(self, turn: Turn) -> str:
        """The device where the hand goes: less is better where costs are equal."""
        return self._names.device(int(self._device[turn.target]))


def repairs(intended: Intended, recorded: Recorded, found: Differences) -> list[Repair]:
    """Part the differences into those that hang together, and mend each with the fewest ends."""
    points = _points(recorded, found)
    parts, together = DisjointSets(found.unmet), DisjointSets(found.unmet)
    full: set[int] = set()
    surplus: list[int] = []
    lines: list[int] = []
    for row in sorted(found.wrong, key=lambda row: recorded.cables[row]):
        ends = {parts.find(point) for point in points[row]}
        room = ends - full
        if len(points[row]) == 2:
            together.join(*points[row])
        if not room:
            # Every pair it could meet is met by cables of lesser name, or there is none.
            surplus.append(row)
            continue
        lines.append(row)
        becomes_full = len(ends) == 1 or len(room) == 1
        root = parts.join(*ends) if len(ends) == 2 else min(ends)
        full -= ends
        if becomes_full:
            full.add(root)

    lines_of: dict[int, list[int]] = defaultdict(list)
    for row in lines:
        lines_of[parts.find(points[row][0])].append(row)
    pairs_of: dict[int, list[int]] = defaultdict(list)
    for pair in found.unmet:
        pairs_of[parts.find(pair)].append(pair)
    mended: dict[int, Repair] = defaultdict(Repair)
    reach = Reach(intended)
    for root, pairs in pairs_of.items():
        turns, missing = _Turner(intended, recorded, reach, points, lines_of[root]).turn(pairs)
        mended[together.find(root)].turns += turns
        mended[together.find(root)].missing += missing
    alone = []
    for row in surplus:
        if points[row]:
            mended[together.find(points[row][0])].surplus.append(row)
        else:
            alone.append(Repair(surplus=[row]))
    return [*mended.values(), *alone]


def _points(recorded: Recorded, found: Differences) -> dict[int, tuple[int, ...]]:
    """The unmet pairs that each wrong cable could meet: none, one or two, each once."""
    wrong = found.wrong
    # A port below 0 (unknown) reads some other port's pair: those are masked out.
    columns = [
        np.where(ends >= 0, found.pair[ends], -1).tolist()
        for ends in (recorded.a[wrong], recorded.b[wrong])
    ]
    return {
        row: tuple(sorted({point for point in ends if point >= 0}))
        for row, ends in zip(wrong, zip(*columns, strict=True), strict=True)
    }


class _Turner:
    """Turns the lines of one connected part towards its points."""

    def __init__(
        self,
        intended: Intended,
        recorded: Recorded,
        reach: Reach,
        points: dict[int, tuple[int, ...]],
        lines: list[int],
    ) -> None:
        self._intended, self._recorded = intended, recorded
        self._reach = reach
        self._points, self._lines = points, lines
        self._at: dict[int, list[int]] = defaultdict(list)
        for row in lines:
            for point in points[row]:
                self._at[point].append(row)

    def turn(self, pairs: list[int]) -> tuple[list[Turn], list[int]]:
        """Turn every line; where pairs outnumber lines, one pair of the part is left."""
        if len(self._lines) < len(pairs):
            root = self._best_root(pairs)
            return self._outwards([root], set()), [root]
        half = next((row for row in self._lines if len(self._points[row]) == 1), None)
        if half is not None:
            (root,) = self._points[half]
            return [self._towards(half, root), *self._outwards([root], {half})], []
        cycle = self._cycle(pairs)
        ways = [
            [self._towards(row, point) for row, point in cycle],
            [self._towards(row, self._other(row, point)) for row, point in cycle],
        ]
        best = min(
            ways,
            key=lambda way: (sum(map(self._reach.cost, way)), min(map(self._reach.name, way))),
        )
        on_cycle = {row for row, _ in cycle}
        return best + self._outwards([point for _, point in cycle], on_cycle), []

    def _other(self, row: int, point: int) -> int:
        first, second = self._points[row]
        return second if point == first else first

    def _towards(self, row: int, point: int) -> Turn:
        """Meet a pair with the end that stands on a port of it, by moving the other end."""
        a, b = int(self._recorded.a[row]), int(self._recorded.b[row])
        ports = (int(self._intended.a[point]), int(self._intended.b[point]))
        if a in ports:
            return Turn(row, "b", b, ports[0] if a == ports[1] else ports[1])
        return Turn(row, "a", a, ports[0] if b == ports[1] else ports[1])

    def _outwards(self, roots: list[int], seen: set[int]) -> list[Turn]:
        """Turn the lines not yet seen away from some points."""
        turns, stack = [], list(roots)
        while stack:
            point = stack.pop()
            for row in self._at[point]:
                if row not in seen:
                    seen.add(row)
                    beyond = self._other(row, point)
                    turns.append(self._towards(row, beyond))
                    stack.append(beyond)
        return turns

    def _best_root(self, pairs: list[int]) -> int:
        """The point of a tree to leave out: where the others are met with the least reach."""
        start = min(pairs)
        cost, stack = {start: 0}, [start]
        while stack:
            point = stack.pop()
            for row in self._at[point]:
                beyond = self._other(row, point)
                if beyond not in cost:
                    # With the root beyond this line, only this line is turned the other way.
                    here, there = self._towards(row, point), self._towards(row, beyond)
                    cost[beyond] = cost[point] + self._reach.cost(here) - self._reach.cost(there)
                    stack.append(beyond)
        return min(pairs, key=lambda point: (cost[point], point))

    def _cycle(self, pairs: list[int]) -> list[tuple[int, int]]:
        """The lines of the one cycle, each with the point it leads to when walked around."""
        degree = {point: len(self._at[point]) for point in pairs}
        leaves = [point for point in pairs if degree[point] == 1]
        pruned: set[int] = set()
        while leaves:
            for row in self._at[leaves.pop()]:
                if row in pruned:
                    continue
                pruned.add(row)
                for point in self._points[row]:
                    degree[point] -= 1
                    if degree[point] == 1:
                        leaves.append(point)
        row = next(row for row in self._lines if row not in pruned)
        point = self._points[row][1]
        walk: list[tuple[int, int]] = []
        while row not in pruned:
            pruned.add(row)
            walk.append((row, point))
            for beyond in self._at[point]:
                if beyond not in pruned:
                    row, point = beyond, self._other(beyond, point)
                    break
        return walk
