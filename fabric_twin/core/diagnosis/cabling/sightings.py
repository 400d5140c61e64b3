"""Whom cubes hear, against whom they should: which cables were moved, as far as light tells.

wanted   p1 -- circuit 1 -- q1        heard   p1 and q2
         p2 -- circuit 2 -- q2                p2 and q1

A sighting is of one circuit. Mostly one of the two is at home there, and the other was moved.
Circuits and sightings make chains and rings, and a ring has two explanations: p1 and p2 are
exchanged, or q1 and q2 are. Fixed circuits show no more; `explanations.py` finds all there are.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.audit.sets import DisjointSets
from fabric_twin.core.diagnosis.cabling.explanations import Circuit, Explanation, Moves, Sightings
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.light.earlier_looks import suspected
from fabric_twin.core.diagnosis.paths import Paths
from fabric_twin.core.diagnosis.recorded import expected as expected_at
from fabric_twin.core.fabric.columns import Column

#: So many strands of a cube that are heard as another's are no coincidence.
FEWEST_OF_A_CUBE = 4


@dataclass(frozen=True)
class Explained:
    """Sightings that hang together, and every smallest explanation; the likeliest comes first."""

    explanations: list[Explanation]
    #: Whether every combination of as many faults was tried.
    searched: bool
    #: Explanations of these circuits that do not explain what earlier looks saw over others.
    ruled_out: list[Explanation] = field(default_factory=list)

    @property
    def strands(self) -> set[int]:
        """All strands that might have been moved, by these circuits alone."""
        return {strand for one in (*self.explanations, *self.ruled_out) for strand in one.moves}

    @property
    def cleared(self) -> set[int]:
        """Those of them that earlier looks show to be right."""
        return self.strands - {strand for one in self.explanations for strand in one.moves}


def explain_sightings(
    case: Case, expected: Column, met: Column
) -> tuple[list[Explained], list[tuple[int, int]]]:
    """Explain sightings that are not as expected; last come those on no known circuit."""
    home = case.home
    every = np.arange(case.cubes_end)
    asked = case.is_open(every) & case.is_open(home)
    asked &= case.observed_switch[np.where(home >= 0, home, 0)]
    there = np.where(met >= 0, met, 0)
    audited = case.slots[case.cube_of]
    odd = (met >= 0) & (expected != met) & asked & asked[there] & (audited | audited[there])
    if not odd.any():
        return [], []
    found = _exchanged_cubes(case, np.flatnonzero(odd), expected, met)
    for exchanged in found:
        of_cubes = np.array(sorted(exchanged.strands))
        odd[of_cubes] = odd[met[of_cubes][met[of_cubes] >= 0]] = False
    near = np.flatnonzero(odd & (met > every))
    pairs = list(zip(near.tolist(), met[near].tolist(), strict=True))
    nowhere = []
    unlit, known = _unlit(case, met), suspected(case)
    for together in _at_one_switch(case, list(_parts(case, pairs))):
        explained, rest = _explain(case, together, unlit, known)
        found += explained
        nowhere += rest
    return found, nowhere


def _exchanged_cubes(
    case: Case, odd: NDArray[np.intp], expected: Column, met: Column
) -> list[Explained]:
    """Cubes that are in each other's ports, cable for cable: a hand exchanged two bundles.

    A ring of three would explain the same with fewer cables, on every index alike; but nobody
    makes the same three mistakes so many times.
    """
    per_cube, slots = case.layout.ports_per_cube, case.layout.slots
    told = odd[expected[odd] >= 0]
    seen = case.cube_of[expected[told]].astype(np.int64) * slots + case.cube_of[met[told]]
    alike = expected[told] % per_cube == met[told] % per_cube
    pairs, times = np.unique(seen[alike], return_counts=True)
    found: list[Explained] = []
    taken: set[int] = set()
    for pair in pairs[times >= FEWEST_OF_A_CUBE].tolist():
        one, other = sorted(divmod(pair, slots))
        if one == other or taken & {one, other}:
            continue
        end = case.home.copy()
        mine, theirs = (slice(cube * per_cube, (cube + 1) * per_cube) for cube in (one, other))
        end[mine], end[theirs] = case.home[theirs], case.home[mine]
        fits = expected_at(case, end)[odd] == met[odd]
        concerned = np.isin(case.cube_of[odd], (one, other)) | np.isin(
            case.cube_of[met[odd]], (one, other)
        )
        if fits[concerned].mean() > 0.5:
            taken |= {one, other}
            strands = np.arange(len(end))
            moves = {int(s): int(end[s]) for part in (mine, theirs) for s in strands[part]}
            found.append(Explained([Explanation(moves, {})], searched=False))
    return found


def _unlit(case: Case, met: Column) -> dict[int, list[Circuit]]:
    """By switch: circuits whose two strands do not hear each other, or are not there."""
    paths = Paths.of(case)
    lit = (paths.near >= 0) & (met[np.where(paths.near >= 0, paths.near, 0)] == paths.far)
    open_ = ~lit & case.is_open(paths.a) & case.is_open(paths.b)
    found: dict[int, list[Circuit]] = defaultdict(list)
    for a, b in zip(paths.a[open_].tolist(), paths.b[open_].tolist(), strict=True):
        found[_switch(case, a)].append((a, b))
    return found


def _switch(case: Case, port: int) -> int:
    return (port - case.cubes_end) // case.layout.ports_per_switch


def _parts(case: Case, pairs: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Sightings that share circuits, each after one that it shares one with."""
    sharing: dict[Circuit, list[int]] = defaultdict(list)
    circuits = [[ends for strand in pair if (ends := _circuit(case, strand))] for pair in pairs]
    for number, mine in enumerate(circuits):
        for ends in mine:
            sharing[ends].append(number)
    left = dict.fromkeys(range(len(pairs)))
    while left:
        part = [next(iter(left))]
        for number in part:
            left.pop(number, None)
            near = (other for ends in circuits[number] for other in sharing[ends])
            part += [other for other in dict.fromkeys(near) if other in left and other not in part]
        yield [pairs[number] for number in part]


