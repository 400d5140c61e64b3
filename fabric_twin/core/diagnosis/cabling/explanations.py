"""Every explanation of who hears whom that needs the fewest faults, and that can be.

A fault is of one hand: two plugs exchanged, a plug in another port, a cable that is out or broken.
An explanation says of each cable that is not as it should be in which port its plug is, or that it
gives no light, wherever it is. A port holds one plug, a plug is in one place, and what is heard and
what is not has a cause:

    each sighting is on a circuit of its own, the two plugs in its two ports
    a plug whose port another one has is elsewhere: it is heard there, or gives no light
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from math import prod

from fabric_twin.core.audit.sets import DisjointSets
from fabric_twin.core.fabric.columns import NOT_KNOWN

#: Strands that are not as they should be: the port where each is heard, or NOT_KNOWN for one that
#: gives no light.
Moves = dict[int, int]
Circuit = tuple[int, int]
#: So many faults are tried in every combination; of more, one of two that hear each other is home.
ALL_OF = 2
#: Explanations that are looked at: no one hand makes more of them.
MOST = 64


@dataclass(frozen=True)
class Explanation:
    """What would make it so."""

    moves: Moves
    #: Of those that give no light: where they are if two or more were exchanged, most likely.
    guessed: Moves

    @property
    def places(self) -> Moves:
        """Where each strand is, most likely."""
        return self.moves | self.guessed


@dataclass(frozen=True)
class Sightings:
    """Who hears whom where he should not, and the circuits that it may be over."""

    #: Strands that hear each other; each shares a circuit with one before it, where any does.
    pairs: Sequence[tuple[int, int]]
    #: Circuits that belong to these strands.
    circuits: Sequence[Circuit]
    #: Circuits of others that let no light through, though both cables are there: that has a cause.
    dark: Sequence[Circuit]
    #: Circuits without a cable at an end: somebody may be on them.
    beside: Sequence[Circuit]
    #: By strand: its port.
    home: Mapping[int, int]
    #: By port: the strand that belongs there.
    holder: Mapping[int, int]
    #: Strands that nobody can ask whether they hear anybody.
    silent: frozenset[int] = frozenset()

    def explain_exactly(self) -> list[Explanation]:
        """All of fewest faults, where every combination of so many can be tried; or none."""
        # Whatever is odd takes one strand at least, and a fault moves two at most.
        odd = len(self.pairs) + len(self.dark)
        for faults in range((odd + 1) // 2, ALL_OF + 1):
            every = self._heard(faults, {}, set(), every=True)
            found = [whole for heard in every for whole in self._whole(heard)]
            found = [one for one in found if self.faults(one) <= faults]
            if found:
                return found
        return []

    def explain_roughly(self) -> list[Explanation]:
        """Those of fewest faults in which one of each two that hear each other is at home."""
        some = islice(self._heard(len(self.home), {}, set(), every=False), MOST)
        found = [whole for heard in some for whole in self._whole(heard)]
        least = min(map(self.faults, found), default=0)
        return [one for one in found if self.faults(one) == least]

    def _heard(
        self, faults: int, at: dict[int, int], taken: set[Circuit], *, every: bool
    ) -> Iterator[dict[int, int]]:
        """Put each sighting on a circuit: the strands that are heard, and the ports they are in."""
        number = len(at) // 2
        if number == len(self.pairs):
            yield at
            return
        one, other = self.pairs[number]
        all_of_them = (*self.circuits, *self.dark, *self.beside)
        for circuit in all_of_them if every else self._circuits_of(one, other):
            if circuit in taken:
                continue
            for near, far in ((one, other), (other, one)):
                put = at | {near: circuit[0], far: circuit[1]}
                moved = sum(self.home.get(strand) != port for strand, port in put.items())
                home = circuit[0] == self.home.get(near) or circuit[1] == self.home.get(far)
                # One hand moves two plugs at most, and each sighting is of one that was moved.
                if moved + len(self.pairs) - number - 1 <= 2 * faults and (every or home):
                    yield from self._heard(faults, put, taken | {circuit}, every=every)

    def _circuits_of(self, *strands: int) -> list[Circuit]:
        homes = {self.home.get(strand) for strand in strands}
        return [circuit for circuit in self.circuits if homes & {*circuit}]

    def _whole(self, heard: Mapping[int, int]) -> Iterator[Explanation]:
        """With those that give no light: another plug is in their port, or a circuit is dark."""
        moves = {strand: port for strand, port in heard.items() if self.home.get(strand) != port}
        for port in list(moves.values()):
            strand = self.holder.get(port, -1)
            if strand >= 0 and strand not in heard:
                moves[strand] = NOT_KNOWN
        ways = [moves]
        for circuit in self.dark:
            pair = [self.holder[port] for port in circuit]
            if not any(strand in moves for strand in pair):
                ways = [way | {strand: NOT_KNOWN} for way in ways for strand in pair]
        for way in ways:
            yield Explanation(way, self._guessed(way, heard))
            # Two were exchanged, and who would hear the one that nobody hears is dark itself.
            for chain in self._chains(way):
                across = self._across(chain[0])
                if way[chain[-1]] == NOT_KNOWN and across >= 0 and len(chain) > 1:
                    more = way | {across: way.get(across, NOT_KNOWN)}
                    if more != way and across not in heard and across not in self.silent:
                        yield Explanation(more, self._guessed(more, heard))

    def _guessed(self, moves: Moves, heard: Mapping[int, int]) -> Moves:
        """The port that the first of a chain has left, for the last of it: they were exchanged."""
        ends = ((chain[0], chain[-1]) for chain in self._chains(moves))
        return {
            last: self.home[first]
            for first, last in ends
            if first != last
            and moves[last] == NOT_KNOWN
            and (last in self.silent or self._is_quiet(first, moves, heard))
        }

    def faults(self, explanation: Explanation) -> int:
        """The fewest hands that make it so."""
        moves, holder = explanation.places, self.holder
        return sum(
            len(chain) - (holder.get(moves[chain[-1]], -1) == chain[0])
            for chain in self._chains(moves)
        )

    def parted(self, explanations: Sequence[Explanation]) -> list[list[Explanation]]:
        """The same as parts of which any of one goes with any of another."""
        strands = sorted({strand for one in explanations for strand in one.moves})
        sets = DisjointSets(strands)
        for chain in (chain for one in explanations for chain in self._chains(one.moves)):
            for strand in chain:
                sets.join(chain[0], strand)
        for one, other in combinations(strands, 2):
            both = {(each.moves.get(one), each.moves.get(other)) for each in explanations}
            if len(both) < len({a for a, _ in both}) * len({b for _, b in both}):
                sets.join(one, other)
        parts = [_of(explanations, set(members)) for members in sets.parted()]
        alone = prod(map(len, parts)) == len(explanations)
        return parts if alone else [list(explanations)]

    def _chains(self, moves: Moves) -> Iterator[list[int]]:
        """Strands of which each is in the port of the next."""
        inside, left = set(moves.values()), dict.fromkeys(moves)
        first = [strand for strand in moves if self.home.get(strand) not in inside]
        for begin in (*first, *moves):
            chain, strand = [], begin
            while strand in left:
                del left[strand]
                chain.append(strand)
                strand = self.holder.get(moves[strand], -1)
            if chain:
                yield chain

    def _is_quiet(self, strand: int, moves: Moves, heard: Mapping[int, int]) -> bool:
        """Whether who is in the port that a strand has left would hear nobody, nor be heard."""
        across = self._joined.get(self.home[strand], -1)
        who = self.holder.get(across, -1)
        return across not in heard.values() and (who < 0 or who in moves or who in self.silent)

    def _across(self, strand: int) -> int:
        """Who belongs at the other end of the circuit of a strand's port; below 0 is nobody."""
        return self.holder.get(self._joined.get(self.home[strand], -1), -1)

    @cached_property
    def _joined(self) -> dict[int, int]:
        """By port: the other one of its circuit."""
        every = (*self.circuits, *self.dark, *self.beside)
        return {port: sum(ends) - port for ends in every for port in ends}


def _of(explanations: Sequence[Explanation], strands: set[int]) -> list[Explanation]:
    """What explanations say of some strands, each once."""
    found: list[Explanation] = []
    for one in explanations:
        moves = {strand: port for strand, port in one.moves.items() if strand in strands}
        if all(moves != each.moves for each in found):
            found.append(
                Explanation(moves, {s: port for s, port in one.guessed.items() if s in strands})
            )
    return found
