"""A loader that is killed half-way, and two loaders at once: real processes, one database."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.nautobot.bases.processes.own_database import Database
from tests.nautobot.bases.processes.paths import CONFIG, ROOT

_SCRIPT = """
import sys
import nautobot
nautobot.setup(sys.argv[1])
from tests.nautobot.bases.pods.small import hall
from fabric_twin.operations.pods.load import load_pod
from nautobot.dcim.models import Location

def progress(what, rows):
    print(what, flush=True)
    if what == sys.argv[2]:
        sys.stdin.readline()

place = Location.objects.first() or hall()
print(load_pod("s", "small", place, progress=progress))
"""
pytestmark = pytest.mark.integration


@pytest.fixture
def database() -> Iterator[Database]:
    with Database("killing") as made:
        yield made


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that do not outlive their test."""
    processes: list[subprocess.Popen[str]] = []
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


def loader(
    database: Database, started: list[subprocess.Popen[str]], pause: str = ""
) -> subprocess.Popen[str]:
    """A process that loads the pod; it waits for a line after it wrote some rows."""
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", _SCRIPT, str(CONFIG), pause],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NAUTOBOT_DB_NAME": database.name},
    )
    started.append(process)
    return process


def reach(process: subprocess.Popen[str], what: str) -> None:
    """Wait until a loader has written these rows."""
    assert process.stdout
    assert any(line.strip() == what for line in process.stdout), "it ended before"


def test_a_loader_that_is_killed_leaves_nothing(database, started) -> None:
    loading = loader(database, started, pause="cables")
    reach(loading, "cables")
    loading.kill()
    loading.wait()
    assert set(database.rows().values()) == {0}
    assert "Pod s: loaded" in loader(database, started).communicate()[0]
    assert database.rows()["dcim_cable"] == 72


def test_the_second_of_two_loaders_waits_and_finds_it_done(database, started) -> None:
    first = loader(database, started, pause="cables")
    reach(first, "cables")
    second = loader(database, started)
    waiting = (
        "SELECT count(*) FROM (SELECT pg_sleep(0.1)) AS pause, pg_locks "
        "WHERE locktype = 'advisory' AND NOT granted"
    )
    while not database.ask(waiting):
        assert second.poll() is None
    assert "Pod s: loaded" in first.communicate("go on\n")[0]
    assert "nothing to load" in second.communicate()[0]
    assert database.rows()["dcim_cable"] == 72
