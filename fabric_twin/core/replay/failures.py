"""Switches fail and are repaired at random, at a stated availability.

in |=======|    |==============|  |====     in for repair_s * availability / (1 - availability)
out        |----|              |--|         out for repair_s, both on average
                                 -> time
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import isfinite

from fabric_twin.core.errors import UnusableInput

#: Below this, pods of many switches are hardly ever whole and a replay has no end.
LEAST_AVAILABILITY = 0.99
#: More in one replay is a slip, such as a trace in milliseconds.
MOST_FAILURES = 100_000
#: 0.04% of the switches fail a day, and each is in for 99.98% of the time: out for 12 hours.
REPAIR_S = 12 * 3600.0
#: A minute to more than a year.
SHORTEST_REPAIR_S, LONGEST_REPAIR_S = 60.0, 10_000 * 3600.0


@dataclass(frozen=True)
class Change:
    """A switch fails, or is in again."""

    time: float
    #: The number of the switch in its pod, from 0.
    switch: int
    out: bool


@dataclass(frozen=True)
class Failures:
    """How often switches fail, how long they are out, and the seed that they are drawn with."""

    availability: float
    repair_s: float = REPAIR_S
    seed: int = 1

    def __post_init__(self) -> None:
        """Refuse what no switch has, and what no replay comes to the end of."""
        if not LEAST_AVAILABILITY <= self.availability <= 1:
            raise UnusableInput(
                f"switches cannot be available {self.availability:g} of the time here",
                where="availability of switches",
                remedy=f"Use {LEAST_AVAILABILITY:g} to 1, such as 0.9998",
            )
        if not (isfinite(self.repair_s) and SHORTEST_REPAIR_S <= self.repair_s <= LONGEST_REPAIR_S):
            raise UnusableInput(
                f"a repair cannot take {self.repair_s / 3600:g} hours here",
                where="repair of switches",
                remedy=f"Use a minute to {LONGEST_REPAIR_S / 3600:,.0f} hours",
            )

    def changes(self, switches: int, begin: float) -> Iterator[Change]:
        """Every change from a moment on, in the order of time; it has no end.

        The same for the same seed, whatever runs on the pod. At the beginning each switch is out
        as likely as at any other moment.
        """
        if self.availability == 1:
            return
        chance = random.Random(self.seed)  # noqa: S311 - a simulation, no secret
        mean = {
            True: self.repair_s,
            False: self.repair_s * self.availability / (1 - self.availability),
        }
        out_first = [chance.random() >= self.availability for _ in range(switches)]
        # A time without memory: what is left of it is as long as the whole, on average.
        coming = [
            (begin + chance.expovariate(1 / mean[out]), number, not out)
            for number, out in enumerate(out_first)
        ]
        yield from (Change(begin, number, out=True) for number, out in enumerate(out_first) if out)
        heapify(coming)
        failures = 0
        while coming:
            time, number, out = heappop(coming)
            failures += out
            if failures > MOST_FAILURES:
                raise UnusableInput(
                    f"switches fail more than {MOST_FAILURES:,} times before the last job ends",
                    where="trace",
                    remedy="Give a part of it, a longer repair or a higher availability",
                )
            yield Change(time, number, out)
            heappush(coming, (time + chance.expovariate(1 / mean[out]), number, not out))
