"""What came of a change is what was read back, and never what was acknowledged."""

from collections.abc import Iterator

from fabric_twin.core.errors import NoAnswer
from fabric_twin.switches.changes import Change, Hold, Outcome
from fabric_twin.switches.states import CircuitState, PortState, PortStatus, SwitchState
from fabric_twin.switches.verdicts import Trial

PAIR = ("1A", "2B")
EMPTY = SwitchState("s-ocs-x-1-1", {}, frozenset(), {})


def nobody() -> Iterator[SwitchState]:
    raise NoAnswer("it hung up", where="s-ocs-x-1-1", remedy="Look at the switch")
    yield EMPTY


def test_of_a_switch_that_no_longer_answers_nothing_is_known() -> None:
    applied = Trial.of("s-ocs-x-1-1", Change(add=frozenset({PAIR})), EMPTY).watch(nobody())
    assert [(report.outcome, report.why) for report in applied.circuits] == [
        (Outcome.NOT_KNOWN, "it hung up")
    ]
    assert not applied.is_done


def test_what_was_acknowledged_and_is_not_there_is_not_done() -> None:
    applied = Trial.of("s-ocs-x-1-1", Change(add=frozenset({PAIR})), EMPTY).watch([EMPTY])
    assert [report.outcome for report in applied.circuits] == [Outcome.NOT_DONE]
    assert not applied.is_done


def test_while_a_switch_tells_the_configuration_before_a_change_its_state_is_believed() -> None:
    carried = {PAIR: CircuitState(PortStatus.TUNED, PortStatus.TUNED)}
    before = SwitchState("s-ocs-x-1-1", {}, frozenset(), carried)
    after = SwitchState("s-ocs-x-1-1", {}, frozenset({PAIR}), carried)
    trial = Trial.of("s-ocs-x-1-1", Change(add=frozenset({PAIR})), EMPTY)
    assert trial.watch([before, before, after]).is_done
    [left] = trial.watch([before]).circuits
    assert (left.outcome, left.why) == (
        Outcome.NOT_DONE,
        "the switch carries it, and its configuration does not have it",
    )
    gone = Trial.of("s-ocs-x-1-1", Change(delete=frozenset({PAIR})), after)
    still_told = SwitchState("s-ocs-x-1-1", {}, frozenset({PAIR}), {})
    assert gone.watch([still_told, EMPTY]).is_done


def test_only_what_was_refused_is_refused() -> None:
    """A Set that was made: its state is told already, its configuration is of before."""
    moved = {PAIR: CircuitState(PortStatus.TUNED, PortStatus.TUNED)}
    between = SwitchState("s-ocs-x-1-1", {}, frozenset(), moved)
    for state, was_refused, outcome in (
        (between, False, Outcome.NOT_KNOWN),
        (between, True, Outcome.NOT_KNOWN),
        (EMPTY, False, Outcome.NOT_KNOWN),
        (EMPTY, True, Outcome.REFUSED),
    ):
        trial = Trial.of("s-ocs-x-1-1", Change(add=frozenset({PAIR})), EMPTY)
        trial.unacknowledged, trial.was_refused = "no words", was_refused
        [report] = trial.watch([state]).circuits
        assert (report.outcome, report.why) == (outcome, "no words")


def test_a_port_that_its_switch_does_not_show_is_not_known_to_be_released() -> None:
    """As when its driver board is pulled: its configuration may still say that it is blocked."""
    shown = PortState(PortStatus.BLOCKED, "", force_blocked=False)
    there = SwitchState("s-ocs-x-1-1", {"1A": shown}, frozenset(), {})
    release = Hold(release=frozenset({"1A"}))
    assert release.has_moved(there, there)
    assert not release.has_moved(EMPTY, EMPTY)
