"""What came of a replay: figures, refusals, and the pod over time."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from fabric_twin.core.replay.job import Job
from fabric_twin.core.replay.sample import Sample
from fabric_twin.core.replay.switch_time import Switches, SwitchTime, switch_time
from fabric_twin.core.slices.shapes import Shape


@dataclass(frozen=True)
class Refusal:
    """A wish that no waiting would have granted."""

    job: Job
    lacked: str


@dataclass(frozen=True)
class Started:
    """A job that ran."""

    job: Job
    start: float

    @property
    def wait(self) -> float:
        """How long it waited."""
        return self.start - self.job.arrival


@dataclass(frozen=True)
class Outcome:
    """Everything a report says of a replay."""

    policy: str
    healthy_chips: int
    jobs: int
    started: tuple[Started, ...]
    refusals: tuple[Refusal, ...]
    samples: tuple[Sample, ...]
    begin: float
    last_arrival: float
    end: float
    #: The time by which each job that got a drain was promised its cubes.
    promised: Mapping[str, float]
    #: Where switches failed: how, and how often.
    switches: Switches | None = None

    def spans(self) -> Iterator[tuple[Sample, float]]:
        """Each sample with the time until which it holds."""
        ends = [*(sample.time for sample in self.samples[1:]), self.end]
        return zip(self.samples, ends, strict=False)

    def share(self, of: Callable[[Sample], float], until: float | None = None) -> float:
        """Some chips over the healthy ones, over time: to the end, or until a moment."""
        until = self.end if until is None else until
        total = self.healthy_chips * (until - self.begin)
        area = sum(
            of(sample) * max(0.0, min(end, until) - sample.time) for sample, end in self.spans()
        )
        return area / total if total > 0 else 0.0

    def utilisation(self, until: float | None = None) -> float:
        """Busy over healthy chips, over time."""
        return self.share(lambda sample: sample.busy_chips, until)

    def fragmentation(self, until: float | None = None) -> float:
        """Chips in gaps that only slices under a cube can have, over healthy chips, over time."""
        return self.share(lambda sample: sample.gap_chips, until)

    def held_back(self, until: float | None = None) -> float:
        """Idle in cubes that are kept for repairs, over healthy chips, over time."""
        return self.share(lambda sample: sample.held_chips, until)

    def draining(self, until: float | None = None, shape: Shape | None = None) -> float:
        """Idle while cubes are drained (for one shape, or any), over healthy chips, over time."""
        return self.share(
            lambda sample: (
                sample.idle_chips - sample.held_chips
                if sample.drained_for and shape in {None, sample.drained_for}
                else 0
            ),
            until,
        )

    def switch_time(self) -> SwitchTime:
        """What failures of switches cost, over the whole replay."""
        return switch_time(self.spans())

    def waits(self, shape: Shape | None = None) -> list[float]:
        """How long jobs waited, of one shape or all."""
        return [one.wait for one in self.started if shape is None or one.job.shape == shape]

    def as_json(self) -> dict[str, Any]:
        """The contract's form, with what else a person asks next."""
        waits = self.waits() or [0.0]
        switches = self.switches
        more = {"switches": self.switch_time().as_json(switches)} if switches else {}
        return {
            "version": 1,
            "policy": self.policy,
            "jobs": self.jobs,
            "refused": len(self.refusals),
            "utilisation": round(self.utilisation(), 6),
            "utilisation_to_last_arrival": round(self.utilisation(self.last_arrival), 6),
            "mean_wait_s": round(fmean(waits), 3),
            "median_wait_s": round(median(waits), 3),
            "longest_wait_s": round(max(waits), 3),
            "makespan_s": round(self.end - self.begin, 3),
            "fragmentation": round(self.fragmentation(), 6),
            "idle_while_draining": round(self.draining(), 6),
            "held_back": round(self.held_back(), 6),
            **more,
            "refusals": [
                {"job": one.job.name, "shape": str(one.job.shape), "lacked": one.lacked}
                for one in self.refusals
            ],
        }
