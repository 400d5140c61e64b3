"""What a switch is asked to change, and what came of it, circuit by circuit."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from fabric_twin.switches.states import Pair, SwitchState


@dataclass(frozen=True)
class Change:
    """One transaction on one switch: deletes come before adds.

    It is idempotent: to delete what is not there, or add what is, is done already.
    """

    delete: frozenset[Pair] = frozenset()
    add: frozenset[Pair] = frozenset()

    @classmethod
    def between(cls, present: Iterable[Pair], wanted: Iterable[Pair]) -> "Change":
        """What leads from one set of circuits to another."""
        now, then = frozenset(present), frozenset(wanted)
        return cls(delete=now - then, add=then - now)

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.delete or self.add)


@dataclass(frozen=True)
class Hold:
    """Ports of one switch to block, whatever circuits say, and ports to release."""

    block: frozenset[str] = frozenset()
    release: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.block or self.release)

    def has_moved(self, before: SwitchState, after: SwitchState) -> bool:
        """Whether some port of it is otherwise than it was, or all are as wanted."""
        ports = self.block | self.release
        was, now = (
            {port for port, shown in state.ports.items() if shown.force_blocked and port in ports}
            for state in (before, after)
        )
        return now != was or (ports <= after.ports.keys() and now == self.block)


class Outcome(StrEnum):
    """What came of one circuit, as read back from the switch and never as acknowledged."""

    #: Added, and light passes; or deleted, and gone.
    DONE = "done"
    #: It was so before.
    ALREADY = "already"
    #: The switch refused the transaction, and reads back without it.
    REFUSED = "refused"
    #: Acknowledged, and not done: the switch's configuration does not say so.
    NOT_DONE = "not-done"
    #: Configured, and not carried, or not alone; or the switch carries what was deleted.
    NOT_CARRIED = "not-carried"
    #: A mirror did not get there.
    FAILED = "failed"
    #: Still tuning when the time was over.
    LATE = "late"
    #: The switch did not answer when it was read back, or to a change that reads as not made.
    NOT_KNOWN = "not-known"

    @property
    def is_good(self) -> bool:
        """The circuit is as it was wanted."""
        return self is Outcome.DONE or self is Outcome.ALREADY


class CircuitReport(NamedTuple):
    """What came of one circuit."""

    pair: Pair
    #: Whether it was to be there, or to be gone.
    wanted: bool
    outcome: Outcome
    #: Why, where the switch or what was read says so.
    why: str = ""


@dataclass(frozen=True, eq=False)
class Applied:
    """What came of a change on one switch."""

    switch: str
    circuits: tuple[CircuitReport, ...]
    #: What was read back last, of circuits alone; nothing where the switch no longer answered.
    state: SwitchState | None

    @property
    def is_done(self) -> bool:
        """Everything is as it was wanted."""
        return all(report.outcome.is_good for report in self.circuits)

    @property
    def bad(self) -> tuple[CircuitReport, ...]:
        """Circuits that are not as they were wanted."""
        return tuple(report for report in self.circuits if not report.outcome.is_good)
