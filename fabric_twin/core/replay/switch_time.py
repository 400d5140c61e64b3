"""What failures of switches cost: hours of slices that are lost, and hours with less capacity.

An hour of one slice of whole cubes is a slice hour, whatever its size. Slices under a cube have no
circuits and lose nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fabric_twin.core.replay.failures import Failures
from fabric_twin.core.replay.sample import Sample


@dataclass(frozen=True)
class Switches:
    """What a replay knew of its switches."""

    failures: Failures
    #: How many switches a join may lack.
    bear: int
    count: int
    #: How often one of them failed, or was out at the beginning.
    failed: int


@dataclass(frozen=True)
class SwitchTime:
    """Seconds, added up over slices; the first two over time alone."""

    none_out: float
    one_out_at_most: float
    span: float
    #: Slices that ran, and of these with a switch out that carries links.
    run: float
    less: float
    #: Slices that stood still, and jobs that waited only for a switch.
    stopped: float
    kept_waiting: float
    #: Capacity times seconds, of slices that ran.
    capacity: float

    @property
    def lost(self) -> float:
        """Slices that stood still or did not start."""
        return self.stopped + self.kept_waiting

    @property
    def mean_capacity(self) -> float:
        """Of slices of whole cubes while they ran; 1 where none did."""
        return self.capacity / self.run if self.run else 1.0

    def share(self, seconds: float) -> float:
        """Of the whole replay; 1 of one that took no time."""
        return seconds / self.span if self.span else 1.0

    def as_json(self, switches: Switches) -> dict[str, Any]:
        """For programs, with what it was drawn from."""
        hour = 3600.0
        return {
            "availability": switches.failures.availability,
            "repair_s": switches.failures.repair_s,
            "seed": switches.failures.seed,
            "bear": switches.bear,
            "count": switches.count,
            "failures": switches.failed,
            "time_none_out": round(self.share(self.none_out), 6),
            "time_one_out_at_most": round(self.share(self.one_out_at_most), 6),
            "slice_hours_run": round(self.run / hour, 3),
            "slice_hours_lost": round(self.lost / hour, 3),
            "slice_hours_stopped": round(self.stopped / hour, 3),
            "slice_hours_kept_waiting": round(self.kept_waiting / hour, 3),
            "slice_hours_with_less_capacity": round(self.less / hour, 3),
            "mean_capacity": round(self.mean_capacity, 6),
        }


def switch_time(spans: Iterable[tuple[Sample, float]]) -> SwitchTime:
    """Add up every sample over the time for which it holds."""
    none = one = span = run = less = stopped = waiting = capacity = 0.0
    for sample, end in spans:
        held = end - sample.time
        span += held
        none += held * (sample.switches_out == 0)
        one += held * (sample.switches_out <= 1)
        run += held * sample.whole_slices
        less += held * sample.whole_slices * (sample.capacity < 1)
        stopped += held * sample.stopped_slices
        waiting += held * sample.kept_waiting
        capacity += held * sample.whole_slices * sample.capacity
    return SwitchTime(none, one, span, run, less, stopped, waiting, capacity)
