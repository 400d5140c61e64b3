"""kill -9 of an audit that makes test circuits, at its steps: real processes, database and fabric.

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
#: One circuit is somebody else's, whom no audit touches.
NOTHING_LEFT = {"circuits": 1, "held": 0, "recorded": 1}
#: Where it dies: with ports held and no circuit, with circuits, and with circuits gone.
STEPS = {
    "after reserve": {"circuits": 1, "held": 0},  # its transaction is not over
    "look": {"circuits": 2, "held": 2},
    "before _part": {"circuits": 2, "held": 2},
    "before release_places": {"circuits": 1, "held": 2},
}


class Audits(Nursery):
    """Audits that are forked, one command at a time."""

    program = "audit_nursery.py"


@pytest.fixture(scope="module")
def audits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Audits]:
    folder = tmp_path_factory.mktemp("fabric")
    with Database("light_tests") as made, simulated(folder, "1-2") as (said, environment):
        path = {"PYTHONPATH": str(ROOT), "NAUTOBOT_DB_NAME": made.name}
        audits = Audits({**os.environ, **environment, **path})
        try:
            assert audits.said("make_pod", address=said["gnmi"]) == "made"
            assert audits.said("audit") == "done"
            assert audits.said("write_unseen") == "dirt"
            yield audits
        finally:
            audits.process.kill()
            audits.process.communicate()


def test_no_circuit_is_left_wherever_it_died_and_the_finding_waits(audits: Audits) -> None:
    for step, then in STEPS.items():
        assert audits.ask("look_by_light", step=step)["ended"] == "SIGKILL", step
        assert audits.said("left") | then == audits.said("left"), step
        assert audits.said("audit") == "done"
        assert (step, audits.said("left")) == (step, NOTHING_LEFT)
        assert "mended" not in audits.said("states")
    assert "test circuits: 1" in audits.said("look_by_light")
    assert audits.said("left") == NOTHING_LEFT
    assert "mended" in audits.said("states")
