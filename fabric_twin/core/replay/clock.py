"""Simulated time: jobs end and arrive, switches fail, and the policy starts what it will.

A slice of whole cubes that cannot bear the switches that are out stands still: it keeps its cubes,
and goes on where it stood once it can.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from math import inf

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.replay.fabric import Fabric
from fabric_twin.core.replay.failures import Change, Failures
from fabric_twin.core.replay.floor import Floor
from fabric_twin.core.replay.job import Job
from fabric_twin.core.replay.outcome import Outcome, Refusal, Started
from fabric_twin.core.replay.policies import Policy
from fabric_twin.core.replay.sample import Sample
from fabric_twin.core.replay.switch_time import Switches
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import check_shape


def replay(
    jobs: Iterable[Job],
    occupancy: Occupancy,
    policy: Policy,
    name: str,
    failures: Failures | None = None,
    bear: int = 0,
) -> Outcome:
    """Run a trace on a pod that nothing else uses.

    Where switches fail, `bear` is how many of them a join of two cubes may lack.
    """
    queue = sorted(jobs, key=lambda job: job.arrival)
    refusals = tuple(refusal for job in queue if (refusal := _refusal(job, occupancy)))
    refused = {refusal.job.name for refusal in refusals}
    coming = deque(job for job in queue if job.name not in refused)
    fabric = Fabric(occupancy.design, bear) if failures else None
    floor = Floor(occupancy, fabric)
    started, samples = list[Started](), list[Sample]()
    begin = floor.now = queue[0].arrival if queue else 0.0
    switches = _Changes(failures.changes(fabric.switches, begin) if failures and fabric else ())
    while floor.running or coming or floor.waiting:
        arrival = coming[0].arrival if coming else inf
        floor.now = min(floor.running.next_end(), arrival, switches.next_time)
        for job in floor.running.ended(floor.now):
            floor.end(job)
        for change in switches.due(floor.now):
            floor.change(change)
        while coming and coming[0].arrival <= floor.now:
            floor.arrive(coming.popleft())
        policy(floor)
        started.extend(Started(job, floor.now) for job in floor.started)
        floor.started.clear()
        samples.append(floor.sample())
    return Outcome(
        policy=name,
        healthy_chips=occupancy.healthy * occupancy.design.cube.size,
        jobs=len(queue),
        started=tuple(started),
        refusals=refusals,
        samples=tuple(samples),
        begin=begin,
        last_arrival=queue[-1].arrival if queue else begin,
        end=floor.now,
        promised=floor.promised,
        switches=Switches(failures, fabric.bear, fabric.switches, fabric.failures)
        if failures and fabric
        else None,
    )


class _Changes:
    """The changes of switches that are still to come."""

    def __init__(self, changes: Iterable[Change]) -> None:
        self._changes = iter(changes)
        self._next = next(self._changes, None)

    @property
    def next_time(self) -> float:
        """When the next one comes."""
        return self._next.time if self._next else inf

    def due(self, now: float) -> Iterator[Change]:
        """Take out those that have come."""
        while self._next and self._next.time <= now:
            yield self._next
            self._next = next(self._changes, None)


def _refusal(job: Job, occupancy: Occupancy) -> Refusal | None:
    """What a job lacks even on a pod where nothing else runs."""
    try:
        check_shape(occupancy.design, job.shape)
        if occupancy.place(job.shape) is None:
            raise occupancy.refusal(job.shape)
    except NotPossible as refusal:
        return Refusal(job, str(refusal))
    return None
