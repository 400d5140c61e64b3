"""The history of a finding, put together from what was kept of it.

Nobody writes it down as such. Each change of a person, a ticket or an order left the finding as it
was then, with the moments at which it had been opened, acknowledged and mended; runs say which
findings they found anew and which were gone. What runs do leaves no other trace, so a moment of a
time of which neither is kept is not told.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from typing import NamedTuple

from fabric_twin.core.findings.dead_switch import CAME_BACK
from fabric_twin.core.moments import moment

#: Who did it, where a run did that may not be named.
AN_AUDIT = "an audit"
#: What was done, as the change log has it.
OPENED_AGAIN, ASSIGNED = "opened again", "assigned"
#: Lines that are told as they are: of tickets and orders, and of runs.
_BY_HOLDER = ("taken by ", "released by ")
_BY_RUN = ("joined with ", "seen as ", "its cause is now", "it may be now", CAME_BACK)


class Acknowledged(NamedTuple):
    """That somebody knows of it."""

    at: datetime
    who: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Kept:
    """A finding as a change left it."""

    at: datetime
    #: Who made the change; empty where no person did.
    who: str = ""
    #: What was done, in the words of the change log.
    said: str = ""
    opened: datetime | None = None
    mended: datetime | None = None
    acknowledged: Acknowledged | None = None
    owner: str = ""
    due: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Run:
    """A run that may have done something with it."""

    name: str
    started: datetime
    ended: datetime
    #: Whether it found it anew, or found that it was gone.
    opened: bool = False
    mended: bool = False

    def was_at(self, at: datetime) -> bool:
        """Whether it looked then."""
        return self.started <= at <= self.ended


@dataclass(frozen=True)
class Event:
    """One line of the history."""

    at: datetime
    what: str
    who: str = ""


def history(
    first_seen: datetime,
    kept: Sequence[Kept],
    now: Kept,
    runs: Sequence[Run] = (),
    zone: tzinfo = UTC,
) -> list[Event]:
    """What became of a finding, oldest first; `kept` are its changes in order."""
    told = [Event(first_seen, "First seen", AN_AUDIT)]
    told += _opened(first_seen, (*kept, now), runs)
    told += _mended((*kept, now), runs)
    told += _acknowledged((*kept, now))
    told += _assigned(kept, zone)
    for one in kept:
        if one.said.startswith(_BY_HOLDER):
            told.append(Event(one.at, _sentence(one.said), one.who))
        elif one.said.startswith(_BY_RUN):
            told.append(Event(one.at, _sentence(one.said), AN_AUDIT))
    return sorted((_by_run(one, runs) for one in told), key=lambda one: one.at)


def _opened(first_seen: datetime, kept: Iterable[Kept], runs: Iterable[Run]) -> Iterator[Event]:
    """Each time that it was opened: by a person, or by a run that saw it again."""
    known = {first_seen}
    for one in kept:
        if one.said == OPENED_AGAIN:
            yield Event(one.at, "Opened again", one.who)
        elif one.opened and one.opened not in known:
            yield Event(one.opened, "Seen again", AN_AUDIT)
        known |= {one.opened} if one.opened else set()
    yield from _of_runs(runs, known, "Seen again", lambda run: run.opened)


def _mended(kept: Iterable[Kept], runs: Iterable[Run]) -> Iterator[Event]:
    known = {one.mended for one in kept if one.mended}
    what = "Mended: all that would show it was seen, without it"
    yield from (Event(at, what, AN_AUDIT) for at in known)
    yield from _of_runs(runs, known, what, lambda run: run.mended)


def _of_runs(
    runs: Iterable[Run], known: set[datetime], what: str, did: Callable[[Run], bool]
) -> Iterator[Event]:
    """What only runs know of; what a moment tells already is not told twice."""
    for run in runs:
        if did(run) and not any(run.was_at(at) for at in known):
            yield Event(run.ended, what, run.name)


def _acknowledged(kept: Iterable[Kept]) -> Iterator[Event]:
    """Each acknowledgement, also where it was taken back, or is of a time before it was mended."""
    found = {one.acknowledged.at: one.acknowledged for one in kept if one.acknowledged}
    yield from (Event(one.at, f"Acknowledged: {one.why}", one.who) for one in found.values())


def _assigned(kept: Sequence[Kept], zone: tzinfo) -> Iterator[Event]:
    """Each time that it was given to somebody, or another time was set."""
    before: tuple[str, datetime | None] | None = None
    for one in kept:
        now = one.owner, one.due
        # A run that opens it again forgets both without a line: that is no assignment; nor is what
        # the first line that is left has, of those that were kept long enough.
        is_new = before is not None and now != before and any(now)
        if is_new or one.said.startswith(ASSIGNED):
            by = f", to be mended by {moment(one.due, zone)}" if one.due else ""
            yield Event(one.at, f"Assigned to {one.owner or 'nobody'}{by}", one.who)
        before = now


def _by_run(event: Event, runs: Iterable[Run]) -> Event:
    """With the name of the run that did it, where it is known."""
    if event.who != AN_AUDIT:
        return event
    name = next((run.name for run in runs if run.was_at(event.at)), AN_AUDIT)
    return replace(event, who=name)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
