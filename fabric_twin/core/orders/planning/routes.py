"""In which order a crew mends findings: from the shortest walk to the most urgent first.

    shortest-walk     the nearest rack next; each rack once
    racks-once        the rack with the most urgent work next; each rack once
    two-rounds        the urgent half of the findings in one round, then the rest
    four-rounds       the most urgent quarter, then the next, ...
    urgent-first      one finding after the other

Urgent is what weighs most for the time that it takes: an error weighs three times a warning [A],
and of two errors the shorter job comes first, so that fewer findings wait for it (Smith's rule). A
finding that waits for a port which another one empties comes after that one.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import pairwise

from fabric_twin.core.orders.measure import SECONDS
from fabric_twin.core.orders.planning.visits import Task

#: What a finding weighs in the mean time to mend, by its severity [A].
WEIGHTS: Mapping[str, float] = {"error": 3.0, "warning": 1.0}


class Route(StrEnum):
    """How a crew goes to what it mends."""

    SHORTEST_WALK = "shortest-walk"
    RACKS_ONCE = "racks-once"
    TWO_ROUNDS = "two-rounds"
    FOUR_ROUNDS = "four-rounds"
    URGENT_FIRST = "urgent-first"


#: In words, for people who choose.
IN_WORDS: Mapping[Route, str] = {
    Route.SHORTEST_WALK: "Shortest walk: the nearest rack next, each rack once",
    Route.RACKS_ONCE: "Urgent racks first: each rack once",
    Route.TWO_ROUNDS: "Two rounds: the urgent half of the findings first",
    Route.FOUR_ROUNDS: "Four rounds: the most urgent quarter first",
    Route.URGENT_FIRST: "Most urgent first: one finding after the other",
}
_ROUNDS = {Route.TWO_ROUNDS: 2, Route.FOUR_ROUNDS: 4}


def weight_of(severity: str) -> float:
    """What a finding of a severity weighs."""
    return WEIGHTS.get(severity, 1.0)


def rounds_of(
    route: Route,
    groups: Mapping[str, Sequence[int]],
    tasks: Sequence[Task],
    weight: Mapping[str, float],
) -> list[list[int]]:
    """The tasks of each round; `groups` has those of every finding, `weight` what it weighs."""
    if route in (Route.SHORTEST_WALK, Route.RACKS_ONCE):
        return [list(range(len(tasks)))]
    order = _urgent_first(groups, tasks, weight)
    many = min(_ROUNDS.get(route, len(order)), len(order))
    ends = [round(len(order) * number / many) for number in range(many + 1)] if many else []
    found = [
        [task for name in order[first:last] for task in groups[name]]
        for first, last in pairwise(ends)
    ]
    grouped = {task for mine in groups.values() for task in mine}
    rest = [number for number in range(len(tasks)) if number not in grouped]
    return [rest, *found] if rest else found


def _urgent_first(
    groups: Mapping[str, Sequence[int]], tasks: Sequence[Task], weight: Mapping[str, float]
) -> list[str]:
    """Findings by what they weigh a second of work, each after those that it waits for."""
    of = {task: name for name, mine in groups.items() for task in mine}
    waits = {
        name: {of[n] for task in mine for n in tasks[task].after if n in of} - {name}
        for name, mine in groups.items()
    }
    haste = {
        name: weight.get(name, 1.0) / max(1.0, sum(_seconds(tasks[task]) for task in mine))
        for name, mine in groups.items()
    }
    found: list[str] = []
    left = sorted(groups, key=lambda name: (-haste[name], name))
    done: set[str] = set()
    while left:
        ready = next((name for name in left if waits[name] <= done), left[0])
        left.remove(ready)
        found.append(ready)
        done.add(ready)
    return found


def _seconds(task: Task) -> float:
    return sum(SECONDS[step.do] for step in task.steps if not step.rung)
