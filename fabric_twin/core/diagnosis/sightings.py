"""Whom cubes hear, against whom they should: which cables were moved, as far as light tells.

wanted   p1 -- circuit 1 -- q1        heard   p1 and q2
         p2 -- circuit 2 -- q2                p2 and q1

A sighting is of one circuit. It is on the circuit where one of the two is at home, and then the
other was moved there; or the other way round. Circuits and sightings make chains and rings, and a
ring has two explanations: p1 and p2 are exchanged, or q1 and q2 are. Fixed circuits show no more.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.audit.sets import DisjointSets
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.recorded import expected as expected_at
from fabric_twin.core.pods.layout import NOT_KNOWN
from fabric_twin.core.rule import Column

#: So many strands of a cube that are heard as another's are no coincidence.
FEWEST_OF_A_CUBE = 4
#: Strands that were moved: where each is now, NOT_KNOWN where only its own place is known to be
#: another's.
Moves = dict[int, int]


@dataclass(frozen=True)
class Mystery:
    """Sightings that hang together, and every smallest explanation; the likeliest comes first."""

    explanations: list[Moves]

    @property
    def strands(self) -> set[int]:
        """All strands that might have been moved."""
        return {strand for moves in self.explanations for strand in moves}


def mysteries(
    case: Case, expected: Column, met: Column
) -> tuple[list[Mystery], list[tuple[int, int]]]:
    """Explain sightings that are not as expected; last come those on no circuit that is told of."""
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
    for mystery in found:
        of_cubes = np.array(sorted(mystery.strands))
        odd[of_cubes] = odd[met[of_cubes][met[of_cubes] >= 0]] = False
    near = np.flatnonzero(odd & (met > every))
    pairs = list(zip(near.tolist(), met[near].tolist(), strict=True))
    circuit = _circuits(case)
    nowhere = [pair for pair in pairs if circuit[pair[0]] < 0 and circuit[pair[1]] < 0]
    told = [pair for pair in pairs if pair not in set(nowhere)]
    found += [_explain(case, part, circuit) for part in _parts(told, circuit)]
    return found, nowhere


def _exchanged_cubes(
    case: Case, odd: NDArray[np.intp], expected: Column, met: Column
) -> list[Mystery]:
    """Cubes that stand in each other's place, cable for cable: a hand exchanged two bundles.

    A ring of three would explain the same with fewer cables, on every index alike; but nobody
    makes the same three mistakes so many times.
    """
    per_cube, slots = case.layout.ports_per_cube, case.layout.slots
    told = odd[expected[odd] >= 0]
    seen = case.cube_of[expected[told]].astype(np.int64) * slots + case.cube_of[met[told]]
    alike = expected[told] % per_cube == met[told] % per_cube
    pairs, times = np.unique(seen[alike], return_counts=True)
    found: list[Mystery] = []
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
            found.append(Mystery([moves]))
    return found


def _circuits(case: Case) -> Column:
    """By strand: the circuit that its home port is in, called by its lesser port; or -1."""
    home = np.where(case.home >= 0, case.home, 0)
    to = case.meets[home]
    return np.where((case.home >= 0) & (to >= 0), np.minimum(home, to), -1)


def _parts(pairs: list[tuple[int, int]], circuit: Column) -> Iterator[list[tuple[int, int]]]:
    """Sightings that share circuits."""
    sets, first = DisjointSets(range(len(pairs))), dict[int, int]()
    for number, pair in enumerate(pairs):
        for strand in pair:
            if circuit[strand] >= 0:
                sets.join(first.setdefault(int(circuit[strand]), number), number)
    for part in sets.parted():
        yield [pairs[number] for number in part]


def _explain(case: Case, pairs: list[tuple[int, int]], circuit: Column) -> Mystery:
    """Every way to put each sighting on a circuit of its own."""
    choices = [
        sorted({int(circuit[strand]) for strand in pair if circuit[strand] >= 0}) for pair in pairs
    ]
    places = sorted({place for options in choices for place in options})
    at: dict[int, list[int]] = defaultdict(list)
    for number, options in enumerate(choices):
        for place in options:
            at[place].append(number)
    ways: list[dict[int, int]] = []
    loops = [number for number, options in enumerate(choices) if len(options) == 1]
    if loops:
        ways.append(_oriented(choices, at, loops[0], choices[loops[0]][0]))
    elif len(places) == len(pairs):
        ways = [_oriented(choices, at, 0, place) for place in choices[0]]
    else:
        ways = [_away_from(choices, at, root) for root in places]
    moved = [_moves(case, pairs, way, circuit) for way in ways]
    return Mystery(sorted(moved, key=lambda moves: _likely(case, moves)))


def _oriented(
    choices: list[list[int]], at: dict[int, list[int]], first: int, place: int
) -> dict[int, int]:
    """Begin with one sighting on one circuit; what wants the same circuit goes to its other."""
    way = {first: place}
    stack = [first]
    while stack:
        number = stack.pop()
        for other in at[way[number]]:
            if other not in way:
                rest = [option for option in choices[other] if option != way[number]]
                way[other] = rest[0] if rest else way[number]
                stack.append(other)
        for option in choices[number]:
            for other in at[option]:
                if other not in way and option not in way.values():
                    way[other] = option
                    stack.append(other)
    return way


def _away_from(choices: list[list[int]], at: dict[int, list[int]], root: int) -> dict[int, int]:
    """In a chain one circuit is left without light: all sightings are away from it."""
    way: dict[int, int] = {}
    stack = [root]
    while stack:
        place = stack.pop()
        for number in at[place]:
            if number not in way:
                rest = [option for option in choices[number] if option != place]
                way[number] = rest[0] if rest else place
                stack.append(way[number])
    return way


def _moves(case: Case, pairs: list[tuple[int, int]], way: dict[int, int], circuit: Column) -> Moves:
    moves: Moves = {}
    for number, place in sorted(way.items()):
        one, other = pairs[number]
        stays, moved = (one, other) if circuit[one] == place else (other, one)
        moves[moved] = int(case.meets[case.home[stays]])
    for port in list(moves.values()):
        displaced = int(case.plant.mate[port])
        if displaced >= 0 and displaced not in moves:
            moves[displaced] = NOT_KNOWN
    return moves


def _likely(case: Case, moves: Moves) -> tuple[int, int, int, list[int]]:
    """Fewer cables first, then fewer panels, then `+`: so neighbours get the same explanation."""
    layout = case.layout
    sign = sum(int(layout.sign[strand % layout.ports_per_cube]) for strand in moves)
    cables = {strand // case.strands for strand in moves}
    panels = {(int(case.home[s]) - case.cubes_end) // layout.radix for s in moves}
    return len(cables), len(panels), sign, sorted(moves)
