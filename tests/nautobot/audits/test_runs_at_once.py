"""Audits at once, and workers that are killed or stopped: real processes, one database."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from django.db import connections, transaction

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.diagnosis import Diagnosis
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import Pod
from fabric_twin.operations.audits import store_findings as finding_store
from fabric_twin.operations.audits.run import How, run_audit, sentence
from fabric_twin.repositories import pod_lock
from fabric_twin.stack.empty_database import ensure_empty_database
from fabric_twin.stack.postgres import Postgres
from tests.nautobot.bases.audits.small_findings import cable_at, fade, mend, small_pod
from tests.nautobot.bases.processes.own_database import Database

pytestmark = pytest.mark.integration
CLEAN = "s: 0 findings, 0 new, {} gone, 0 still there: pass."
FOUND = "s: 1 finding, {} new, 0 gone, {} still there: fail."
#: What is said by the driver of a connection that is gone.
GONE = {"OperationalError", "InterfaceError"}
HUNG_UP = "The database hung up or refused, and nothing was written: "
LOST = "s audit 1: its lease is over, and nothing was written."


class RunsDatabase(Database):
    """A database with a pod that lacks a cable."""

    def states(self) -> list[str]:
        """Of runs, in their order."""
        runs = self.ask("SELECT string_agg(state, ' ' ORDER BY number) FROM fabric_twin_auditrun")
        return str(runs).split()

    def message(self) -> str:
        """What the first run has to say."""
        return str(self.ask("SELECT message FROM fabric_twin_auditrun WHERE number = 1"))

    def findings(self) -> int:
        """How many are not mended."""
        return self.ask("SELECT count(*) FROM fabric_twin_finding WHERE state <> 'mended'")

    def end_connections(self) -> None:
        """As a restart does."""
        self.ask(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


#: Workers are forked from here, and find it by its name.
DATABASE = RunsDatabase("runs")


class Worker:
    """A process that does something to the database, and may wait to be told to go on."""

    def __init__(self, do: Callable[["Worker"], str], unblocked: Any) -> None:
        self._here, self._there = multiprocessing.Pipe()
        forked = multiprocessing.get_context("fork")
        self.process = forked.Process(target=self._run, args=(do, unblocked), daemon=True)
        self.process.start()

    def _run(self, do: Callable[["Worker"], str], unblocked: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for connection in connections.all():
            connection.connection = None  # its parent's
            connection.settings_dict |= {
                "NAME": DATABASE.name,
                "HOST": os.environ["NAUTOBOT_DB_HOST"],
            }
        with unblocked.unblock():
            try:
                said = do(self)
            except FabricTwinError as refusal:
                said = str(refusal)
            except Exception as error:  # noqa: BLE001 - the test asks which it was
                said = type(error).__name__
        self._there.send(said)
        os._exit(0)  # nothing of the parent's is to be cleaned up here

    def pause(self, word: str) -> None:
        """Within the process: say how far it is, and wait."""
        self._there.send(word)
        self._there.recv()

    def reach(self, word: str) -> "Worker":
        """Wait until it is as far as this."""
        assert self._here.recv() == word, "it ended before"
        return self

    def last(self) -> str:
        """Let it go on, and hear what it says in the end."""
        self._here.send("go on")
        return str(self._here.recv())

    def signal(self, number: int) -> None:
        """Kill it, stop it, or let a stopped one go on."""
        os.kill(self.process.pid or 0, number)


def making(_worker: Worker) -> str:
    fade(small_pod(), 0)
    return "made"


def mending(_worker: Worker) -> str:
    mend(cable_at(Pod.objects.get(), 0))
    return "mended"


def auditing(lease: float = 60, look: Any = None) -> Callable[[Worker], str]:
    def do(_worker: Worker) -> str:
        how = How(look=look, lease=timedelta(seconds=lease))
        return sentence(run_audit(Pod.objects.get(), how=how))

    return do


def looking(lease: float = 60) -> Callable[[Worker], str]:
    """An audit that waits when it has read what there is."""

    def do(worker: Worker) -> str:
        class Look:
            fingerprint, asked = "", frozenset[str]()

            def diagnose(self, record: Any, intended: Any) -> Diagnosis:
                report = audit_cabling(intended, record.plant)
                worker.pause("looked")
                facts = (report.pod, report.design, report.cables, report.expected)
                return Diagnosis(*facts, report.findings)

            def keep(self, _record: Any) -> str:
                return ""

            def came_back(self, *_asked: Any) -> dict[int, Any]:
                return {}

        return auditing(lease, lambda _record, _scope: Look())(worker)

    return do


def writing(lease: float) -> Callable[[Worker], str]:
    """An audit that waits in the middle of its transaction."""

    def do(worker: Worker) -> str:
        write = finding_store.write_places

        def write_places(*args: Any) -> None:
            write(*args)
            worker.pause("written")

        finding_store.write_places = write_places
        return auditing(lease)(worker)

    return do


def holding(worker: Worker) -> str:
    """A worker that waits while it holds the pod, before there is a lease to end."""
    with transaction.atomic():
        pod_lock.lock_rows(Pod.objects.get().pk)
        worker.pause("holds")
    return "let go"


#: Starts a process.
Start = Callable[[Callable[[Worker], str]], Worker]


@pytest.fixture
def start(django_db_blocker: Any) -> Iterator[Start]:
    """Processes that do not outlive their test."""
    workers: list[Worker] = []

    def begin(do: Callable[[Worker], str]) -> Worker:
        workers.append(Worker(do, django_db_blocker))
        return workers[-1]

    yield begin
    for worker in workers:
        worker.process.kill()
        worker.process.join()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Postgres]:
    """A PostgreSQL of this test's own, which may be restarted."""
    with TemporaryDirectory(prefix="fabric-twin-restarted-") as name:
        Path(name).chmod(0o755)  # as root, PostgreSQL runs as a user of its own
        postgres = Postgres(Path(name, "postgres"), throw_away=True)
        postgres.start()
        monkeypatch.setenv("NAUTOBOT_DB_HOST", postgres.socket)
        template = ensure_empty_database(postgres, print)
        monkeypatch.setenv("FABRIC_TWIN_TEST_TEMPLATE", template)
        yield postgres
        stop(postgres)


