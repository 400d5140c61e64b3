"""Simulated time: jobs end, jobs arrive, and the policy starts what it will."""

from collections import deque
from collections.abc import Iterable
from heapq import heappop, heappush
from math import inf

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.replay.floor import Floor
from fabric_twin.core.replay.job import Job
from fabric_twin.core.replay.outcome import Outcome, Refusal, Sample, Started
from fabric_twin.core.replay.policies import Policy
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import check_shape


def replay(jobs: Iterable[Job], occupancy: Occupancy, policy: Policy, name: str) -> Outcome:
    """Run a trace on a pod that nothing else uses."""
    queue = sorted(jobs, key=lambda job: job.arrival)
    refusals = tuple(refusal for job in queue if (refusal := _refusal(job, occupancy)))
    refused = {refusal.job.name for refusal in refusals}
    coming = deque(job for job in queue if job.name not in refused)
    floor, running = Floor(occupancy), list[tuple[float, str, Job]]()
    started, samples = list[Started](), list[Sample]()
    begin = floor.now = queue[0].arrival if queue else 0.0
    while running or coming:
        floor.now = min(running[0][0] if running else inf, coming[0].arrival if coming else inf)
        while running and running[0][0] <= floor.now:
            floor.end(heappop(running)[2])
        while coming and coming[0].arrival <= floor.now:
            floor.arrive(coming.popleft())
        policy(floor)
        for job in floor.started:
            heappush(running, (floor.now + job.duration, job.name, job))
            started.append(Started(job, floor.now))
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
    )


def _refusal(job: Job, occupancy: Occupancy) -> Refusal | None:
    """What a job lacks even on a pod where nothing else runs."""
    try:
        check_shape(occupancy.design, job.shape)
        if occupancy.place(job.shape) is None:
            raise occupancy.refusal(job.shape)
    except NotPossible as refusal:
        return Refusal(job, str(refusal))
    return None
