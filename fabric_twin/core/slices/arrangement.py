"""Which cube stands where in a slice, so that every join can bear what its two cubes lost.

    A lost x-1-1 at X+, B lost x-2-2 at X-       A -> B   lacks two switches
    C is whole                                   A -> C -> B -> A   lacks one at most, at each join

Cubes that lost the same are alike, so a search tries one of each kind at a place. With one switch
out all cubes are of one kind, and any order does.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from fabric_twin.core.slices.lost_links import Carried, Faces, Lost, many
from fabric_twin.core.slices.torus import backwards

#: Kinds tried at places before the search is given up: about a fifth of a second.
STEPS = 200_000
#: The same where one shape after the other is tried, for a refusal to name what fits.
STEPS_A_SHAPE = 2_000
Rings = Sequence[Sequence[int]]


def is_borne(
    rings: Rings, slots: Sequence[int], lost: Mapping[int, Faces], carried: Carried, most: int
) -> bool:
    """Whether every join of cubes in this order lacks at most so many switches, and keeps a link.

    `rings` has, for each axis, the place that follows each place (`torus.rings_of`).
    """
    whole = (0,) * (2 * len(rings))
    faces = [lost.get(slot, whole) for slot in slots]
    return all(
        carried.bears(axis, faces[place][2 * axis] | faces[after][2 * axis + 1], most)
        for axis, ring in enumerate(rings)
        for place, after in enumerate(ring)
    )


def arrange(
    rings: Rings,
    cubes: Sequence[int],
    lost: Mapping[int, Faces],
    carried: Carried,
    most: int,
    steps: int = STEPS,
) -> tuple[int, ...] | None:
    """Choose a cube for every place, or none where no order was found.

    `cubes` has the best first: these are taken, unless only with others an order is found.
    """
    need = len(rings[0])
    best, others = sorted(cubes[:need]), cubes[need:]
    if len(best) < need:
        return None
    if is_borne(rings, best, lost, carried, most):
        return tuple(best)
    search = _Search(rings, lost, carried, most, steps)
    # All of the best have a place: those hardest to join choose first. With others to choose from,
    # those that lost least come first.
    found = search.order(best, hardest_first=True)
    if found is None and others:
        found = search.order(cubes, hardest_first=False)
    return found


class _Search:
    """Places filled one after the other, taken back where nothing fits."""

    def __init__(
        self, rings: Rings, lost: Mapping[int, Faces], carried: Carried, most: int, steps: int
    ) -> None:
        self.rings, self.lost, self.steps = rings, lost, steps
        self.before = [backwards(ring) for ring in rings]
        self.whole: Faces = (0,) * (2 * len(rings))
        self.placed: list[Faces] = []

        @cache
        def bears(axis: int, lacks: Lost) -> bool:
            return carried.bears(axis, lacks, most)

        self.bears = bears

    def order(self, cubes: Sequence[int], *, hardest_first: bool) -> tuple[int, ...] | None:
        """The slots in the order of places, or none."""
        of = {slot: self.lost.get(slot, self.whole) for slot in cubes}
        left = Counter(of.values())
        kinds = sorted(left, key=lambda faces: (many(faces), faces), reverse=hardest_first)
        if not self._fill(kinds, left):
            return None
        slots = {kind: iter(sorted(s for s in of if of[s] == kind)) for kind in kinds}
        return tuple(next(slots[kind]) for kind in self.placed)

    def _fill(self, kinds: Sequence[Faces], left: Counter[Faces]) -> bool:
        self.placed = []
        tries: list[Iterator[Faces]] = [iter(kinds)]
        need = len(self.rings[0])
        for _ in range(self.steps):
            if len(self.placed) == need:
                return True
            kind = next(tries[-1], None)
            if kind is None:
                tries.pop()
                if not tries:
                    return False
                left[self.placed.pop()] += 1
            elif left[kind] and self._fits(kind):
                left[kind] -= 1
                self.placed.append(kind)
                tries.append(iter(kinds))
        return False

    def _fits(self, kind: Faces) -> bool:
        """Whether the next place can have a cube of this kind, given the places before it."""
        place = len(self.placed)
        for axis, (ring, before) in enumerate(zip(self.rings, self.before, strict=True)):
            plus, minus = kind[2 * axis], kind[2 * axis + 1]
            after, back = ring[place], before[place]
            if after == place:
                if not self.bears(axis, plus | minus):
                    return False
                continue
            if after < place and not self.bears(axis, plus | self.placed[after][2 * axis + 1]):
                return False
            if back < place and not self.bears(axis, self.placed[back][2 * axis] | minus):
                return False
        return True
