"""Which of the waiting jobs start now.

fifo        strictly in order: what does not fit stops all behind it
first_fit   in order, but what does not fit is passed over, for as long as it takes
backfill    the largest first, so that jobs of a size follow each other on the same cubes;
            a job that has waited for its patience gets a day on which its cubes are empty
            (a planned drain), and until then cubes are lent to jobs that end before it;
            where few jobs are left to lend cubes to, the drain does not wait for patience
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf

from fabric_twin.core.replay.floor import Floor
from fabric_twin.core.replay.job import Job
from fabric_twin.core.slices.shapes import Shape

Policy = Callable[[Floor], None]


def fifo(floor: Floor) -> None:
    """First come, first served."""
    while (job := floor.first()) and floor.start(job):
        pass


def first_fit(floor: Floor) -> None:
    """Whatever fits, in the order of arrival."""
    for job in list(floor.waiting.values()):
        floor.start(job)


@dataclass(frozen=True)
class Backfill:
    """Fill the pod, and let nobody wait for ever."""

    #: Seconds after which a job is overdue: then nothing may start that delays it.
    patience: float = 86_400.0
    #: How many of the longest waiting are looked at in order, so that no queue is too long.
    reach: int = 500

    def __call__(self, floor: Floor) -> None:
        """Start the overdue in order, plan a drain for the first that has no place, fill up."""
        floor.drained_for, promise = None, None
        for job in self._overdue(floor):
            if promise is None and not floor.start(job):
                promise = _Promise(floor, job.shape)
                floor.drained_for = job.shape
                floor.promised.setdefault(job.name, promise.day)
            elif promise is not None:
                promise.start(job)
        for shape in floor.largest_first():
            # Of a shape, the longest job that may start: it keeps its cubes busy the longest.
            while more := floor.longest(shape, promise.limit(shape) if promise else inf):
                if not (promise.start(more) if promise else floor.start(more)):
                    break

    def _overdue(self, floor: Floor) -> list[Job]:
        """Who has a promise already, then who has waited too long, in the order of arrival.

        A drain costs least while smaller jobs wait, to which its cubes are lent meanwhile. So
        where nobody is overdue yet and little more waits than would fill a drain, it begins now.
        """
        first = next(reversed(floor.promised), "")
        found = dict.fromkeys([first] if first in floor.waiting else [])
        for job in islice(floor.waiting.values(), self.reach):
            if floor.now - job.arrival < self.patience:
                break
            found[job.name] = None
        if not found and (blocked := floor.first_without_place()):
            chips = floor.occupancy.healthy * floor.occupancy.design.cube.size
            drained = chips * (_Promise(floor, blocked.shape).day - floor.now)
            if floor.work(blocked.shape.chips / 2) <= drained:
                found[blocked.name] = None
        return [floor.waiting[name] for name in found]


class _Promise:
    """Enough cubes for a job, empty on its day; what starts before may not break it.

    cubes   |===========|            |
    needed  |=====|- lent: ends -----|  the job
            |========|-- before -----|
    others  |============|=================== lent for longer: not needed on that day
            now                      day

    In a static plant these are the cubes of the box that is empty first.
    """

    def __init__(self, floor: Floor, shape: Shape) -> None:
        self.floor = floor
        pod = floor.occupancy
        usable = pod.allowed - pod.unhealthy
        if cubes := shape.cubes(pod.design.cube):
            usable -= (+pod.unhealthy_ports).keys()
        # For a slice under a cube an empty cube is promised; a gap may come earlier.
        days = sorted(map(floor.empty_at, usable))
        need = min(max(1, cubes) + pod.held_back, len(days))
        self.day, self.box = days[need - 1], frozenset[int]()
        if cubes and not pod.design.medium.is_switched:
            self.day, self.box = self._box(shape, [day for day in days if day >= self.day])
        #: How many cubes more than needed are empty on that day.
        self.left: float = sum(1 for day in days if day <= self.day) - need

    def _box(self, shape: Shape, days: Sequence[float]) -> tuple[float, frozenset[int]]:
        """The first of these days on which a box is empty, and its cubes."""
        pod, empty_at = self.floor.occupancy, self.floor.empty_at
        usable = {slot: empty_at(slot) for slot in pod.allowed - pod.unhealthy}
        grid = shape.grid(pod.design.cube)
        for day in dict.fromkeys(days):
            empty = {slot for slot, at in usable.items() if at <= day}
            if box := pod.place_box(grid, of=empty):
                return day, frozenset(box)
        return days[-1], frozenset()

    def limit(self, shape: Shape) -> float:
        """How long a job of this shape may run if it starts now."""
        return inf if self._lost(shape) <= self.left else self.day - self.floor.now

    def start(self, job: Job) -> bool:
        """Start a job if it fits and the promise stays kept."""
        lost = self._lost(job.shape) if self.floor.now + job.duration > self.day else 0
        if lost > self.left or not self.floor.start(job):
            return False
        self.left -= lost
        return True

    def _lost(self, shape: Shape) -> float:
        """How many cubes a job that runs beyond the day would take from those empty on it."""
        place = self.floor.place(shape)
        if place and not self.box.isdisjoint(place.slots):
            return inf  # no other cube stands in for one of a box
        if place is None or not place.chips:
            # Whole cubes are empty now, and so would be on that day; a shared one perhaps.
            return len(place.slots) if place else 0
        return sum(self.floor.empty_at(slot) <= self.day for slot in place.slots)


def policy(name: str, patience: float) -> Policy:
    """A policy by the name that a command gives it."""
    known: dict[str, Policy] = {"fifo": fifo, "first_fit": first_fit}
    return known.get(name) or Backfill(patience)
