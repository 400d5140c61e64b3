"""What is said and done where light leaves several explanations, or does not show a cable."""

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod

from fabric_twin.core.audit.remedy import Move, Step, Unplug
from fabric_twin.core.diagnosis.cabling.explanations import Explanation
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.recorded import expected
from fabric_twin.core.diagnosis.steps import Reseat
from fabric_twin.core.fabric.plant import End

#: So many explanations of one finding are told.
MOST = 12


def joint(parts: Iterable[Sequence[Explanation]]) -> list[Explanation]:
    """The explanations of what several parts make together, the likeliest first.

    Where they are very many, parts that were moved together have the same explanation each.
    """
    parts = list(parts)
    if prod(map(len, parts)) <= MOST:
        return [_joined(each) for each in product(*parts)]
    each_of = max(map(len, parts))
    return [
        _joined([part[min(number, len(part) - 1)] for part in parts])
        for number in range(min(each_of, MOST))
    ]


def _joined(parts: Sequence[Explanation]) -> Explanation:
    moves = {strand: port for one in parts for strand, port in one.moves.items()}
    guessed = {strand: port for one in parts for strand, port in one.guessed.items()}
    return Explanation(moves, guessed)


def told(case: Case, explanation: Explanation) -> str:
    """An explanation in words, strand by strand."""
    said = []
    for strand, port in sorted(explanation.moves.items()):
        name = _called(case, strand)
        where = f"is in {' port '.join(case.mirror(port))}" if port >= 0 else "gives no light"
        said.append(f"{name} {where}")
    return " and ".join(said)


def _called(case: Case, strand: int) -> str:
    name = case.cable(strand)
    return f"{name}:{strand % case.strands + 1}" if case.strands > 1 else name


def apart(case: Case, explanations: Sequence[Explanation]) -> list[str]:
    """Ports whose label tells explanations apart, and what may be in each."""
    ports = sorted({port for one in explanations for port in one.places.values() if port >= 0})
    ports = sorted({*ports, *(int(case.home[s]) for one in explanations for s in one.moves)} - {-1})
    inside = {port: [_inside(case, one, port) for one in explanations] for port in ports}
    groups, said = [tuple(range(len(explanations)))], []
    while any(len(group) > 1 for group in groups):
        best = max(ports, key=lambda port: len(_split(groups, inside[port])))
        finer = _split(groups, inside[best])
        if len(finer) == len(groups):
            break
        groups = finer
        names = dict.fromkeys(inside[best])
        said.append(f"{' port '.join(case.mirror(best))} holds {' or '.join(names)}")
    return said


def _inside(case: Case, explanation: Explanation, port: int) -> str:
    """What is in a port."""
    there = [strand for strand, at in explanation.places.items() if at == port]
    home = int(case.plant.mate[port])
    if not there and home >= 0 and home not in explanation.moves:
        there = [home]
    return _called(case, there[0]) if there else "another cable, or none"


def _split(groups: Sequence[tuple[int, ...]], names: Sequence[str]) -> list[tuple[int, ...]]:
    """Groups of explanations that have the same in a port."""
    return [
        tuple(number for number in group if names[number] == name)
        for group in groups
        for name in dict.fromkeys(names[number] for number in group)
    ]


def all_home(case: Case, explanations: Sequence[Explanation], strands: Sequence[int]) -> list[Step]:
    """Put every cable that might be wrong where it belongs: one that is there already stays so.

    That is more ends than were misplaced, and right whichever they were. Where the two strands of
    one cable may be exchanged, taking it out and putting it back as it is marked mends it.
    """
    firsts = sorted({strand - strand % case.strands for strand in strands})
    crossed = _may_be_crossed(case, strands)
    moved = [first for first in firsts if first not in crossed]
    steps: list[Step] = []
    for first in moved:
        at = dict.fromkeys(
            place
            for strand in range(first, first + case.strands)
            for one in explanations
            if (place := _place(case, one, strand))
        )
        lost = any(one.moves.get(first, 0) < 0 for one in explanations)
        likely, *others = at or [("", "")]
        steps.append(Unplug(case.cable(first), "b", likely, tuple(others), lost))
    steps += [Move(case.cable(first), "b", case.plug(int(case.home[first]))) for first in moved]
    steps += [Reseat(*case.plug(int(case.home[first]))) for first in firsts if first in crossed]
    return steps


def _place(case: Case, explanation: Explanation, strand: int) -> End | None:
    """Where a strand is by an explanation, if it says so."""
    port = explanation.places.get(strand, int(case.home[strand]))
    return case.plug(port) if port >= 0 else None


def _may_be_crossed(case: Case, strands: Sequence[int]) -> set[int]:
    """First strands of cables whose far ends hear the right cube port by the wrong strand."""
    if case.strands == 1:
        return set()
    wanted = expected(case, case.home)
    crossed = set()
    for strand in strands:
        heard = int(case.heard[strand])
        if heard >= 0 and heard != wanted[strand] and heard // 2 == wanted[strand] // 2:
            crossed.add(strand - strand % 2)
    return crossed
