"""The pod at one moment of a replay: who waits, who runs, and when each cube is empty again."""

from bisect import bisect_left, insort

from fabric_twin.core.replay.fabric import Fabric
from fabric_twin.core.replay.failures import Change
from fabric_twin.core.replay.job import Job
from fabric_twin.core.replay.running import Running
from fabric_twin.core.replay.sample import Sample
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.slices.slice import Slice

#: Sorts jobs by their duration, the longest first: its negative, arrival, name.
_Longest = tuple[float, float, str]


class Floor:
    """What a policy sees, and its one verb: start."""

    def __init__(self, occupancy: Occupancy, fabric: Fabric | None = None) -> None:
        self.occupancy = occupancy
        #: The switches, where they can fail.
        self.fabric = fabric
        self.now = 0.0
        self.running = Running()
        #: In the order of their arrival.
        self.waiting: dict[str, Job] = {}
        #: The shape of the job that cubes are being drained for, if there is one.
        self.drained_for: Shape | None = None
        #: The time by which each job that got a drain was promised its cubes.
        self.promised: dict[str, float] = {}
        self.started: list[Job] = []
        #: In slices that run or stand still, and how much of them is in slices of whole cubes.
        self.taken_chips = 0
        self.whole_chips = 0
        self.whole_slices = 0
        self._by_shape: dict[Shape, list[_Longest]] = {}
        self._work: dict[Shape, float] = {}
        self._empty_at: dict[int, float] = {}
        #: The same for the cubes of whole slices, on the clock that stands still with them.
        self._whole_empty_at: dict[int, float] = {}
        self._places: dict[Shape, Slice | None] = {}

    def arrive(self, job: Job) -> None:
        """A job joins the queue."""
        self.waiting[job.name] = job
        insort(self._by_shape.setdefault(job.shape, []), _longest_first(job))
        self._work[job.shape] = self._work.get(job.shape, 0.0) + job.shape.chips * job.duration

    def end(self, job: Job) -> None:
        """A job is done."""
        made = self.occupancy.release(job.name)
        self.taken_chips -= job.shape.chips
        if not made.chips:
            self._count_whole(job, -1)
            for slot in made.slots:
                del self._whole_empty_at[slot]
        self._places.clear()

    def change(self, change: Change) -> None:
        """A switch fails or is in again: slices of whole cubes stop, or go on."""
        if self.fabric is None:
            return
        self.fabric.change(change.switch, out=change.out)
        if self.fabric.borne:
            self.running.go_on(self.now)
        else:
            self.running.stop(self.now)
        self._places.clear()

    def _count_whole(self, job: Job, one: int) -> None:
        self.whole_slices += one
        self.whole_chips += one * job.shape.chips

    @property
    def borne(self) -> bool:
        """Whether slices of whole cubes can be made and run with the switches that are in."""
        return self.fabric is None or self.fabric.borne

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
        self.taken_chips += job.shape.chips
        self.started.append(job)
        self.running.add(job, self.now, whole=not place.chips)
        # What has no place keeps having none; what has one may have lost it.
        self._places = {shape: None for shape, at in self._places.items() if at is None}
        until = self.now + job.duration
        if place.chips:
            [slot] = place.slots
            self._empty_at[slot] = max(self._empty_at.get(slot, 0.0), until)
        else:
            self._count_whole(job, 1)
            end = until - self.running.stopped_s
            self._whole_empty_at.update(dict.fromkeys(place.slots, end))
        return True

    def place(self, shape: Shape) -> Slice | None:
        """Where a slice would stand now."""
        if shape not in self._places:
            barred = not self.borne and shape.cubes(self.occupancy.design.cube)
            self._places[shape] = None if barred else self.occupancy.place(shape)
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
        """When a cube is empty if nothing more starts on it, and what stands still goes on now."""
        if slot in self._whole_empty_at:
            return self._whole_empty_at[slot] + self.running.stood_still(self.now)
        return self._empty_at[slot] if self.occupancy.taken[slot] else self.now

    def sample(self) -> Sample:
        """The pod as it is from now to the next moment."""
        pod = self.occupancy
        size = pod.design.cube.size
        runs = self.borne
        return Sample(
            time=self.now,
            busy_chips=self.taken_chips - (0 if runs else self.whole_chips),
            gap_chips=sum(size - pod.taken[slot].bit_count() for slot in pod.shared),
            idle_chips=pod.healthy * size - self.taken_chips,
            held_chips=min(pod.held_back, len(pod.free)) * size,
            # What is idle while no slice of whole cubes can start is so for a switch.
            drained_for=self.drained_for if runs else None,
            waiting=len(self.waiting),
            switches_out=len(self.fabric.out) if self.fabric else 0,
            whole_slices=self.whole_slices if runs else 0,
            stopped_slices=0 if runs else self.whole_slices,
            stopped_chips=0 if runs else self.whole_chips,
            kept_waiting=0 if runs else self._kept_waiting(),
            capacity=self.fabric.capacity if self.fabric else 1.0,
        )

    def _kept_waiting(self) -> int:
        """How many jobs the idle cubes would be enough for, the first that came first."""
        cube = self.occupancy.design.cube
        left, many = len(self.occupancy.free) - self.occupancy.held_back, 0
        for job in self.waiting.values():
            if left <= 0:
                break
            if 0 < (need := job.shape.cubes(cube)) <= left:
                left, many = left - need, many + 1
        return many


def _longest_first(job: Job) -> _Longest:
    return -job.duration, job.arrival, job.name
