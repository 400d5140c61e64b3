"""When each finding of an order is mended, and what that costs on foot: the choice of a route.

    mean time      o urgent-first
    to mend           o four-rounds
                         .
                            o shortest-walk
                              metres on foot

A route is worth choosing where no other is better in both.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from fabric_twin.core.orders.measure import METRES_A_SECOND, SECONDS, measure
from fabric_twin.core.orders.order import WorkOrder
from fabric_twin.core.orders.planning.routes import Route
from fabric_twin.core.orders.steps import Do


@dataclass(frozen=True)
class Point:
    """What one route means for the findings of an order."""

    route: Route
    #: Seconds from the start to the check of a finding: the mean, by what each weighs.
    mean: float
    #: Until the last one is mended.
    last: float
    visits: int
    metres: float
    #: Of the crew that takes longest.
    seconds: float
    #: Whether no other route is as good in both, time to mend and metres, and better in one.
    is_worth: bool = True

    def as_json(self) -> dict[str, Any]:
        """For a program."""
        return asdict(self) | {"route": str(self.route)}


def mended_after(order: WorkOrder) -> dict[str, float]:
    """By finding: seconds from the start until its check, if every light test passes."""
    clock = dict.fromkeys(range(1, order.crews + 1), 0.0)
    found: dict[str, float] = {}
    for step in order.steps:
        if not step.rung:
            clock[step.crew] += SECONDS[step.do] + step.metres / METRES_A_SECOND
        if step.do == Do.CHECK:
            found[step.bundle] = clock[step.crew]
    return found


def mean_to_mend(order: WorkOrder, weight: Mapping[str, float]) -> float:
    """The mean of that, by what each finding weighs."""
    after = mended_after(order)
    whole = sum(weight.get(name, 1.0) for name in after)
    return sum(weight.get(name, 1.0) * time for name, time in after.items()) / whole if whole else 0


def curve(orders: Mapping[Route, WorkOrder], weight: Mapping[str, float]) -> tuple[Point, ...]:
    """A point for each route, and which of them are worth choosing."""
    points = [_point(route, order, weight) for route, order in orders.items()]
    return tuple(
        replace(one, is_worth=not any(is_better(other, one) for other in points)) for one in points
    )


def points_of(rows: Any) -> Iterator[Point]:
    """Points that `as_json` wrote."""
    for row in rows:
        yield Point(**{**row, "route": Route(row["route"])})


def _point(route: Route, order: WorkOrder, weight: Mapping[str, float]) -> Point:
    taken, after = measure(order), mended_after(order)
    return Point(
        route,
        round(mean_to_mend(order, weight), 1),
        round(max(after.values(), default=0.0), 1),
        taken.visits,
        taken.metres,
        taken.seconds,
    )


def is_better(other: Point, one: Point) -> bool:
    """Whether another is as good in both, and better in one."""
    theirs, mine = (other.mean, other.metres), (one.mean, one.metres)
    return theirs != mine and all(a <= b for a, b in zip(theirs, mine, strict=True))
