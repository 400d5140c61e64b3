"""kill -9 of a discovery at its steps: real processes, database and fabric.

Whatever it leaves, the next audit takes away, and no circuit of somebody else.
"""

import os
from collections.abc import Iterator

import pytest

from tests.nautobot.bases.fabric import simulated
from tests.nautobot.bases.processes.nursery import Nursery
from tests.nautobot.bases.processes.own_database import Database
from tests.nautobot.bases.processes.paths import ROOT

pytestmark = pytest.mark.integration
#: One circuit is somebody else's: its two ports are never held.
NOTHING_LEFT = {"circuits": 1, "held": 0}
FREE = 48 * 288 - 2
#: Where it dies: before its ports are held for good, in a round, before and after its circuits go.
STEPS = {
    "after reserve": {"circuits": 1, "held": 0},  # its transaction is not over
    "round": {"held": FREE},
    "before _part": {"held": FREE},
    "before release_places": {"circuits": 1, "held": FREE},
}


class Discoveries(Nursery):
    """Discoveries that are forked, one command at a time."""

    program = "discovery_nursery.py"


@pytest.fixture(scope="module")
def discoveries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Discoveries]:
    folder = tmp_path_factory.mktemp("fabric")
    with Database("discoveries") as made, simulated(folder, "1-2") as (said, environment):
        path = {"PYTHONPATH": str(ROOT), "NAUTOBOT_DB_NAME": made.name}
        discoveries = Discoveries({**os.environ, **environment, **path})
        try:
            assert discoveries.said("make_pod", address=said["gnmi"]) == "made"
            yield discoveries
        finally:
            discoveries.process.kill()
            discoveries.process.communicate()


def test_no_circuit_is_left_wherever_it_died(discoveries: Discoveries) -> None:
    for step, then in STEPS.items():
        assert discoveries.ask("discover", step=step)["ended"] == "SIGKILL", step
        left = discoveries.said("left")
        assert left | then == left, step
        assert step not in ("round", "before _part") or left["circuits"] > 1
        assert discoveries.said("audit") == "done"
        left = discoveries.said("left")
        assert (step, left | NOTHING_LEFT) == (step, left)
    assert "not looked at" in discoveries.said("discover")
    left = discoveries.said("left")
    assert left | NOTHING_LEFT == left
