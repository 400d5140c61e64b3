"""How far a change that runs is, in circuits, and how much longer it is expected to take."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from fabric_twin.core.moments import length


@dataclass(frozen=True)
class Stage:
    """One stage as it runs: how many circuits go and come, and whether that is done."""

    circuits: int
    is_done: bool
    started: datetime | None = None
    ended: datetime | None = None


@dataclass(frozen=True)
class HowFar:
    """Circuits that are changed, of how many; and how long the rest may take."""

    changed: int
    of: int
    #: Nothing where no stage is done that tells how long one takes.
    left: timedelta | None = None

    @property
    def share(self) -> int:
        """Percent of the circuits."""
        return 100 * self.changed // self.of if self.of else 0

    @property
    def rest(self) -> str:
        """How long the rest may take, in words."""
        return length(self.left) if self.left is not None else ""


def how_far(stages: Iterable[Stage], now: datetime) -> HowFar:
    """How far stages are; the rest takes as long, circuit by circuit, as those that are done.

    >>> at = datetime(2026, 11, 26, 10).replace
    >>> done = Stage(30, True, at(second=0), at(second=10))
    >>> how_far([done, Stage(60, False, at(second=10))], at(second=15)).rest
    '15 s'
    """
    stages = list(stages)
    done = [one for one in stages if one.is_done]
    changed, of = sum(one.circuits for one in done), sum(one.circuits for one in stages)
    starts = [one.started for one in done if one.started]
    ends = [one.ended for one in done if one.ended]
    if not (starts and ends and 0 < changed < of):
        return HowFar(changed, of)
    rest = (max(ends) - min(starts)) * ((of - changed) / changed)
    return HowFar(changed, of, max(max(ends) + rest - now, timedelta()))
