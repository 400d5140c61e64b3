"""New circuits held against what their switches lost in the factory, over gNMI."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.circuits.plans import Circuit, Stage
from fabric_twin.core.diagnosis.limits import Limits
from fabric_twin.core.diagnosis.pictures import Baseline
from fabric_twin.core.tickets.course import Course, OnFailure, Position
from fabric_twin.core.tickets.life import State
from fabric_twin.dialects import sonic
from fabric_twin.services.tickets.carry_out import Calm, carry_out
from fabric_twin.services.tickets.light import Light
from fabric_twin.switches.fabric import Answers, Fabric
from tests.simulator.on_paper import OnPaper

# One worker: the simulator is shared by the tests of the module.
pytestmark = pytest.mark.integration

X11, X12 = "iw-ocs-x-1-1", "iw-ocs-x-1-2"
NEW = (Circuit(X11, "1A", "2B", "s1"), Circuit(X11, "2A", "3B", "s1"), Circuit(X12, "1A", "2B"))
CALM = Calm(silent=1.5, light=1.0, pause=0.05, longest_pause=0.2)


@pytest.fixture(scope="module")
def simulator(simulate: Callable[..., Any]) -> Any:
    return simulate("--dialect", "kvm")


@pytest.fixture
def fabric(simulator: Any) -> Iterator[Fabric]:
    with simulator.fabric() as fabric:
        yield fabric


class Turning(OnPaper):
    """A journal in which a ticket may be taken back."""

    why = ""

    def turn(self, before: Position, why: str) -> None:
        self.at, self.why = COURSE.turned(before), why


COURSE = Course("iw-t1", (Stage((), NEW),), OnFailure("undo"))


def carried_out(simulator: Any, fabric: Fabric) -> tuple[State, str]:
    """How a ticket ended whose circuits were never lit; they are gone again afterwards."""
    intended, journal = intended_plant(simulator.design, "iw", simulator.slots), Turning()
    end = carry_out(COURSE, fabric, journal, intended, calm=CALM)
    if end.state is State.DONE:
        back = Turning(COURSE.turned(Position(len(COURSE.stages) + 1)))
        assert carry_out(COURSE, fabric, back, intended, calm=CALM).state is State.UNDONE
    return end.state, journal.why


def test_a_worn_mirror_is_no_way_for_a_new_circuit(simulator: Any, fabric: Fabric) -> None:
    assert carried_out(simulator, fabric) == (State.DONE, "")
    mirror = {"device": X11, "port": "2B"}
    worn = simulator.control("/faults", kind="lossy-mirror", **mirror, loss_db=1.4)["number"]
    state, why = carried_out(simulator, fabric)
    assert state is State.UNDONE
    assert "1A to 2B on iw-ocs-x-1-1" in why
    assert "in the factory" in why
    simulator.control("/mend", number=worn)
    assert carried_out(simulator, fabric) == (State.DONE, "")


def test_rows_of_new_circuits_are_read_and_no_others(fabric: Fabric) -> None:
    pairs = [("1A", "2B"), ("140A", "3B")]
    told = fabric.read_cubes_and_factory([], {X11: pairs, X12: pairs[:1]})[1].all()
    assert {name: list(rows) for name, rows in told.items()} == {X11: pairs, X12: pairs[:1]}
    assert all(0.5 < loss.loss < 6 and loss.accuracy == 0.1 for loss in told[X11].values())


def test_a_switch_measured_under_other_conditions_tells_nothing_and_fails_nothing(
    simulator: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sonic, "MEASURED_AT", (("193.100", "20.00"),))
    with simulator.fabric() as fabric:
        _, told = fabric.read_cubes_and_factory([], {X11: [("1A", "2B")]})
    assert told.all() == {X11: {}}


def test_what_the_factory_said_is_asked_once(
    simulator: Any, fabric: Fabric, monkeypatch: pytest.MonkeyPatch
) -> None:
    intended = intended_plant(simulator.design, "iw", simulator.slots)
    light = Light(intended, fabric, Baseline(), Limits(), time.time)
    asked: list[list[str]] = []
    read = fabric.read_cubes_and_factory

    def counted(cubes: Any, pairs: Any, meanwhile: Any) -> tuple[Answers[Any], Answers[Any]]:
        asked.append(list(pairs))
        return read(cubes, pairs, meanwhile)

    monkeypatch.setattr(fabric, "read_cubes_and_factory", counted)
    for _ in range(2):
        light.look(NEW, {})
    assert asked == [[X11, X12], []]


def test_the_key_of_a_row_names_what_it_was_measured_under() -> None:
    assert sonic.factory_key("1A", "2B", sonic.MEASURED_AT[0]) == "1A-2B|229.100|25.00"