def stop(server: Postgres) -> None:
    """As an administrator does: by its number, since forked workers hold the line to its keeper."""
    pid, *_ = (server.folder / "postmaster.pid").read_text().split()
    os.kill(int(pid), signal.SIGINT)
    server.stop()


@pytest.fixture
def database(start: Start) -> Iterator[RunsDatabase]:
    with DATABASE as made:
        assert start(making).last() == "made"
        yield made


def wait_for_queue(database: RunsDatabase, second: Worker) -> None:
    """Until a second run waits for its turn."""
    query = (
        "SELECT count(*) FROM (SELECT pg_sleep(0.1)) AS pause, fabric_twin_auditrun "
        "WHERE state = 'queued'"
    )
    while not database.ask(query):
        assert second.process.is_alive(), "it did not wait"


def test_of_two_audits_the_second_waits_and_finds_what_is_then(database, start) -> None:
    first = start(looking()).reach("looked")
    second = start(auditing())
    wait_for_queue(database, second)
    assert start(mending).last() == "mended"
    assert first.last().startswith(FOUND.format(1, 0))
    assert second.last() == CLEAN.format(1)
    assert database.states() == ["done", "done"]


def test_a_worker_that_is_killed_is_lost_and_the_next_run_does_its_work(database, start) -> None:
    worker = start(writing(2)).reach("written")
    worker.signal(signal.SIGKILL)
    worker.process.join()
    assert database.findings() == 0
    assert start(auditing()).last() == FOUND.format(1, 0)
    assert database.states() == ["lost", "done"]


def test_a_worker_that_was_stopped_past_its_lease_writes_nothing(database, start) -> None:
    worker = start(looking(2)).reach("looked")
    worker.signal(signal.SIGSTOP)
    assert start(mending).last() == "mended"
    assert start(auditing()).last() == CLEAN.format(0)
    worker.signal(signal.SIGCONT)
    assert worker.last().startswith(LOST)
    assert database.findings() == 0
    assert database.states() == ["lost", "done"]


def test_its_lease_is_over_also_where_nobody_took_its_place(database, start) -> None:
    worker = start(looking(1)).reach("looked")
    database.ask("SELECT 1 FROM (SELECT pg_sleep(1.2)) AS pause")
    assert worker.last().startswith(LOST)
    assert database.findings() == 0


def test_a_worker_that_was_stopped_while_it_wrote_holds_nobody_up(database, start) -> None:
    worker = start(writing(2)).reach("written")
    worker.signal(signal.SIGSTOP)
    assert start(auditing()).last() == FOUND.format(1, 0)
    worker.signal(signal.SIGCONT)
    assert worker.last() in GONE
    assert database.findings() == 1
    assert database.states() == ["lost", "done"]


def test_who_stops_while_it_holds_the_pod_keeps_nobody_out_for_long(
    database, start, monkeypatch
) -> None:
    monkeypatch.setattr(pod_lock, "STOPPED", "500ms")
    stopped = start(holding).reach("holds")
    stopped.signal(signal.SIGSTOP)
    assert start(auditing()).last() == FOUND.format(1, 0)
    stopped.signal(signal.SIGCONT)
    assert stopped.last() in GONE


def test_a_database_that_ends_every_connection_leaves_nothing_half_written(database, start) -> None:
    worker = start(writing(2)).reach("written")
    database.end_connections()
    assert worker.last() in GONE
    assert database.findings() == 0
    assert start(auditing()).last() == FOUND.format(1, 0)
    assert database.states() == ["failed", "done"]


@pytest.mark.parametrize("audit", [looking, writing])
def test_a_run_whose_server_is_restarted_fails_and_says_so(server, database, start, audit) -> None:
    worker = start(audit(60)).reach("looked" if audit is looking else "written")
    stop(server)
    server.start()
    assert worker.last() in GONE
    assert database.message().startswith(HUNG_UP)
    assert database.findings() == 0
    assert start(auditing()).last() == FOUND.format(1, 0)
    assert database.states() == ["failed", "done"]


def test_a_run_that_ends_while_its_server_is_down_is_lost(server, database, start) -> None:
    worker = start(writing(2)).reach("written")
    stop(server)
    assert worker.last() in GONE
    server.start()
    assert database.findings() == 0
    assert start(auditing()).last() == FOUND.format(1, 0)
    assert database.states() == ["lost", "done"]
