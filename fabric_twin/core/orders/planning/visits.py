"""Tasks become visits: what is done at one rack is done in one go, as far as it can be.

    task   steps at one rack that belong together: an end of a bundle, one plug
    visit  the tasks of one crew at one rack, before it walks on

A task may have to wait for others: a port must be empty before something is plugged in.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush

from fabric_twin.core.audit.sets import DisjointSets
from fabric_twin.core.orders.floor import Floor, Spot
from fabric_twin.core.orders.steps import Do, End, Step


@dataclass(eq=False)
class Task:
    """Steps that one crew does at one rack, one after the other."""

    #: Empty for what the fabric does, which has no place.
    rack: str
    steps: list[Step]
    #: Tasks, by their places in the list, that must be done before.
    after: list[int] = field(default_factory=list)
    #: What is done first: the lower, the sooner.
    rank: int = 0


@dataclass(eq=False)
class Visit:
    """What a crew does at a rack."""

    crew: int
    rack: str
    tasks: list[int] = field(default_factory=list)


def soonest(
    tasks: Sequence[Task],
    floor: Floor,
    crew: int,
    mine: Iterable[int],
    start: Spot | None = None,
    *,
    by_rank: bool = True,
) -> list[Visit]:
    """Walk to the most urgent work that can be done, and do all that can be done there.

    Of equally urgent racks those come first that need no second visit, then the nearest; without
    `by_rank` all are equally urgent. The walk begins at the door, or where `start` says.
    """
    left = dict.fromkeys(sorted(mine, key=lambda number: (tasks[number].rank, number)))
    done = set(range(len(tasks))) - left.keys()
    visits: list[Visit] = []
    spot = start or floor.door
    while left:
        racks: dict[str, tuple[int, bool]] = {}
        for number in left:
            if tasks[number].rack and done.issuperset(tasks[number].after):
                rank = tasks[number].rank if by_rank else 0
                racks.setdefault(tasks[number].rack, (rank, False))
        at_rack: dict[str, list[int]] = defaultdict(list)
        for number in left:
            at_rack[tasks[number].rack].append(number)
        for rack, (rank, _) in racks.items():
            reached = set(_doable(tasks, at_rack[rack] + at_rack.get("", []), done))
            racks[rack] = rank, not reached.issuperset(at_rack[rack])
        # A rack to which the crew must come back comes last, when all other ports are empty.
        been = {visit.rack for visit in visits}
        metres = {rack: floor.walk_m(spot, floor.spot(rack)) for rack in racks}
        rack = min((*racks[rack], rack in been, metres[rack], rack) for rack in racks)[-1]
        here = [n for n in left if tasks[n].rack in (rack, "")]
        visit = Visit(crew, rack, _doable(tasks, here, done))
        done.update(visit.tasks)
        for number in visit.tasks:
            del left[number]
        visits.append(visit)
        spot = floor.spot(rack)
    return visits


def _doable(tasks: Sequence[Task], here: Sequence[int], done: set[int]) -> list[int]:
    """Tasks that can be done now or become doable by what is done here, in order."""
    place = {number: at for at, number in enumerate(here)}
    freed: dict[int, list[int]] = defaultdict(list)
    waits: dict[int, int] = {}
    ready: list[int] = []  # by their place in `here`; in order, and so a heap
    for number in here:
        before = {other for other in tasks[number].after if other not in done}
        if not before:
            ready.append(place[number])
        elif before <= place.keys():
            waits[number] = len(before)
            for other in before:
                freed[other].append(number)
    found: list[int] = []
    while ready:
        number = here[heappop(ready)]
        found.append(number)
        for other in freed[number]:
            waits[other] -= 1
            if not waits[other]:
                heappush(ready, place[other])
    return found


def parted(tasks: Sequence[Task], crews: int) -> list[list[int]]:
    """Part tasks among crews so that no rack and no waiting is shared, the work about even."""
    groups = DisjointSets(range(len(tasks)))
    first_at: dict[str, int] = {}
    for number, task in enumerate(tasks):
        near = [first_at.setdefault(task.rack, number)] if task.rack else []
        for other in (*near, *task.after):
            groups.join(number, other)
    shares: list[list[int]] = [[] for _ in range(crews)]
    by_work = sorted(groups.parted(), key=lambda group: (-len(group), group))
    for group in by_work:
        min(shares, key=len).extend(group)
    return [sorted(share) for share in shares]


def written(tasks: Sequence[Task], visits: Sequence[Visit], floor: Floor) -> tuple[Step, ...]:
    """Visits as numbered steps; a wait for another rack, or another crew, is written down."""
    steps: list[Step] = []
    spot = {visit.crew: floor.door for visit in visits}
    home = {number: at for at, visit in enumerate(visits) for number in visit.tasks}
    last: dict[int, int] = {}
    for at, visit in enumerate(visits):
        there = floor.spot(visit.rack)
        metres = round(floor.walk_m(spot[visit.crew], there), 1)
        spot[visit.crew] = there
        first = len(steps) + 1
        steps.append(Step(number=first, do=Do.GO, rack=visit.rack, crew=visit.crew, metres=metres))
        rows = [(number, step) for number in visit.tasks for step in tasks[number].steps]
        kept = _tidy([step for _, step in rows])
        begun: set[int] = set()
        for (number, step), keep in zip(rows, kept, strict=True):
            if not keep:
                continue
            waits: tuple[int, ...] = ()
            if number not in begun:
                elsewhere = [n for n in tasks[number].after if home[n] != at]
                waits = tuple(sorted({last[n] for n in elsewhere}))
            begun.add(number)
            steps.append(
                replace(
                    step,
                    number=len(steps) + 1,
                    rack=visit.rack,
                    crew=visit.crew,
                    after=waits,
                    unit=floor.unit_of.get(step.device, 0),
                )
            )
            last[number] = len(steps)
    return tuple(steps)


def _tidy(steps: Sequence[Step]) -> list[bool]:
    """What is worth doing in one visit: a port is blocked once, and not capped to be uncapped."""
    first: dict[End, int] = {}
    last: dict[End, int] = {}
    plugged: dict[End, int] = {}
    for at, step in enumerate(steps):
        if step.do == Do.BLOCK:
            first.setdefault(step.at, at)
        elif step.do == Do.RELEASE:
            last[step.at] = at
        elif step.do == Do.PLUG:
            plugged[step.at] = at
    keep = []
    for at, step in enumerate(steps):
        once = {Do.BLOCK: first, Do.RELEASE: last}.get(step.do)
        if once is not None:
            keep.append(once[step.at] == at)
        else:
            keep.append(not (step.do == Do.CAP and plugged.get(step.at, -1) > at))
    return keep
