"""The jobs that run, and when each of them ends.

Slices of whole cubes stand still together, so they share one clock that stops with them:

    real time     0 1 2 3 4 5 6 7 8
    their clock   0 1 2 2 2 2 3 4 5     stopped from 2 to 5: an end at 4 comes at 7
"""

from collections.abc import Iterator
from heapq import heappop, heappush
from math import inf

from fabric_twin.core.replay.job import Job


class Running:
    """Two queues of ends: of slices under a cube in real time, of the others on their clock."""

    def __init__(self) -> None:
        self._parts = list[tuple[float, str, Job]]()
        self._wholes = list[tuple[float, str, Job]]()
        #: How long slices of whole cubes stood still before now.
        self.stopped_s = 0.0
        self._stopped_at: float | None = None

    def __bool__(self) -> bool:
        """Whether anything runs or stands still."""
        return bool(self._parts or self._wholes)

    def add(self, job: Job, now: float, *, whole: bool) -> None:
        """A job starts."""
        if whole:
            heappush(self._wholes, (now - self.stopped_s + job.duration, job.name, job))
        else:
            heappush(self._parts, (now + job.duration, job.name, job))

    def next_end(self) -> float:
        """When the next job ends, if the switches stay as they are."""
        whole = inf
        if self._wholes and self._stopped_at is None:
            whole = self._wholes[0][0] + self.stopped_s
        return min(whole, self._parts[0][0] if self._parts else inf)

    def ended(self, now: float) -> Iterator[Job]:
        """Take out what has ended."""
        while self.next_end() <= now:
            parts_first = self._parts and self._parts[0][0] <= now
            yield heappop(self._parts if parts_first else self._wholes)[2]

    def stop(self, now: float) -> None:
        """Slices of whole cubes stand still from now on."""
        if self._stopped_at is None:
            self._stopped_at = now

    def go_on(self, now: float) -> None:
        """They go on where they stood."""
        if self._stopped_at is not None:
            self.stopped_s += now - self._stopped_at
            self._stopped_at = None

    def stood_still(self, now: float) -> float:
        """How long slices of whole cubes stood still until now."""
        return self.stopped_s + (now - self._stopped_at if self._stopped_at is not None else 0.0)
