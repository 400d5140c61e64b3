"""Fault x step: nothing is lost, doubled, blocked for ever, or said to be right that is not.

Real processes on a machine of their own (conftest.py): each step is held in the middle by the
database, something breaks, the step goes on, all is mended; then the step must end, and be right.
FABRIC_TWIN_ALL_CELLS=1 (`make proof`) tries all cells.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import psycopg2
import pytest

from tests.e2e.conftest import CELL, Running, wait_until
from tests.e2e.under_faults.faults import FAULTS, Fault, let_time_pass
from tests.e2e.under_faults.steps import STEPS, Step

# On a machine of its own, twenty seconds and more for each.
pytestmark = pytest.mark.weekly

CELLS = [
    (fault, step) for fault in FAULTS for step in STEPS if step not in FAULTS[fault].leaves_out
]


@pytest.fixture
def step(request: pytest.FixtureRequest, machine: tuple[Running, frozenset[str]]) -> Iterator[Step]:
    """A step that is about to be asked for, on a stack that is whole."""
    name, what = request.param
    stack, ours = machine
    needed = FAULTS[name].needs
    if needed and needed not in ours:
        pytest.skip(f"the {needed} of this machine is not ours")
    step = STEPS[what](what, stack)
    wait_until(step.servers.is_ready)
    step.prepare()
    yield step
    wait_until(step.servers.is_ready)
    let_time_pass(step.servers)
    step.clean()
    step.servers.let_go()


@pytest.mark.parametrize(
    ("name", "step"),
    [pytest.param(name, (name, step), id=f"{name}-{step}") for name, step in CELLS],
    indirect=["step"],
)
def test_a_step_ends_and_is_right_whatever_breaks(
    name: str, step: Step, record_property: Callable[[str, object], None]
) -> None:
    fault, begun = FAULTS[name], time.monotonic()
    if fault.is_first:
        fault.strike(step)
        step.begin()
    else:
        break_in_the_middle(step, fault)
    time.sleep(fault.lasts)
    fault.mend(step)
    wait_until(step.servers.is_ready)
    step.away = fault.hides
    step.settle()
    record_property(CELL, (name, step.name, step.seen(), time.monotonic() - begun))


def break_in_the_middle(step: Step, fault: Fault) -> None:
    """Hold the step where it writes, break something, and let it go on."""
    # Who holds it may hang up with the database, and lets it go so.
    with suppress(psycopg2.Error), step.servers.held_at(step.write, step.when):
        step.begin()
        step.servers.wait_held()
        fault.strike(step)
