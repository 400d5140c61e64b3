"""A loader that is killed half-way, and two loaders at once: real processes, one database."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest

_SCRIPT = """
import sys
import nautobot
nautobot.setup(sys.argv[1])
from tests.nautobot.small import hall
from fabric_twin.repositories.loading import load_pod
from nautobot.dcim.models import Location

def progress(what, rows):
    print(what, flush=True)
    if what == sys.argv[2]:
        sys.stdin.readline()

place = Location.objects.first() or hall()
print(load_pod("s", "small", place, progress=progress))
"""
_ROOT = Path(__file__).parents[2]
_TABLES = ("fabric_twin_pod", "fabric_twin_port", "dcim_rack", "dcim_interface", "dcim_cable")
pytestmark = pytest.mark.integration


class Database:
    """A database of its own, which processes share."""

    name = f"killing_{os.getpid()}"

    def ask(self, query: str, name: str = "") -> int:
        """One number."""
        server = {"host": os.environ["NAUTOBOT_DB_HOST"], "user": os.environ["NAUTOBOT_DB_USER"]}
        with closing(psycopg2.connect(dbname=name or self.name, **server)) as connection:
            connection.autocommit = True
            with connection.cursor() as cursor:
                cursor.execute(query)
                return cursor.fetchone()[0] if cursor.description else 0

    def rows(self) -> dict[str, int]:
        """How many rows each table has."""
        return {table: self.ask(f"SELECT count(*) FROM {table}") for table in _TABLES}  # noqa: S608


@pytest.fixture
def database() -> Iterator[Database]:
    made = Database()
    template = os.environ["FABRIC_TWIN_TEST_TEMPLATE"]
    made.ask(f"CREATE DATABASE {made.name} TEMPLATE {template}", "postgres")
    yield made
    made.ask(f"DROP DATABASE {made.name} WITH (FORCE)", "postgres")


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that do not outlive their test."""
    processes: list[subprocess.Popen[str]] = []
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


def loader(started: list[subprocess.Popen[str]], pause: str = "") -> subprocess.Popen[str]:
    """A process that loads the pod; it waits for a line after it wrote some rows."""
    config = Path(__file__).with_name("nautobot_config.py")
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", _SCRIPT, str(config), pause],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(_ROOT), "NAUTOBOT_DB_NAME": Database.name},
    )
    started.append(process)
    return process


def reach(process: subprocess.Popen[str], what: str) -> None:
    """Wait until a loader has written these rows."""
    assert process.stdout
    assert any(line.strip() == what for line in process.stdout), "it ended before"


def test_a_loader_that_is_killed_leaves_nothing(database, started) -> None:
    loading = loader(started, pause="cables")
    reach(loading, "cables")
    loading.kill()
    loading.wait()
    assert set(database.rows().values()) == {0}
    assert "Pod s: loaded" in loader(started).communicate()[0]
    assert database.rows()["dcim_cable"] == 72


def test_the_second_of_two_loaders_waits_and_finds_it_done(database, started) -> None:
    first = loader(started, pause="cables")
    reach(first, "cables")
    second = loader(started)
    waiting = (
        "SELECT count(*) FROM (SELECT pg_sleep(0.1)) AS pause, pg_locks "
        "WHERE locktype = 'advisory' AND NOT granted"
    )
    while not database.ask(waiting):
        assert second.poll() is None
    assert "Pod s: loaded" in first.communicate("go on\n")[0]
    assert "nothing to load" in second.communicate()[0]
    assert database.rows()["dcim_cable"] == 72
