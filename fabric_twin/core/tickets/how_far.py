"""How far a change that runs is, in circuits, and how much longer it is expected to take."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from fabric_twin.core.how_far import HowFar


@dataclass(frozen=True)
class Stage:
    """One stage as it runs: how many circuits go and come, and whether that is done."""

    circuits: int
    is_done: bool
    started: datetime | None = None
    ended: datetime | None = None


def how_far(stages: Iterable[Stage], now: datetime) -> HowFar:
    """How far stages are; the rest takes as long, circuit by circuit, as those that are done.

    >>> at = datetime(2026, 11, 26, 10).replace
    >>> done = Stage(30, True, at(second=0), at(second=10))
    >>> how_far([done, Stage(60, False, at(minute=5))], at(minute=5, second=5)).rest
    '15 s'
    """
    stages = list(stages)
    done = [one for one in stages if one.is_done]
    changed, of = sum(one.circuits for one in done), sum(one.circuits for one in stages)
    timed = [(one.ended - one.started, one) for one in done if one.started and one.ended]
    known = sum(one.circuits for _, one in timed)
    if not known or changed == of:
        return HowFar(changed, of)
    took = sum((one for one, _ in timed), timedelta())
    begun = max((one.started for one in stages if not one.is_done and one.started), default=now)
    left = took * (of - changed) / known - (now - begun)
    return HowFar(changed, of, left if left > timedelta() else None)
