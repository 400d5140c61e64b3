"""The driver does all that it can against every shape in which a switch may answer."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from typing import Any

import pytest

from fabric_twin.switches.changes import Change, Hold
from fabric_twin.switches.driver import Access, Patience, Target
from fabric_twin.switches.gnmi import GnmiSwitch
from fabric_twin.switches.states import PortStatus, SwitchState

# One worker: simulators are shared by the tests of a module.
pytestmark = pytest.mark.integration

PATIENCE = Patience(request=5, tuning=3, tries=2, pause=0.01)
SHAPES = {
    "asked": (),
    "shuffled": ("--shape", "shuffled"),
    "by-row": ("--shape", "by-row"),
    "by-leaf": ("--shape", "by-leaf"),
    "bare": ("--bare",),
    "old release": ("--bare", "--old-release"),
    "slow": ("--saving", "0.5"),
    "kvm by leaf, bare": ("--dialect", "kvm", "--shape", "by-leaf", "--bare"),
}
ONE, TWO, THREE = ("1A", "2B"), ("3A", "4B"), ("1A", "5B")


@pytest.fixture(scope="module", params=SHAPES)
def simulator(request: pytest.FixtureRequest, simulate: Callable[..., Any]) -> Any:
    return simulate(*SHAPES[request.param], slots="1")


@contextmanager
def opened(simulator: Any, name: str) -> Iterator[GnmiSwitch]:
    """The driver of one switch."""
    target = Target(name, simulator.said["gnmi"], called=name)
    with closing(GnmiSwitch(target, Access(insecure=True), PATIENCE)) as driver:
        yield driver


def test_it_reads_a_switch_without_circuits(simulator: Any) -> None:
    with opened(simulator, "iw-ocs-x-1-1") as driver:
        state = driver.read()
    assert (len(state.ports), state.configured, dict(state.carried)) == (288, frozenset(), {})
    assert state.ports["144B"].status is PortStatus.BLOCKED
    assert (state.serial, set(state.fans.values()), set(state.power.values())) == (
        "OCS00007919",
        {True},
        {True},
    )


def test_it_makes_the_first_circuit_and_takes_the_last_away(simulator: Any) -> None:
    with opened(simulator, "iw-ocs-x-1-2") as driver:
        assert driver.apply(Change(add=frozenset({ONE}))).is_done
        assert driver.apply(Change(add=frozenset({TWO}))).is_done
        moved = driver.apply(Change(delete=frozenset({ONE}), add=frozenset({THREE})))
        assert moved.is_done, moved.circuits
        assert driver.read().tuned == {TWO, THREE}
        assert driver.apply(Change(delete=frozenset({TWO, THREE}))).is_done
        assert driver.read().configured == frozenset()


def test_it_blocks_a_port_and_lets_it_go(simulator: Any) -> None:
    def held(state: SwitchState) -> set[str]:
        return {port for port, told in state.ports.items() if told.force_blocked}

    with opened(simulator, "iw-ocs-x-1-3") as driver:
        assert held(driver.hold(Hold(block=frozenset({"3A", "4B"})))) == {"3A", "4B"}
        assert held(driver.hold(Hold(release=frozenset({"3A"})))) == {"4B"}


def test_it_learns_what_the_factory_measured(simulator: Any) -> None:
    with opened(simulator, "iw-ocs-x-1-4") as driver:
        told = driver.factory_losses([("1A", "2B"), ("144A", "144B"), ("145A", "1B")])
    assert set(told) == {("1A", "2B"), ("144A", "144B")}
    assert all(0.8 < loss.loss < 4 for loss in told.values())


def test_it_hears_of_changes(simulator: Any) -> None:
    name = "iw-ocs-x-2-1"
    with opened(simulator, name) as watcher, opened(simulator, name) as changer:
        assert changer.apply(Change(add=frozenset({ONE}))).is_done
        states = watcher.watch()
        assert next(states).tuned == {ONE}
        assert changer.apply(Change(add=frozenset({TWO}))).is_done
        assert any(state.tuned == {ONE, TWO} == state.configured for state in islice(states, 20))
        fault = simulator.control("/faults", kind="fan-lost", device=name, unit=1)
        assert any(not state.fans["FAN 1"] for state in islice(states, 20))
        simulator.control("/mend", number=fault["number"])


def test_while_another_one_saves_the_state_is_believed(simulate: Callable[..., Any]) -> None:
    slow, name = simulate("--saving", "1", slots="1"), "iw-ocs-x-1-1"
    with opened(slow, name) as driver, opened(slow, name) as other:
        # What a checkpoint does not have is looked for in the present: so there is a table before.
        assert other.apply(Change(add=frozenset({TWO}))).is_done
        adding = Change(add=frozenset({ONE}))
        changing = threading.Thread(target=other.apply, args=(adding,))
        changing.start()
        while ONE not in (between := driver.read()).carried:
            pass
        assert (between.configured, set(between.carried)) == ({TWO}, {ONE, TWO})
        # The same is wanted here: it waits for the configuration to follow.
        assert driver.apply(adding).is_done
        changing.join()
