"""Time in the simulated fabric: real, faster, or step by step."""

import time
from typing import Protocol


class Clock(Protocol):
    """Seconds since the fabric was first switched on."""

    def now(self) -> float:
        """What time it is in the fabric."""

    def wait_for(self, moment: float) -> float | None:
        """Real seconds until a moment of the fabric; None where only a step brings it."""


class RunningClock:
    """Time that runs by itself: real time, or faster."""

    def __init__(self, speed: float = 1.0, start: float = 0.0) -> None:
        self._speed, self._start, self._began = speed, start, time.monotonic()

    def now(self) -> float:
        """What time it is in the fabric."""
        return self._start + (time.monotonic() - self._began) * self._speed

    def wait_for(self, moment: float) -> float | None:
        """Real seconds until a moment of the fabric."""
        return max(0.0, (moment - self.now()) / self._speed)


class SteppedClock:
    """Time that stands still until someone steps it."""

    def __init__(self, start: float = 0.0) -> None:
        self._now = start

    def now(self) -> float:
        """What time it is in the fabric."""
        return self._now

    def step(self, seconds: float) -> None:
        """Let time pass."""
        self._now += seconds

    def wait_for(self, moment: float) -> float | None:
        """None, unless the moment has come already."""
        return 0.0 if moment <= self._now else None
