"""What an order costs: hands-on steps, visits, metres, time."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fabric_twin.core.orders.order import WorkOrder
from fabric_twin.core.orders.steps import MANUAL, Do

#: Seconds that each kind of step takes, in the mean [A].
SECONDS: Mapping[Do, float] = {
    Do.GO: 60,  # tools down, rack open
    Do.BLOCK: 0.1,
    Do.RELEASE: 0.1,
    Do.INSPECT: 15,
    Do.CLEAN: 15,
    Do.SCAN: 5,
    Do.UNPLUG: 10,
    Do.PLUG: 20,
    Do.CAP: 5,
    Do.FLIP: 120,
    Do.RESEAT: 60,
    Do.REPLACE: 300,
    Do.FIT: 60,
    Do.TAKE_OUT: 120,
    Do.CHECK: 10,
}
METRES_A_SECOND = 1.2


@dataclass(frozen=True)
class Measure:
    """What an order takes, of all crews together but for the time."""

    hands: int
    visits: int
    metres: float
    #: Of the crew that takes longest.
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """For a program."""
        return {
            "hands_on_steps": self.hands,
            "rack_visits": self.visits,
            "metres": self.metres,
            "seconds": self.seconds,
        }


def measure(order: WorkOrder, times: Mapping[int, int] | None = None) -> Measure:
    """Count an order; crews that wait for each other make it longer than this says.

    What may never be due is not counted; with `times` each step is, as often as it was done.
    """
    time = dict.fromkeys(range(1, order.crews + 1), 0.0)
    count: Counter[Do] = Counter()
    metres = 0.0
    for step in order.steps:
        many = int(not step.rung) if times is None else times.get(step.number, 0)
        count[step.do] += many
        time[step.crew] += many * (SECONDS[step.do] + step.metres / METRES_A_SECOND)
        metres += many * step.metres
    return Measure(
        hands=sum(count[do] for do in MANUAL),
        visits=count[Do.GO],
        metres=round(metres, 1),
        seconds=round(max(time.values()), 0),
    )
