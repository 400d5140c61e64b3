"""The pod at one moment of a replay: who waits, who runs, and when each cube is empty again."""

from bisect import bisect_left, insort

from fabric_twin.core.replay.job import Job
from fabric_twin.core.replay.outcome import Sample
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.slices.slice import Slice

#: Sorts jobs by their duration, the longest first: its negative, arrival, name.
_Longest = tuple[float, float, str]


class Floor:
    """What a policy sees, and its one verb: start."""

    def __init__(self, occupancy: Occupancy) -> None:
        self.occupancy = occupancy
        self.now = 0.0
        #: In the order of their arrival.
        self.waiting: dict[str, Job] = {}
        #: The shape of the job that cubes are being drained for, if there is one.
        self.drained_for: Shape | None = None
        #: The time by which each job that got a drain was promised its cubes.
        self.promised: dict[str, float] = {}
        self.started: list[Job] = []
        self.busy_chips = 0
        self._by_shape: dict[Shape, list[_Longest]] = {}
        self._work: dict[Shape, float] = {}
        self._empty_at: dict[int, float] = {}
        self._places: dict[Shape, Slice | None] = {}

    def arrive(self, job: Job) -> None:
        """A job joins the queue."""
        self.waiting[job.name] = job
        insort(self._by_shape.setdefault(job.shape, []), _longest_first(job))
        self._work[job.shape] = self._work.get(job.shape, 0.0) + job.shape.chips * job.duration

    def end(self, job: Job) -> None:
        """A job is done."""
        self.occupancy.release(job.name)
        self.busy_chips -= job.shape.chips
        self._places.clear()

    def start(self, job: Job) -> bool:
        """Start a job if there is a place for it."""
        place = self.place(job.shape)
        if place is None:
            return False
        self.occupancy.add(Slice(job.name, job.shape, place.slots, place.chips))
        del self.waiting[job.name]
        queue = self._by_shape[job.shape]
        del queue[bisect_left(queue, _longest_first(job))]
        self._work[job.shape] -= job.shape.chips * job.duration
        if not queue:
            del self._by_shape[job.shape], self._work[job.shape]
        self.busy_chips += job.shape.chips
        self.started.append(job)
        # What has no place keeps having none; what has one may have lost it.
        self._places = {shape: None for shape, at in self._places.items() if at is None}
        until = self.now + job.duration
        for slot in place.slots:
            self._empty_at[slot] = max(self._empty_at.get(slot, 0.0), until)
        return True

    def place(self, shape: Shape) -> Slice | None:
        """Where a slice would stand now."""
        if shape not in self._places:
            self._places[shape] = self.occupancy.place(shape)
        return self._places[shape]

    def first(self) -> Job | None:
        """The job that waits the longest."""
        return next(iter(self.waiting.values()), None)

    def first_without_place(self) -> Job | None:
        """The job that waits the longest of those that have no place."""
        if all(self.place(shape) for shape in self._by_shape):
            return None
        return next(job for job in self.waiting.values() if self.place(job.shape) is None)

    def work(self, most: float) -> float:
        """Chips times seconds that wait in jobs of so many chips at most."""
        return sum(work for shape, work in self._work.items() if shape.chips <= most)

    def largest_first(self) -> list[Shape]:
        """The shapes that jobs wait for."""
        return sorted(self._by_shape, key=lambda shape: (-shape.chips, shape))

    def longest(self, shape: Shape, most: float) -> Job | None:
        """The longest waiting job of a shape that runs for `most` at most, if it has a place."""
        queue = self._by_shape.get(shape, [])
        at = bisect_left(queue, (-most, 0.0, ""))
        return self.waiting[queue[at][-1]] if at < len(queue) and self.place(shape) else None

    def empty_at(self, slot: int) -> float:
        """When a cube is empty if nothing more starts on it."""
        return self._empty_at[slot] if self.occupancy.taken[slot] else self.now

    def sample(self) -> Sample:
        """The pod as it is from now to the next moment."""
        pod = self.occupancy
        size = pod.design.cube.size
        return Sample(
            time=self.now,
            busy_chips=self.busy_chips,
            gap_chips=sum(size - pod.taken[slot].bit_count() for slot in pod.shared),
            idle_chips=pod.healthy * size - self.busy_chips,
            held_chips=min(pod.held_back, len(pod.free)) * size,
            drained_for=self.drained_for,
            waiting=len(self.waiting),
        )


def _longest_first(job: Job) -> _Longest:
    return -job.duration, job.arrival, job.name
