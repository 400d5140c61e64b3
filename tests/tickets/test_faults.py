"""A ticket is carried out over gNMI while the fabric breaks: the invariants hold in every cell."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fabric_twin.core.tickets.course import Direction, OnFailure, Position
from fabric_twin.core.tickets.life import State
from fabric_twin.services.tickets.carry_out import Looker, carry_out, look
from fabric_twin.switches.changes import Change
from fabric_twin.switches.fabric import Fabric

from .bench import (
    AFTER,
    BEFORE,
    CALM,
    OTHERS,
    SWITCHES,
    FileJournal,
    X,
    circuits,
    course,
    facts_of,
    open_pod,
    plant,
    put_back,
    work,
    write,
)
from .matrix import CELLS, STRIKES, Cell, Faults, breaches, run

# One worker: the simulator is shared by the tests of the module.
pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def simulator(simulate: Callable[..., Any]) -> Any:
    return simulate("--tuning-ms", "20", slots="1-6")


@pytest.fixture
def faults(simulator: Any) -> Iterator[Faults]:
    faults = Faults(simulator.control)
    yield faults
    faults.mend_all()


@pytest.fixture
def fabric(simulator: Any, faults: Faults) -> Iterator[Fabric]:  # mended after us
    with open_pod(simulator.said["gnmi"]) as fabric:
        put_back(fabric)
        yield fabric


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.json"
    write(path, state="running", position=(1, "forward", 0), until=0.0)
    return path


def test_a_ticket_is_done_stage_by_stage_and_every_stage_is_written_down(
    fabric: Fabric, journal: Path
) -> None:
    steps: list[str] = []
    end = work(fabric, journal, told=steps.append)
    assert (end.state, end.why, end.bad) == (State.DONE, "", ())
    written = [step for step in steps if step.startswith("after ") and "stage" in step]
    assert written == [
        "after announcing stage 1",
        "after passing stage 1",
        "after announcing stage 2",
        "after passing stage 2",
        "after announcing stage 3",
        "after passing stage 3",
    ]
    assert circuits(fabric) == dict.fromkeys(SWITCHES, AFTER | OTHERS)
    assert facts_of(journal)["seen"][X] == ["1A-1B", "2A-2B", "3A-4B", "4A-3B", "5A-5B"]


def test_a_ticket_that_is_done_is_undone_the_same_way_back(fabric: Fabric, journal: Path) -> None:
    work(fabric, journal)
    back = course().turned(course().turned(facts_position(journal)))
    write(journal, state="running", position=(back.stage, back.direction, 0))
    end = work(fabric, journal)
    assert (end.state, facts_of(journal)["wanted"]) == (State.UNDONE, 0)
    assert circuits(fabric) == dict.fromkeys(SWITCHES, BEFORE | OTHERS)


@pytest.mark.parametrize("cell", [cell for cell in CELLS if not cell.slow], ids=str)
def test_what_strikes_in_the_middle_harms_nobody(
    cell: Cell, fabric: Fabric, faults: Faults, tmp_path: Path
) -> None:
    ran = run(fabric, faults, tmp_path, cell)
    assert (ran.ended, ran.later, ran.breaches) == (cell.ends, cell.later, [])
    if ran.ended is State.FAILED:
        assert ran.why
        assert all(X in hang for hang in ran.hangs)


def test_a_ticket_that_holds_stays_where_it_is_and_names_what_hangs(
    fabric: Fabric, faults: Faults, tmp_path: Path
) -> None:
    [cell] = [cell for cell in CELLS if cell.kind == "stuck-mirror"]
    ran = run(fabric, faults, tmp_path, cell, OnFailure.HOLD)
    assert ran.why == f"2A to 2B on {X} of s2 should be there: no light passes"
    assert ran.hangs == [ran.why]
    assert (ran.ended, ran.later, ran.breaches) == (State.FAILED, State.DONE, [])


def test_a_lease_is_renewed_while_a_silent_switch_is_waited_for(
    fabric: Fabric, faults: Faults, journal: Path
) -> None:
    steps: list[str] = []
    faults.make("answers-late", {"device": X, "seconds": 3})

    def told(what: str) -> None:
        steps.append(what)
        if steps[-3:] == ["after renewing its lease"] * 3:
            faults.mend_all()

    taken = FileJournal.taken(
        journal, lambda what: told(what) if what.startswith("after") else None
    )
    end = carry_out(course(), fabric, taken, plant(), calm=replace(CALM, beat=0.05))
    assert end.state is State.DONE
    # In a row: nothing else is done meanwhile.
    assert "after renewing its lease,after renewing its lease,after renewing" in ",".join(steps)
    assert not breaches(fabric, State.DONE)


def test_a_port_that_somebody_took_by_hand_is_left_alone(fabric: Fabric, journal: Path) -> None:
    before = circuits(fabric)[X]
    by_hand = Change(delete=frozenset({("1A", "2B")}), add=frozenset({("1A", "100B")}))
    struck: list[str] = []

    def told(what: str) -> None:
        if what == "after passing stage 1":
            struck.append(what)
            assert fabric.apply({X: by_hand}).all()[X].is_done

    end = work(fabric, journal, told=told)
    assert struck
    assert end.state is State.FAILED
    assert end.why == f"1A to 100B on {X} is on a port of the ticket, and is not of it"
    there = circuits(fabric)[X]
    assert there == before - by_hand.delete | by_hand.add | {("3A", "4B"), ("4A", "3B")}
    assert fabric.apply({X: Change(delete=by_hand.add)}).all()[X].is_done
    position = course().turned(facts_position(journal))
    write(journal, state="running", position=(position.stage, position.direction, 0))
    assert work(fabric, journal).state is State.UNDONE
    assert not breaches(fabric, State.UNDONE)


def test_nothing_begins_after_the_window_and_what_began_goes_back(
    fabric: Fabric, journal: Path
) -> None:
    now = [100.0]

    def told(what: str) -> None:
        if what == STRIKES:
            now[0] = 200.0

    end = carry_out(
        replace(course(), window_end=150.0),
        fabric,
        FileJournal.taken(journal, told),
        plant(),
        calm=CALM,
        clock=lambda: now[0],
    )
    assert end.state is State.UNDONE
    assert facts_of(journal)["turned"] == "the window is over, and stage 3 had not begun"
    assert not breaches(fabric, State.UNDONE)


def test_before_it_begins_the_present_is_held_against_the_plan(
    fabric: Fabric, faults: Faults
) -> None:
    looker = Looker(fabric)
    assert look(course(), looker) == look(course(), looker)
    fabric.apply({X: Change(delete=frozenset({("6A", "6B")}))})
    faults.make("stuck-mirror", {"device": X, "port": "6A"})
    fabric.apply({X: Change(add=frozenset({("6A", "6B"), ("3A", "9B")}))})
    present = look(course(), looker)
    assert present.moved == (f"3A on {X} is in 3A to 9B, which is not of this ticket",)
    assert present.dark == {(X, "6A", "6B")}
    fabric.apply({X: Change(delete=frozenset({("6A", "6B"), ("3A", "9B")}))})
    assert look(course(), looker).moved == (f"6A to 6B on {X} of s1 is not there",)


def facts_position(journal: Path) -> Position:
    """How far a ticket is."""
    stage, direction, tries = facts_of(journal)["position"]
    return Position(stage, Direction(direction), tries)
