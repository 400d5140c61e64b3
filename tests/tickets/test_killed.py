"""kill -9 at every kind of step, and in between: whoever comes next does what is left, no more."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fabric_twin.core.tickets.life import State
from fabric_twin.switches.fabric import Fabric

from .bench import facts_of, open_pod, put_back, work, write
from .matrix import breaches, killed
from .worker import begin

pytestmark = pytest.mark.integration

#: A step, and the how many-eth time that a worker comes to it; `tests.tickets.matrix` tries all.
STEPS = [
    ("after announcing stage 1", 1),
    ("after telling a switch", 2),
    ("before passing stage 1", 1),
    ("before telling a switch", 5),
    ("after telling a switch", 5),
    ("before noting what is seen", 4),
    ("after telling a switch", 8),
    ("before ending done", 1),
    ("after ending done", 1),
]


@pytest.fixture(scope="module")
def simulator(simulate: Callable[..., Any]) -> Any:
    return simulate("--tuning-ms", "20", slots="1-6")


@pytest.fixture
def fabric(simulator: Any) -> Iterator[Fabric]:
    with open_pod(simulator.said["gnmi"]) as fabric:
        put_back(fabric)
        yield fabric


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.json"
    write(path, state="running", position=(1, "forward", 0), until=0.0)
    return path


@pytest.mark.parametrize(("step", "time"), STEPS, ids=str)
def test_killed_at_a_step(
    step: str, time: int, simulator: Any, fabric: Fabric, journal: Path
) -> None:
    assert killed(simulator.said["gnmi"], fabric, journal, step, time) == []


def test_one_that_was_stopped_past_its_lease_does_nothing_more(
    simulator: Any, fabric: Fabric, journal: Path
) -> None:
    worker = begin(simulator.said["gnmi"], journal, "before telling a switch", 1, "SIGSTOP")
    _, status = os.waitpid(worker.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    # The next one waits for the end of the lease, as everybody has to.
    assert work(fabric, journal).state is State.DONE
    position = facts_of(journal)["position"]
    worker.send_signal(signal.SIGCONT)
    assert "its lease is over" in worker.communicate(timeout=60)[1]
    assert worker.returncode == 1
    assert facts_of(journal)["position"] == position
    assert breaches(fabric, State.DONE) == []
