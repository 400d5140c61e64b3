"""Which of the waiting jobs start now.

fifo        strictly in order: what does not fit stops all behind it
first_fit   in order, but what does not fit is passed over, for as long as it takes
backfill    the largest first, so that jobs of a size follow each other on the same cubes;
            a job that has waited for its patience gets a day on which its cubes are empty
            (a planned drain), and until then cubes are lent to jobs that end before it
"""

from collections.abc import Callable
from dataclasses import dataclass

from fabric_twin.core.replay.floor import Floor
from fabric_twin.core.replay.job import Job

Policy = Callable[[Floor], None]


def fifo(floor: Floor) -> None:
    """First come, first served."""
    for job in list(floor.waiting.values()):
        if not floor.start(job):
            return


def first_fit(floor: Floor) -> None:
    """Whatever fits, in the order of arrival."""
    for job in list(floor.waiting.values()):
        floor.start(job)


@dataclass(frozen=True)
class Backfill:
    """Fill the pod, and let nobody wait for ever."""

    #: Seconds after which a job is overdue: then nothing may start that delays it.
    patience: float = 86_400.0

    def __call__(self, floor: Floor) -> None:
        """Start the overdue in order, plan a drain for the first that has no place, fill up."""
        floor.drained_for, promise = None, None
        for job in list(floor.waiting.values()):
            if floor.now - job.arrival < self.patience:
                break
            if promise is None and not floor.start(job):
                promise = _Promise(floor, job)
                floor.drained_for = job.shape
                floor.promised.setdefault(job.name, promise.day)
            elif promise is not None:
                promise.start(job)
        for job in floor.largest_first():
            if promise is None:
                floor.start(job)
            else:
                promise.start(job)


class _Promise:
    """Enough cubes for a job, empty on its day; what starts before may not break it.

    cubes   |===========|            |
    needed  |=====|- lent: ends -----|  the job
            |========|-- before -----|
    others  |============|=================== lent for longer: not needed on that day
            now                      day
    """

    def __init__(self, floor: Floor, job: Job) -> None:
        self.floor, self.job = floor, job
        pod = floor.occupancy
        usable = pod.allowed - pod.unhealthy
        if cubes := job.shape.cubes(pod.design.cube):
            usable -= (+pod.unhealthy_ports).keys()
        # For a slice under a cube an empty cube is promised; a gap may come earlier.
        days = sorted(map(floor.empty_at, usable))
        need = min(max(1, cubes) + pod.held_back, len(days))
        self.day = days[need - 1]
        #: How many cubes more than needed are empty on that day.
        self.left = sum(1 for day in days if day <= self.day) - need

    def start(self, job: Job) -> None:
        """Start a job if it fits and the promise stays kept."""
        floor = self.floor
        if job.name == self.job.name:
            return
        place = floor.place(job.shape)
        if place is None:
            return
        lost = 0
        if floor.now + job.duration > self.day:
            # Whole cubes are empty now, and so would be on that day; a shared one perhaps.
            lost = (
                sum(floor.empty_at(slot) <= self.day for slot in place.slots)
                if place.chips
                else len(place.slots)
            )
        if lost <= self.left and floor.start(job):
            self.left -= lost


def policy(name: str, patience: float) -> Policy:
    """A policy by the name that a command gives it."""
    known: dict[str, Policy] = {"fifo": fifo, "first_fit": first_fit}
    return known.get(name) or Backfill(patience)
