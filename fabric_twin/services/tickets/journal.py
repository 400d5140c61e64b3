"""What a ticket's journal keeps, so that the next worker knows how far it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from fabric_twin.core.tickets.carrying import Bad
from fabric_twin.core.tickets.course import Position
from fabric_twin.core.tickets.life import State
from fabric_twin.core.tickets.qualification import Worse
from fabric_twin.switches.states import SwitchState


class Turned(Exception):
    """The journal's position is not the one that was read: somebody turned the ticket round."""


@dataclass(frozen=True)
class StageReport:
    """What came of a stage that was verified."""

    #: The stage, the way it was done, and how often it was tried.
    position: Position
    #: What is bad all the same, and borne: never more than the course's `most_bad`; on the way back
    #: only light, however much.
    bad: Sequence[Bad]
    #: What is good, and not as good as it was before.
    worse: Sequence[Worse] = ()


class Journal(Protocol):
    """Where it is written how far a ticket is, and whose turn it is to go on.

    The worker of a ticket holds a lease of it: a token, and an end in time. Every method
    first asks whether the lease is still theirs and not over; if not, it raises `LeaseLost` (of
    `core/errors.py`) and writes nothing. What a method wrote is on disk when it returns.
    """

    def renew(self) -> float:
        """Prolong the lease: until when on this machine's `time.monotonic()`.

        Asked for before every change and every look, and again and again while switches or cubes
        are waited for: so a lease need not be as long as silent ones take, and is only as long as
        nobody should wait for a worker that is gone. The answer must not be later than the end of
        the lease in the database: take the clock before the query, and add the length of the
        lease. No switch is told anything after what it was before the change.
        """

    def position(self) -> Position:
        """How far the ticket is. A ticket that never ran is at `Position()`."""

    def wait_for_drain(self, before: Position) -> str:
        """Why a stage does not begin before somebody confirmed that its links carry nothing.

        Empty where nobody has to, or somebody did; else it is written that the ticket waits, and
        the lease is given up: a worker is called for once it is confirmed. `Turned` as for
        `announce`.
        """

    def announce(self, before: Position, position: Position) -> None:
        """Write that a stage is about to be done, or tried again; then it may be sent.

        In one transaction: the position; and if `position.reaches` is another state than that of
        the circuits wanted so far, the wanted circuits become `course.states[position.reaches]`,
        each with its owner. Raise `Turned`, and write nothing, unless the position in the journal
        is still `before`. A stage is announced at least once, even if nothing is left to send.
        """

    def showed(self, states: Mapping[str, SwitchState]) -> None:
        """Note what switches showed of circuits on the ticket's ports: `seen` becomes that.

        Called after every look and every change, with the switches that answered. May be written
        together with what is written next, as long as it is written.
        """

    def write_shown(self) -> None:
        """Write what switches showed and is not written yet; asked for while cubes answer."""

    def staged(self, report: StageReport, following: Position) -> None:
        """Write that a stage was verified, and what is next; `Turned` as for `announce`.

        `report.position` is what must still be in the journal.
        """

    def turn(self, before: Position, why: str) -> None:
        """Write that the ticket goes back from here, to `course.turned(before)`; else `Turned`."""

    def end(self, before: Position, state: State, why: str, hangs: Sequence[Bad]) -> None:
        """Write how it ended, and give the lease up; `Turned` as for `announce`.

        `State.DONE` and `State.UNDONE`: the effects of the ticket are made or taken back here, its
        reservations dropped. `State.FAILED`: it is held where it is, and `hangs` are the circuits
        that are not as they should be. The position stays, so that it can be resumed.
        """