def _at_one_switch(
    case: Case, parts: list[list[tuple[int, int]]]
) -> Iterator[list[list[tuple[int, int]]]]:
    """Parts whose strands belong to the same switches."""
    sets, first = DisjointSets(range(len(parts))), dict[int, int]()
    for number, part in enumerate(parts):
        for switch in _switches(case, part):
            sets.join(first.setdefault(switch, number), number)
    for together in sets.parted():
        yield [parts[number] for number in together]


def _switches(case: Case, pairs: list[tuple[int, int]]) -> list[int]:
    homes = (int(case.home[strand]) for pair in pairs for strand in pair)
    return sorted({_switch(case, home) for home in homes if home >= 0})


def _explain(
    case: Case,
    parts: list[list[tuple[int, int]]],
    unlit: Mapping[int, list[Circuit]],
    known: Sequence[frozenset[int]],
) -> tuple[list[Explained], list[tuple[int, int]]]:
    """The explanations of sightings, and those sightings that no circuit can be told for.

    All that is odd at a switch is looked at together, as long as so few faults make it; else each
    part by itself.
    """
    pairs = [pair for part in parts for pair in part]
    here = _sightings(case, pairs, unlit)
    if found := here.explain_exactly():
        of_light = [p for p in here.parted(found) if any(_is_heard(one) for one in p)]
        return [_explained(case, part, known, searched=True) for part in of_light], []
    explained, nowhere = [], []
    for part in parts:
        if found := _sightings(case, part, {}).explain_roughly():
            explained.append(_explained(case, found, known, searched=False))
        else:
            nowhere += part
    return explained, nowhere


def _is_heard(explanation: Explanation) -> bool:
    """Whether anybody is heard elsewhere; else it is a matter of dark paths."""
    return any(port >= 0 for port in explanation.moves.values())


def _explained(
    case: Case, found: list[Explanation], known: Sequence[frozenset[int]], *, searched: bool
) -> Explained:
    found = sorted(found, key=lambda one: _likely(case, one.moves))
    for cables in known:
        also = [one for one in found if _cables(case, one) <= cables]
        if also:
            return Explained(also, searched, [one for one in found if one not in also])
    return Explained(found, searched)


def _cables(case: Case, explanation: Explanation) -> set[int]:
    """The cables that it moves, by their first strands."""
    return {strand - strand % case.strands for strand in explanation.moves}


def _sightings(
    case: Case, pairs: list[tuple[int, int]], unlit: Mapping[int, list[Circuit]]
) -> Sightings:
    strands = [strand for pair in pairs for strand in pair]
    own = dict.fromkeys(ends for strand in strands if (ends := _circuit(case, strand)))
    others = [e for switch in _switches(case, pairs) for e in unlit.get(switch, ()) if e not in own]
    held = {
        port: strand
        for port in (port for ends in (*own, *others) for port in ends)
        if (strand := _holder(case, port)) >= 0
    }
    held |= {int(case.home[strand]): strand for strand in strands if case.home[strand] >= 0}
    silent = frozenset(strand for strand in held.values() if not case.observed_strand[strand])
    dark = [
        ends for ends in others if all(port in held and held[port] not in silent for port in ends)
    ]
    beside = [ends for ends in others if ends not in dark]
    home = {strand: port for port, strand in held.items()}
    return Sightings(pairs, list(own), dark, beside, home, held, silent)


def _circuit(case: Case, strand: int) -> Circuit | None:
    """The circuit of the port where a strand belongs."""
    home = int(case.home[strand])
    to = int(case.meets[home]) if home >= 0 else -1
    return (min(home, to), max(home, to)) if to >= 0 else None


def _holder(case: Case, port: int) -> int:
    """The strand that belongs in a port, of a cube that is there; or below 0."""
    strand = int(case.plant.mate[port])
    return strand if strand >= 0 and case.slots[case.cube_of[strand]] else -1


def _likely(case: Case, moves: Moves) -> tuple[int, int, int, list[int]]:
    """Fewer cables first, then fewer panels, then `+`: so neighbours get the same explanation."""
    layout = case.layout
    sign = sum(int(layout.sign[strand % layout.ports_per_cube]) for strand in moves)
    cables = {strand // case.strands for strand in moves}
    panels = {(int(case.home[s]) - case.cubes_end) // layout.radix for s in moves}
    return len(cables), len(panels), sign, sorted(moves)
