"""What it costs to carry out a ticket: 6,912 circuits of an Ironwood pod at once, or one switch's.

The journal is in memory; everything else is real, over gNMI from another process.
"""

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import pytest

from fabric_twin.core.cabling.plant import Intended, intended_plant
from fabric_twin.core.circuits.plans import Circuit, Stage
from fabric_twin.core.designs.ironwood import DESIGN
from fabric_twin.core.tickets.carrying import Bad
from fabric_twin.core.tickets.course import Course, Position
from fabric_twin.core.tickets.life import State
from fabric_twin.services.tickets.carry_out import carry_out
from fabric_twin.services.tickets.journal import StageReport
from fabric_twin.switches.changes import Change
from fabric_twin.switches.fabric import Fabric
from fabric_twin.switches.states import SwitchState

from .one_pod import NAMES, SLOWEST, ring


@dataclass
class Memory:
    """A journal that costs nothing."""

    at: Position = field(default_factory=Position)

    def renew(self) -> float:
        return time.monotonic() + 120

    def position(self) -> Position:
        return self.at

    def wait_for_drain(self, _before: Position) -> str:
        return ""

    def announce(self, _before: Position, position: Position) -> None:
        self.at = position

    def showed(self, _states: Mapping[str, SwitchState]) -> None:
        pass

    def write_shown(self) -> None:
        pass

    def staged(self, _report: StageReport, following: Position) -> None:
        self.at = following

    def turn(self, _before: Position, why: str) -> None:
        raise AssertionError(why)

    def end(self, _before: Position, _state: State, _why: str, _bad: Sequence[Bad]) -> None:
        pass


@pytest.fixture(scope="module")
def intended() -> Intended:
    return intended_plant(DESIGN, "iw1")


def ticket(switches: Sequence[str], before: int, after: int) -> Course:
    """Every circuit of some switches gives way to another, in one stage."""

    def circuits(step: int) -> tuple[Circuit, ...]:
        return tuple(Circuit(name, *pair, "s1") for name in switches for pair in sorted(ring(step)))

    return Course("iw1-t1", (Stage(remove=circuits(before), add=circuits(after)),))


def test_carry_out_6912_circuits_in_one_ticket(
    benchmark: Any, fabric: Fabric, intended: Intended, small: bool
) -> None:
    """Budget: 1.5 times the slowest switch alone; both are looked at by light, and read back."""
    fabric.apply(dict.fromkeys(NAMES.switches, Change(add=ring(0)))).all()
    fabric.read_cubes().all()
    steps = iter(range(1000))
    alone: list[float] = []
    applied: list[float] = []

    def carried(course: Course) -> None:
        assert carry_out(course, fabric, Memory(), intended).state is State.DONE

    def one_switch(step: int) -> None:
        for which, (before, after) in enumerate([(step, step + 2), (step + 2, step)]):
            course = ticket([SLOWEST], before, after)
            began = time.perf_counter()
            if which:
                change = Change(delete=ring(before), add=ring(after))
                assert fabric.apply({SLOWEST: change}).all()[SLOWEST].is_done
                applied.append(time.perf_counter() - began)
            else:
                carried(course)
                alone.append(time.perf_counter() - began)

    def prepared() -> tuple[tuple[Course], dict[str, Any]]:
        step = next(steps)
        one_switch(step)
        return (ticket(NAMES.switches, step, step + 1),), {}

    # They take turns, so that all see the same machine.
    benchmark.pedantic(carried, setup=prepared, rounds=9)
    if small:
        return
    taken = benchmark.stats.stats
    benchmark.extra_info |= {
        "one switch's ticket, least and median": [round(min(alone), 3), round(median(alone), 3)],
        "one switch's change, least and median": [
            round(min(applied), 3),
            round(median(applied), 3),
        ],
        "ratio of least": round(taken.min / min(alone), 2),
        "ratio of medians": round(taken.median / median(alone), 2),
        "load": [round(load, 1) for load in os.getloadavg()],
    }
