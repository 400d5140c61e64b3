"""Which cube stands where in a slice, so that the fewest joins change.

A slice is positions 0..n-1 and, per axis, a ring permutation: position p's `+` meets the `-` of
position ring[p]. A join is all sibling circuits of an axis between two cubes. Any free cube may
stand at any position; a join that is there already and is wanted need not be switched.

    there      7 -> 8 -> 9 -> 7           wanted    0 -> 1 -> 2 -> 3 -> 0
    choose     position 0 1 2 3           kept      7 -> 8 -> 9
               slot     7 8 9 4           changed   9 -> 7 goes; 9 -> 4 and 4 -> 7 come

Finding the best is a graph-matching problem without a quick exact way. So: grow a choice along the
joins that are there, from every free slot; then look through all choices, cutting off those that
cannot be better, for a bounded number of steps. Where the search ends by itself, or the choice
meets the bound below, it is the best there is and `lower_bound` equals `changed`; else it is a
good one, `lower_bound` says how good, and `exact` is false.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.slices.torus import backwards

#: Slots tried, times positions, before the search is given up: about a tenth of a second.
STEPS = 40_000

Joins = Mapping[int, int]


@dataclass(frozen=True)
class Placement:
    """A choice of cubes, and what it changes, counted in joins."""

    #: The slot at each position.
    slots: tuple[int, ...]
    changed: int
    lower_bound: int

    @property
    def exact(self) -> bool:
        """Whether no other choice changes fewer."""
        return self.changed == self.lower_bound


def place_cubes(
    rings: Sequence[Sequence[int]],
    free: Sequence[int],
    joined: Sequence[Joins],
    steps: int = STEPS,
) -> Placement:
    """Choose a free slot for every position so that the fewest joins come and go.

    `rings` holds a permutation of positions per axis; `joined`, per axis, the joins that go unless
    they are wanted: those of the slice's owner, who may keep the cubes by naming them free.
    """
    positions = len(rings[0]) if rings else 0
    slots = sorted(set(free))
    if positions > len(slots):
        raise NotPossible(
            f"the slice needs {positions} cubes and {len(slots)} are free",
            where="slots",
            remedy="Ask for a smaller slice, or release cubes",
        )
    # A choice keeps only joins between cubes it may use.
    usable = set(slots)
    within = [
        {slot: to for slot, to in joins.items() if slot in usable and to in usable}
        for joins in joined
    ]
    total = len(rings) * positions + sum(map(len, joined))
    most = sum(most_kept(ring, joins) for ring, joins in zip(rings, within, strict=True))
    search = _Search(rings, slots, within, most)
    search.grow_from_every_slot()
    if search.kept < most and search.look_through(steps):
        most = search.kept
    return Placement(
        slots=tuple(search.best), changed=total - 2 * search.kept, lower_bound=total - 2 * most
    )


def changed_by(
    rings: Sequence[Sequence[int]], slots: Sequence[int], joined: Sequence[Joins]
) -> int:
    """How many joins come and go when these slots stand at the places in this order.

    >>> changed_by([[1, 0]], [7, 8], [{7: 8, 8: 7, 9: 9}])
    1
    """
    kept = sum(
        joins.get(slots[place]) == slots[after]
        for ring, joins in zip(rings, joined, strict=True)
        for place, after in enumerate(ring)
    )
    return len(rings) * len(slots) + sum(map(len, joined)) - 2 * kept


def most_kept(ring: Sequence[int], joins: Joins) -> int:
    """More joins of one axis no choice can keep.

    A ring of L positions keeps all L of its joins only if L cubes stand in a ring already; else it
    lacks one, and so does a ring of cubes that no ring of positions of its length takes over.

    >>> most_kept([1, 2, 3, 0], {7: 8, 8: 9, 9: 7})
    2
    """
    wanted, there = Counter(_rings(dict(enumerate(ring)))), Counter(_rings(joins))
    whole = (wanted & there).total()
    return min(len(ring) - wanted.total(), len(joins) - there.total()) + whole


def _rings(following: Joins) -> list[int]:
    """How long the closed rings are; a row that does not close is none."""
    seen: set[int] = set()
    lengths = []
    for start in following:
        at, steps = start, 0
        while at in following and at not in seen:
            seen.add(at)
            at, steps = following[at], steps + 1
        if steps and at == start:
            lengths.append(steps)
    return lengths


class _Search:
    """The best choice so far, and two ways to a better one."""

    def __init__(
        self,
        rings: Sequence[Sequence[int]],
        slots: Sequence[int],
        joined: Sequence[Joins],
        most: int,
    ) -> None:
        self.slots, self.most = slots, most
        self.positions = len(rings[0]) if rings else 0
        # Both ways along each axis: (where the ring leads, where the joins lead).
        self.ways = [(list(ring), dict(joins)) for ring, joins in zip(rings, joined, strict=True)]
        self.both = self.ways + [
            (backwards(ring), {to: slot for slot, to in joins.items()}) for ring, joins in self.ways
        ]
        touched = {slot for joins in joined for join in joins.items() for slot in join}
        #: Slots without any join are all alike.
        self.blank = [slot for slot in slots if slot not in touched]
        self.held = [slot for slot in slots if slot in touched]
        self.best: list[int] = list(slots[: self.positions])
        self.kept = self.count(self.best)

    def count(self, choice: Sequence[int]) -> int:
        """How many joins a whole choice keeps."""
        return sum(
            joins.get(choice[position]) == choice[following]
            for ring, joins in self.ways
            for position, following in enumerate(ring)
        )

    def grow_from_every_slot(self) -> None:
        """Put each slot at position 0 in turn and follow the joins."""
        for seed in self.held:
            if self.kept == self.most:
                return
            choice = self.grown(seed)
            if (kept := self.count(choice)) > self.kept:
                self.best, self.kept = choice, kept

    def grown(self, seed: int) -> list[int]:
        """Give each position the slot that most of its neighbours' joins lead to.

        Where no join leads on, begin anew with a slot that has joins, so that blank ones, which
        keep nothing, come last.
        """
        choice = [-1] * self.positions
        left = dict.fromkeys(self.held + self.blank)
        votes: Counter[tuple[int, int]] = Counter()
        queue: list[tuple[int, int, int, int]] = []
        age = count()

        def put(position: int, slot: int) -> None:
            choice[position] = slot
            del left[slot]
            for ring, joins in self.both:
                pair = ring[position], joins.get(slot, -1)
                if choice[pair[0]] < 0 and pair[1] in left:
                    votes[pair] += 1
                    heappush(queue, (-votes[pair], next(age), *pair))

        put(0, seed)
        for position in range(self.positions):
            while queue:
                _, _, at, slot = heappop(queue)
                if choice[at] < 0 and slot in left:
                    put(at, slot)
            if choice[position] < 0:
                put(position, next(iter(left)))
        return choice

    def look_through(self, steps: int) -> bool:
        """Look through all choices; say whether that came to its end."""
        return _Branches(self, steps).descend(0, 0)

    def order(self) -> list[int]:
        """Positions such that each, where it can, follows a neighbour."""
        order: dict[int, None] = {}
        for start in range(self.positions):
            queue = [start]
            for position in queue:
                if position not in order:
                    order[position] = None
                    queue += [ring[position] for ring, _ in self.both]
        return list(order)


class _Branches:
    """Branch and bound over all choices, position by position, for a number of steps."""

    def __init__(self, search: _Search, steps: int) -> None:
        self.search, self.steps = search, steps
        self.order = search.order()
        self.choice = [-1] * search.positions
        self.taken: set[int] = set()

    def descend(self, depth: int, kept: int) -> bool:
        """Try every slot at the next position; false when the steps are used up."""
        search = self.search
        if depth == search.positions:
            if kept > search.kept:
                search.best, search.kept = self.choice.copy(), kept
            return True
        position = self.order[depth]
        for gain, slot in self.slots_by_gain(position):
            if search.kept == search.most:
                return True
            self.steps -= search.positions  # what one more step costs
            if self.steps < 0:
                return False
            self.choice[position] = slot
            self.taken.add(slot)
            hopeful = kept + gain + self.undecided() > search.kept
            ended = not hopeful or self.descend(depth + 1, kept + gain)
            self.taken.discard(slot)
            self.choice[position] = -1
            if not ended:
                return False
        return True

    def slots_by_gain(self, position: int) -> list[tuple[int, int]]:
        """The slots left, those that keep the most joins first; one blank slot stands for all."""
        search = self.search
        slots = [slot for slot in search.held if slot not in self.taken]
        slots += [slot for slot in search.blank if slot not in self.taken][:1]
        gains = [(self.gain(position, slot), slot) for slot in slots]
        return sorted(gains, key=lambda pair: (-pair[0], pair[1]))

    def gain(self, position: int, slot: int) -> int:
        """How many joins to placed neighbours a slot keeps at a position."""
        kept = 0
        for way, (ring, joins) in enumerate(self.search.both):
            at = ring[position]
            if at == position:  # a ring of one is the same both ways
                kept += way < len(self.search.ways) and joins.get(slot) == slot
            else:
                kept += self.choice[at] >= 0 and joins.get(slot) == self.choice[at]
        return kept

    def undecided(self) -> int:
        """How many joins may still be kept: one end is open, and the other leads to a slot left."""
        may = 0
        for ring, joins in self.search.ways:
            for position, following in enumerate(ring):
                slot = self.choice[position]
                if self.choice[following] < 0:
                    may += slot < 0 or (slot in joins and joins[slot] not in self.taken)
                else:
                    may += slot < 0
        return may
