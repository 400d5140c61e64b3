"""What came of a change, judged by what is read back and never by what was acknowledged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self

from fabric_twin.core.errors import NoAnswer
from fabric_twin.switches.changes import Applied, Change, CircuitReport, Outcome
from fabric_twin.switches.states import Pair, PortStatus, SwitchState

#: Outcomes that may still turn into another, as long as patience lasts.
_OPEN = {Outcome.LATE, Outcome.NOT_CARRIED}


@dataclass
class Trial:
    """A change under way on one switch."""

    switch: str
    change: Change
    #: What the switch has to be asked for, by name; the rest was so before.
    delete: Sequence[Pair] = ()
    add: Sequence[Pair] = ()
    already: dict[Pair, CircuitReport] = field(default_factory=dict)
    #: Whether the switch shows a circuit only when its mirrors are there.
    shown_late: bool = False
    #: Why the switch did not acknowledge what it did a part of all the same.
    unacknowledged: str = ""
    #: Whether it said so itself; else it may be at it still.
    was_refused: bool = False

    @classmethod
    def of(
        cls, switch: str, change: Change, before: SwitchState, *, shown_late: bool = False
    ) -> Self:
        """Leave out what is so before."""
        delete = change.delete & (before.configured | before.carried.keys())
        add = change.add - (before.tuned - before.crossed.keys())
        already = {
            pair: CircuitReport(pair, wanted, Outcome.ALREADY, "" if wanted else "does not exist")
            for pairs, wanted in ((change.delete - delete, False), (change.add - add, True))
            for pair in sorted(pairs)
        }
        return cls(switch, change, sorted(delete), sorted(add), already, shown_late)

    @property
    def open(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.delete or self.add)

    def conflict(self, before: SwitchState) -> str:
        """Which port the change would put into two circuits; empty where it puts none.

        Switches do not look: who asks them has to.
        """
        # What is carried and not configured, a stale circuit, would be carried beside the new one.
        there = before.configured.union(before.carried)
        taken = {port: pair for pair in there.difference(self.delete, self.add) for port in pair}
        for pair in self.add:
            for port in pair:
                if port in taken:
                    stale = "" if taken[port] in before.configured else ", which is not configured"
                    return f"port {port} is in circuit {' to '.join(taken[port])}{stale}"
                taken[port] = pair
        return ""

    def has_moved(self, before: SwitchState, after: SwitchState) -> bool:
        """Whether some circuit of the change is otherwise than it was."""
        return any(
            (pair in before.configured, pair in before.carried)
            != (pair in after.configured, pair in after.carried)
            for pair in (*self.delete, *self.add)
        )

    def watch(self, looks: Iterable[SwitchState]) -> Applied:
        """Look until every circuit is settled, or patience ends."""
        still_open = _OPEN | {Outcome.NOT_DONE} if self.shown_late else _OPEN
        state: SwitchState | None = None
        try:
            for state in looks:
                if not self._is_as_wanted(state) and self._is_tuning(state):
                    continue
                reports = self._reports(state)
                if not any(
                    report.outcome in still_open or _differs(report, state) for report in reports
                ):
                    return self._applied(reports, state)
        except NoAnswer as error:
            # It was acknowledged, and now nobody can say what came of it.
            return self._applied(self._all(Outcome.NOT_KNOWN, error.what), None)
        return self.verdict(state)

    def _is_tuning(self, state: SwitchState) -> bool:
        """Whether some mirror is still on its way: then no more needs to be known yet."""
        carried = state.carried
        return any(
            PortStatus.TUNING in (carried[pair].a_status, carried[pair].b_status)
            for pair in self.add
            if pair in carried
        )

    def verdict(self, state: SwitchState | None) -> Applied:
        """What came of each circuit, as a state shows it."""
        reports = self._all(Outcome.NOT_KNOWN, "") if state is None else self._reports(state)
        return self._applied(reports, state)

    def refused(self, why: str, state: SwitchState) -> Applied:
        """The switch refused the whole transaction, and shows a state all the same."""
        return self._applied(self._all(Outcome.REFUSED, why), state)

    def _applied(self, reports: list[CircuitReport], state: SwitchState | None) -> Applied:
        if self.unacknowledged:
            reports = [self._not_acknowledged(one, state) for one in reports]
        return Applied(self.switch, (*self.already.values(), *reports), state)

    def _not_acknowledged(self, report: CircuitReport, state: SwitchState | None) -> CircuitReport:
        """Refused is only what the switch refused, and reads back without, by all that it tells."""
        if report.outcome is not Outcome.NOT_DONE:
            return report
        refused = self.was_refused and state is not None and not _differs(report, state)
        outcome = Outcome.REFUSED if refused else Outcome.NOT_KNOWN
        return report._replace(outcome=outcome, why=self.unacknowledged)

    def _all(self, outcome: Outcome, why: str) -> list[CircuitReport]:
        return [
            CircuitReport(pair, wanted, outcome, why)
            for pairs, wanted in ((self.delete, False), (self.add, True))
            for pair in pairs
        ]

    def _is_as_wanted(self, state: SwitchState) -> bool:
        """Whether the switch shows all that was wanted, and nothing that was not."""
        delete = set(self.delete)
        gone = delete.isdisjoint(state.configured) and delete.isdisjoint(state.carried)
        alone = state.crossed.keys().isdisjoint(self.add)
        return gone and alone and state.tuned.issuperset(self.add)

    def _reports(self, state: SwitchState) -> list[CircuitReport]:
        if self._is_as_wanted(state):
            # What is seldom otherwise is not asked circuit by circuit.
            return self._all(Outcome.DONE, "")
        gone = [CircuitReport(pair, False, *_gone(pair, state)) for pair in self.delete]
        return gone + [CircuitReport(pair, True, *_there(pair, state)) for pair in self.add]


def _differs(report: CircuitReport, state: SwitchState) -> bool:
    """Whether the configuration says of a circuit what the state does not: it may be of before.

    While a change is made, some switches answer with the configuration before it.
    """
    told = report.pair in state.configured, report.pair in state.carried
    return report.outcome is Outcome.NOT_DONE and told == (not report.wanted, report.wanted)


def _gone(pair: Pair, state: SwitchState) -> tuple[Outcome, str]:
    if pair in state.configured:
        return Outcome.NOT_DONE, "it is still configured"
    if pair in state.carried:
        return Outcome.NOT_CARRIED, "it is no longer configured, and still carried"
    return Outcome.DONE, ""


def _there(  # noqa: PLR0911  # one for each outcome
    pair: Pair, state: SwitchState
) -> tuple[Outcome, str]:
    circuit = state.carried.get(pair)
    if pair not in state.configured:
        shown = "the switch carries it, and its configuration"
        who = shown if circuit else "the switch acknowledged it, and"
        return Outcome.NOT_DONE, f"{who} does not have it"
    if circuit is None:
        return Outcome.NOT_CARRIED, "it is configured, and not carried"
    if other := state.crossed.get(pair):
        return Outcome.NOT_CARRIED, f"one of its ports is in circuit {' to '.join(other)} too"
    if circuit.is_tuned:
        return Outcome.DONE, ""
    for port, status in zip(pair, (circuit.a_status, circuit.b_status), strict=True):
        if status is PortStatus.FAILED:
            return Outcome.FAILED, f"the mirror of {port} did not reach its position"
        if status is PortStatus.BLOCKED:
            return Outcome.FAILED, f"{port} is blocked"
    return Outcome.LATE, "its mirrors are still on their way"
