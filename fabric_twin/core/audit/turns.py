"""Which end of each cable to move, where the wrong cables and unmet pairs of one part are given.

A cable is a line between the pairs it could meet; it is turned towards the one it will meet. No
pair is turned to twice. Of the ways to turn them, the one where a hand reaches both ports wins.
"""

from collections import defaultdict
from dataclasses import dataclass

from fabric_twin.core.fabric.plant import IntendedPlant, Recorded


@dataclass(frozen=True)
class Turn:
    """A cable that meets a pair by moving one end to a port."""

    row: int
    end: str
    #: The port the end stands on: below 0 where it is none of the design's.
    source: int
    target: int


class Reach:
    """How far a hand must reach from port to port: one device, one rack, along the switches."""

    def __init__(self, intended: IntendedPlant) -> None:
        self._device, self._unit = intended.fabric.device, intended.fabric.unit
        #: Where there are switches, the device decides.
        self._level = None if (self._unit == 0).any() else intended.fabric.level
        self._names = intended.names

    def cost(self, turn: Turn) -> int:
        """0 on one device, 1 in one rack, 2 between switches, 3 between racks."""
        source, target = turn.source, turn.target
        unit = int(self._unit[target])
        if source < 0:
            return 3 if unit else 2
        if self._device[source] == self._device[target]:
            return 0
        if self._unit[source] == unit:
            return 1 if unit else 2
        return 3

    def near(self, turn: Turn) -> int:
        """Less where far ends move: who looks at a static plant knows cables by near ends."""
        return 0 if self._level is None else -int(self._level[turn.target])

    def name(self, turn: Turn) -> str:
        """The device where the hand goes: less is better where costs are equal."""
        return self._names.device(int(self._device[turn.target]))


@dataclass(eq=False)
class Turner:
    """Turns the lines of one connected part towards its points."""

    intended: IntendedPlant
    recorded: Recorded
    reach: Reach
    points: dict[int, tuple[int, ...]]
    lines: list[int]

    def __post_init__(self) -> None:
        """Know the lines at each point."""
        self._at: dict[int, list[int]] = defaultdict(list)
        for row in self.lines:
            for point in self.points[row]:
                self._at[point].append(row)

    def turn(self, pairs: list[int]) -> tuple[list[Turn], list[int]]:
        """Turn every line; where pairs outnumber lines, one pair of the part is left."""
        if len(self.lines) < len(pairs):
            root = self._best_root(pairs)
            return self._outwards([root], set()), [root]
        half = next((row for row in self.lines if len(self.points[row]) == 1), None)
        if half is not None:
            (root,) = self.points[half]
            return [self._towards(half, root), *self._outwards([root], {half})], []
        cycle = self._cycle(pairs)
        ways = [
            [self._towards(row, point) for row, point in cycle],
            [self._towards(row, self._other(row, point)) for row, point in cycle],
        ]
        reach = self.reach
        best = min(
            ways,
            key=lambda way: (
                *(sum(map(reach.cost, way)), sum(map(reach.near, way))),
                min(map(reach.name, way)),
            ),
        )
        on_cycle = {row for row, _ in cycle}
        return best + self._outwards([point for _, point in cycle], on_cycle), []

    def _other(self, row: int, point: int) -> int:
        first, second = self.points[row]
        return second if point == first else first

    def _towards(self, row: int, point: int) -> Turn:
        """Meet a pair with the end that stands on a port of it, by moving the other end."""
        a, b = int(self.recorded.a[row]), int(self.recorded.b[row])
        ports = (int(self.intended.a[point]), int(self.intended.b[point]))
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
                    cost[beyond] = cost[point] + self.reach.cost(here) - self.reach.cost(there)
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
                for point in self.points[row]:
                    degree[point] -= 1
                    if degree[point] == 1:
                        leaves.append(point)
        row = next(row for row in self.lines if row not in pruned)
        point = self.points[row][1]
        walk: list[tuple[int, int]] = []
        while row not in pruned:
            pruned.add(row)
            walk.append((row, point))
            for beyond in self._at[point]:
                if beyond not in pruned:
                    row, point = beyond, self._other(beyond, point)
                    break
        return walk
