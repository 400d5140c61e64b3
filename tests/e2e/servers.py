"""What a stack runs on, to be asked, killed and stopped: its database, Redis, worker."""

import shutil
import signal
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg2
import redis

from fabric_twin.stack.folder import StateFolder
from fabric_twin.stack.kept import Kept, Program
from fabric_twin.stack.parts import DATABASE
from fabric_twin.stack.postgres import USER, Postgres
from fabric_twin.stack.processes import Process, members_of
from fabric_twin.stack.redis import redis_answers, redis_socket
from tests.e2e.conftest import Running, wait_until

#: By which the database is told to wait, and who waits is found.
LOCK = 7_001


class Servers:
    """The database, Redis and the worker of a stack: to be asked, killed and stopped."""

    def __init__(self, stack: Running) -> None:
        self._stack, self.folder = stack, StateFolder(stack.folder)

    def connect(self) -> Any:
        """A session of the database."""
        host = Postgres(self.folder.postgres).socket
        connection = psycopg2.connect(host=host, user=USER, dbname=DATABASE)
        connection.autocommit = True
        return connection

    def ask(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Rows of the database."""
        with closing(self.connect()) as connection, connection.cursor() as cursor:
            cursor.execute(query, values)
            return list(cursor.fetchall()) if cursor.description else []

    @contextmanager
    def held(self, what: str, said: str = "") -> Iterator[None]:
        """Have the database wait within the transaction that writes this line of a history."""
        when = f"NEW.what = '{what}' AND NEW.said LIKE '{said}%'"
        with self.held_at("INSERT ON fabric_twin_ticketevent", when):
            yield

    @contextmanager
    def held_at(self, write: str, when: str = "true") -> Iterator[None]:
        """Have the database wait within the transaction that writes such a row of a table."""
        body = f"IF {when} THEN PERFORM pg_advisory_xact_lock({LOCK}); END IF; RETURN NEW;"
        with closing(self.connect()) as holder, holder.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
            cursor.execute(
                "CREATE OR REPLACE FUNCTION bench_hold() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$ BEGIN {body} END $$"
            )
            cursor.execute(
                f"CREATE OR REPLACE TRIGGER bench_hold BEFORE {write} "
                "FOR EACH ROW EXECUTE FUNCTION bench_hold()"
            )
            yield

    def wait_held(self) -> None:
        """Until somebody is about to write that line."""
        waits = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = %s AND NOT granted"
        wait_until(lambda: self.ask(waits, LOCK))

    def let_go(self) -> None:
        """Nobody is held any more."""
        self.ask("DROP FUNCTION IF EXISTS bench_hold() CASCADE")

    def parts(self) -> list[dict[str, Any]]:
        """What the stack says of its parts."""
        return list(self._stack.status()["parts"])

    def part(self, name: str) -> dict[str, Any]:
        """What the stack says of one of its parts."""
        [found] = [part for part in self.parts() if part["name"] == name]
        return found

    def processes(self, part: str) -> list[Process]:
        """All of a part but its keeper, who starts it again."""
        keeper = self.part(part)["pid"]
        return [process for process in members_of(keeper) if process.pid != keeper]

    @contextmanager
    def stopped(self, processes: Iterable[Process]) -> Iterator[None]:
        """They stand still, and notice nothing; while nobody is in a transaction, since theirs
        would keep others waiting for a minute each (`repositories/pod_lock.py`)."""
        open_ones = "SELECT state, left(query, 200) FROM pg_stat_activity WHERE xact_start IS NOT "
        open_ones += "NULL AND backend_type = 'client backend' AND pid <> pg_backend_pid()"

        def stop() -> bool:
            _send(processes, signal.SIGCONT)
            _send(processes, signal.SIGSTOP)
            return not self.ask(open_ones)

        try:
            wait_until(stop, lambda: f"in a transaction: {self.ask(open_ones)}")
            yield
        finally:
            _send(processes, signal.SIGCONT)

    def kill(self, part: str) -> None:
        """kill -9 of all of a part at once; its keeper starts it again."""
        processes = self.processes(part)
        for process in processes:
            process.send(signal.SIGKILL)
        assert all(process.wait(60) for process in processes)

    def is_ready(self) -> bool:
        """Whether all parts are, after what was done to one."""
        return {part["state"] for part in self._stack.status()["parts"]} == {"ready"}

    def redis(self, number: int = 0) -> Any:
        """Redis: 0 has the queue, 1 what Nautobot keeps for a while."""
        return redis.Redis(unix_socket_path=str(redis_socket(self.folder.redis)), db=number)

    def lose_redis(self) -> None:
        """Redis is killed and has kept nothing; another one begins empty."""
        with closing(self.redis()) as there:
            there.config_set("appendonly", "no")
            there.config_set("save", "")
            there.set("bench", "kept")
        shutil.rmtree(self.folder.redis / "appendonlydir")
        (self.folder.redis / "dump.rdb").unlink(missing_ok=True)
        self.kill("redis")
        wait_until(lambda: redis_answers(self.folder.redis))
        with closing(self.redis()) as there:
            assert there.get("bench") is None

    def restart_database(self) -> None:
        """At once, as after a loss of power: sessions end in the middle."""
        pid = int((self.folder.postgres / "postmaster.pid").read_text().split()[0])
        server = Process.of(pid)
        assert server
        server.send(signal.SIGQUIT)
        assert server.wait(60)
        wait_until(Postgres(self.folder.postgres).answers)

    @contextmanager
    def second_worker(self) -> Iterator[None]:
        """Another worker beside the first, as the first was started."""
        first = Path("/proc", str(min(self.processes("worker"), key=lambda p: p.pid).pid))
        command = [part for part in (first / "cmdline").read_text().split("\0") if part]
        given = [part for part in (first / "environ").read_text().split("\0") if "=" in part]
        log = self.folder.path / "logs" / "second.log"
        ready = self.folder.path / "second-ready"
        own = {
            "NAUTOBOT_CELERY_WORKER_READINESS_FILE": str(ready),
            "NAUTOBOT_CELERY_WORKER_HEARTBEAT_FILE": str(ready.with_name("second-heartbeat")),
        }
        environment = dict(part.split("=", 1) for part in given) | own
        kept = Kept(Program([*command, "--hostname=second@%h"], log, environment))
        try:
            wait_until(ready.exists)
            yield
        finally:
            kept.stop()


def _send(processes: Iterable[Process], what: signal.Signals) -> None:
    for process in processes:
        process.send(what)
