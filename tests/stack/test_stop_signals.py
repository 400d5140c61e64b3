"""Who asks a stack to stop is heard, whatever code the signal came in."""

import contextlib
import signal
from collections.abc import Callable

import pytest

from fabric_twin.stack.console import Console
from fabric_twin.stack.stop_signals import StopAsked, StopSignals
from fabric_twin.stack.supervisor import Part, Supervisor

EACH = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])


@EACH
def test_it_is_raised_at_once(number: signal.Signals) -> None:
    with pytest.raises(StopAsked), StopSignals().heard():
        signal.raise_signal(number)


def test_who_asks_twice_does_not_disturb_the_stopping() -> None:
    with StopSignals().heard():
        with contextlib.suppress(StopAsked):
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)


def test_handlers_are_as_before_afterwards() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with StopSignals().heard():
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_question_that_swallows_it_delays_it_until_the_next(
    console: Console, part: Callable[..., Part]
) -> None:
    stop, asked = StopSignals(), 0

    def answers() -> bool:
        nonlocal asked
        asked += 1
        with contextlib.suppress(BaseException):  # as an import may
            signal.raise_signal(signal.SIGTERM)
        return False

    supervisor = Supervisor(console, stop.heed)
    with stop.heard():
        try:
            with pytest.raises(StopAsked):
                supervisor.start([Part("deaf", part("deaf").program, answers)])
        finally:
            supervisor.stop()
    assert asked == 1
    assert supervisor.facts() == []
