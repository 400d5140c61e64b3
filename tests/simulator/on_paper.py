"""A journal that nobody interrupts, for a worker of a ticket."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fabric_twin.core.tickets.carrying import Bad
from fabric_twin.core.tickets.course import Position
from fabric_twin.core.tickets.life import State
from fabric_twin.services.tickets.journal import StageReport
from fabric_twin.switches.states import SwitchState


@dataclass
class OnPaper:
    """A journal for one worker that nobody interrupts."""

    at: Position = field(default_factory=Position)
    wanted: int = 0

    def renew(self) -> float:
        return time.monotonic() + 60

    def position(self) -> Position:
        return self.at

    def wait_for_drain(self, _before: Position) -> str:
        return ""

    def announce(self, before: Position, position: Position) -> None:
        assert before == self.at
        self.at, self.wanted = position, position.reaches

    def showed(self, states: Mapping[str, SwitchState]) -> None:
        pass

    def write_shown(self) -> None:
        pass

    def staged(self, report: StageReport, following: Position) -> None:
        assert report.position == self.at
        self.at = following

    def turn(self, before: Position, why: str) -> None:
        raise AssertionError(f"{before} is taken back: {why}")

    def end(self, before: Position, _state: State, _why: str, _bad: Sequence[Bad]) -> None:
        assert before == self.at
