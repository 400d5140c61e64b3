"""The fewest cable ends to touch so that wrong cables meet unmet pairs.

Pairs are the points of a graph and wrong cables its lines: a cable joins the pairs of the two
ports it stands on, and can meet either by moving its other end.

    c1 ===== s1        pair 1 o---- cable on (c1, s2) ----o pair 2
    c2 ===== s2               \\--- cable on (c2, s1) ---/          two exchanged cables

A cable meets one pair and a pair takes one cable, so every line is turned towards one of its
points and no point is turned to twice. That can be done for all lines just when no connected part
has more lines than points, and lines may be taken greedily (a matroid): those left out are the
fewest, and of the greatest names.
"""

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from fabric_twin.core.audit.differences import Differences
from fabric_twin.core.audit.sets import DisjointSets
from fabric_twin.core.audit.turns import Reach, Turn, Turner
from fabric_twin.core.fabric.plant import IntendedPlant, Recorded


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


class _Parts:
    """Connected parts of the graph, none of them with more lines than points."""

    def __init__(self, points: list[int]) -> None:
        self._sets = DisjointSets(points)
        #: Parts with as many lines as points.
        self._full: set[int] = set()
        self.lines: list[int] = []

    def of(self, point: int) -> int:
        """The part that a point is in."""
        return self._sets.find(point)

    def take(self, row: int, points: tuple[int, ...]) -> bool:
        """Take a line, unless all parts it touches are full."""
        touched = {self.of(point) for point in points}
        room = touched - self._full
        if not room:
            return False
        self.lines.append(row)
        # A line within a part, or at a full one, uses up the last point.
        becomes_full = len(touched) == 1 or len(room) == 1
        self._full -= touched
        part = self._sets.join(*touched) if len(touched) == 2 else min(touched)
        if becomes_full:
            self._full.add(part)
        return True


def repairs(intended: IntendedPlant, recorded: Recorded, found: Differences) -> list[Repair]:
    """Part the differences into those that hang together, and mend each with the fewest ends."""
    points = _points(recorded, found)
    parts, together = _Parts(found.unmet), DisjointSets(found.unmet)
    surplus: list[int] = []
    for row in sorted(found.wrong, key=lambda row: recorded.cables[row]):
        if len(points[row]) == 2:
            together.join(*points[row])
        if not parts.take(row, points[row]):
            surplus.append(row)

    lines: dict[int, list[int]] = defaultdict(list)
    for row in parts.lines:
        lines[parts.of(points[row][0])].append(row)
    pairs: dict[int, list[int]] = defaultdict(list)
    for pair in found.unmet:
        pairs[parts.of(pair)].append(pair)
    mended: dict[int, Repair] = defaultdict(Repair)
    reach = Reach(intended)
    for part, members in pairs.items():
        turns, missing = Turner(intended, recorded, reach, points, lines[part]).turn(members)
        mended[together.find(part)].turns += turns
        mended[together.find(part)].missing += missing
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
