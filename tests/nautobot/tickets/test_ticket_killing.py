"""kill -9 of whoever carries out a ticket, at its steps and in between; real processes, database
and fabric. Whoever comes next does what is left, and no more."""

import os
from collections.abc import Iterator

import pytest

from tests.nautobot.bases.fabric import simulated
from tests.nautobot.bases.processes.nursery import Nursery
from tests.nautobot.bases.processes.own_database import Database
from tests.nautobot.bases.processes.paths import ROOT

pytestmark = pytest.mark.integration
DONE = {
    "state": "done",
    "others_circuit": True,
    "circuits": 96,
    "agree": True,
    "reserved": 0,
    "slices": ["Active"],
    "ends": ["finish"],
}
UNDONE = {**DONE, "state": "undone", "circuits": 0, "slices": [], "ends": ["finish", "take-back"]}
#: A step, and the how many-eth time that a worker comes to it. `write` is the end of a transaction.
STEPS = [
    ("before announce", 1),
    ("before write", 1),
    ("after announce", 1),
    ("before set", 1),
    ("after set", 1),
    ("after set", 20),
    ("before staged", 1),
    ("before write", 2),
    ("after staged", 1),
    ("before end", 1),
    ("before write", 3),
    ("after end", 1),
]
#: The suite tries a few of them; `make proof` tries all.
ALL = bool(os.environ.get("FABRIC_TWIN_ALL_CELLS"))
FORTH = STEPS if ALL else [("before write", 1), ("after set", 20), ("before write", 3)]
BACK = STEPS if ALL else [("after set", 20)]


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    folder = tmp_path_factory.mktemp("fabric")
    with Database("tickets") as made, simulated(folder, "1-2") as (said, environment):
        path = {"PYTHONPATH": str(ROOT), "NAUTOBOT_DB_NAME": made.name}
        nursery = Nursery({**os.environ, **environment, **path})
        try:
            assert nursery.said("make_pod", address=said["gnmi"]) == "made"
            yield nursery
        finally:
            nursery.process.kill()
            nursery.process.communicate()


@pytest.fixture
def ticket(nursery: Nursery) -> Iterator[Nursery]:
    """A ticket that is to begin; afterwards everything is as it was before."""
    assert nursery.said("make_ticket").startswith("iw-t")
    yield nursery
    if nursery.said("facts")["state"] == "done":
        assert nursery.said("undo") == "running"
        assert nursery.said("work") == "undone"


@pytest.mark.parametrize(("step", "at"), FORTH, ids=str)
def test_killed_on_the_way_forward(step: str, at: int, ticket: Nursery) -> None:
    assert ticket.ask("work", step=step, at=at, how="SIGKILL")["ended"] == "SIGKILL"
    ticket.said("let_lease_end")
    if ticket.said("facts")["state"] != "done":
        assert ticket.said("work") == "done"
    assert ticket.said("facts") == DONE


@pytest.mark.parametrize(("step", "at"), BACK, ids=str)
def test_killed_on_the_way_back(step: str, at: int, ticket: Nursery) -> None:
    assert ticket.said("work") == "done"
    assert ticket.said("undo") == "running"
    assert ticket.ask("work", step=step, at=at, how="SIGKILL")["ended"] == "SIGKILL"
    ticket.said("let_lease_end")
    if ticket.said("facts")["state"] != "undone":
        assert ticket.said("work") == "undone"
    assert ticket.said("facts") == UNDONE


@pytest.mark.parametrize(("step", "at"), [("before write", 1), *STEPS[5:7] * ALL], ids=str)
def test_a_database_that_is_restarted_is_waited_for(step: str, at: int, ticket: Nursery) -> None:
    assert ticket.said("work", step=step, at=at, how="restart") == "done"
    assert ticket.said("facts") == DONE


def test_a_second_worker_finds_that_somebody_has_it(ticket: Nursery) -> None:
    stopped = ticket.ask("work", step="after announce", how="SIGSTOP")
    assert stopped["ended"] == "stopped"
    assert ticket.said("work").endswith(
        "another worker carries it out, or it does not run. Wait: its page shows how far it is."
    )
    assert ticket.ask("continue", pid=stopped["pid"])["said"] == "done"
    assert ticket.said("facts") == DONE


def test_one_that_was_stopped_past_its_lease_does_nothing_more(ticket: Nursery) -> None:
    stopped = ticket.ask("work", step="before set", at=3, how="SIGSTOP", lease=15.0)
    assert stopped["ended"] == "stopped"
    ticket.said("wait_for_lease")
    assert ticket.said("work") == "done"
    before = ticket.said("facts")
    assert before == DONE
    assert "its lease is over" in ticket.ask("continue", pid=stopped["pid"])["said"]
    assert ticket.said("facts") == before
