"""kill -9 of the writer of a report, and of the worker that blocks ports for an order: real
processes, database and fabric. What the phone sends again is taken once."""

import os
from collections.abc import Iterator

import pytest

from tests.nautobot.bases.fabric import simulated
from tests.nautobot.bases.processes.nursery import Nursery
from tests.nautobot.bases.processes.own_database import Database
from tests.nautobot.bases.processes.paths import ROOT

pytestmark = pytest.mark.integration
#: Where the writing of a report dies; after `answer` it is written, and nobody has heard so.
STEPS = ("before keep_steps", "after keep_steps", "after take_effect", "after _tell")


class Hands(Nursery):
    """Phones and workers that are forked, one command at a time."""

    program = "order_nursery.py"


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hands]:
    folder = tmp_path_factory.mktemp("fabric")
    with Database("orders") as made, simulated(folder, "1-3") as (said, environment):
        path = {"PYTHONPATH": str(ROOT), "NAUTOBOT_DB_NAME": made.name}
        hands = Hands({**os.environ, **environment, **path})
        try:
            assert hands.said("make_pod", address=said["gnmi"]) == "made"
            assert hands.said("make_order") == "iw-w1"
            yield hands
        finally:
            hands.process.kill()
            hands.process.communicate()


def test_what_a_phone_sends_again_is_taken_once_wherever_its_writer_died(hands: Hands) -> None:
    for step in (*STEPS, "answer"):
        number = hands.said("hands_come_to", kind="plug")
        assert hands.ask("report", number=number, step=step)["ended"] == "SIGKILL"
        written = step == "answer"
        nothing = {"state": "waiting", "reports": 0, "taken": 0, "cables": []}
        once = {"state": "done", "reports": 1, "taken": 1, "cables": [["Planned", 1]]}
        assert hands.said("order_facts", number=number) == (once if written else nothing)
        for again in (written, True):
            answer = hands.said("report", number=number)
            assert answer == {"taken": True, "again": again, "state": "done"}
            assert hands.said("order_facts", number=number) == once


def test_ports_that_a_dead_worker_made_dark_are_known_to_be_by_the_next(hands: Hands) -> None:
    hands.said("hands_come_to", kind="block")
    assert hands.said("dark") == {"said": [], "shown": []}
    assert hands.ask("advance", step="after keep_dark")["ended"] == "SIGKILL"
    left = hands.said("dark")
    assert (left["said"], bool(left["shown"])) == ([], True)
    hands.said("advance")
    found = hands.said("dark")
    assert found["said"] == found["shown"] == left["shown"]
