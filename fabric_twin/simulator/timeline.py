"""What will happen, in the order it will."""

import heapq
from collections.abc import Callable
from itertools import count

Action = Callable[[], object]


class Timeline:
    """Actions by the moment they are due; of one moment, in the order they were entered."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int, Action]] = []
        self._entered = count()

    def at(self, moment: float, action: Action) -> None:
        """Enter an action."""
        heapq.heappush(self._due, (moment, next(self._entered), action))

    @property
    def next(self) -> float | None:
        """When something is due next."""
        return self._due[0][0] if self._due else None

    def run_until(self, moment: float) -> bool:
        """Do what is due by a moment; whether there was anything."""
        acted = False
        while self._due and self._due[0][0] <= moment:
            heapq.heappop(self._due)[2]()
            acted = True
        return acted
