"""All that a stack keeps, in one folder that is nobody else's.

STATE/
  lock            held by who runs the stack
  run.json        which processes it is, where it is; gone when it is stopped
  admin-password  made at random once (0600), as are
  secret-key      Nautobot's
  api-token       and the administrator's token
  port            of the web server, kept while nobody else takes it
  done.json       what needs not be done again
  logs/           a file for each part
  nautobot/       files that were uploaded, and static files
  postgres/       the database
  redis/          what waits in the queue
"""

import contextlib
import fcntl
import json
import os
import secrets
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.processes import Process

#: The only address that anything listens on.
ADDRESS = "127.0.0.1"


def default_folder() -> Path:
    """Where a stack is kept: FABRIC_TWIN_STATE, or a place that this user has for such things."""
    if named := os.environ.get("FABRIC_TWIN_STATE"):
        return Path(named)
    if os.geteuid() == 0:  # PostgreSQL runs as a user of its own, who may not enter /root
        return Path("/var/lib/fabric-twin")
    home = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
    return home / "fabric-twin"


class StateFolder:
    """The folder of one stack."""

    def __init__(self, path: Path) -> None:
        self.path = path.expanduser().absolute()

    def make(self) -> None:
        """Make the folder; a user of root's, who owns the database, may pass through it."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self.path.chmod(0o711 if os.geteuid() == 0 else 0o700)
            for name in ("logs", "nautobot"):
                (self.path / name).mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise StackRefused(
                f"the folder cannot be made ({(error.strerror or '?').lower()})",
                where=str(self.path),
                remedy="Name another with --state",
            ) from None

    @property
    def postgres(self) -> Path:
        """The database's folder."""
        return self.path / "postgres"

    @property
    def redis(self) -> Path:
        """The queue's folder."""
        return self.path / "redis"

    @property
    def nautobot(self) -> Path:
        """Nautobot's own folder, NAUTOBOT_ROOT."""
        return self.path / "nautobot"

    def log(self, name: str) -> Path:
        """The log of a part."""
        return self.path / "logs" / f"{name}.log"

    def secret(self, name: str, length: int = 24) -> str:
        """A random secret, made once and readable by nobody else."""
        file = self.path / name
        with contextlib.suppress(FileNotFoundError):
            return file.read_text().strip()
        draft = self.path / f".{name}.{os.getpid()}"
        draft.touch(mode=0o600)
        draft.write_text(f"{secrets.token_hex(length)}\n")
        draft.replace(file)
        return self.secret(name)

    def port(self, wanted: int = 0, name: str = "port") -> int:
        """The port of a server: the one wanted, else the one of last time, else a free one."""
        file = self.path / name
        last = int(file.read_text()) if file.exists() else 0
        if wanted and not _is_free(wanted):
            raise StackRefused(
                f"port {wanted} is taken",
                where=ADDRESS,
                remedy="Name another with --port, or none for any that is free",
            )
        port = wanted or (last if last and _is_free(last) else _free_port())
        file.write_text(f"{port}\n")
        return port

    @property
    def done(self) -> dict[str, str]:
        """What was done for good, and of what it was made."""
        file = self.path / "done.json"
        return dict(json.loads(file.read_text())) if file.exists() else {}

    def mark_done(self, what: str, made_of: str = "") -> None:
        """Remember that something need not be done again."""
        self._write("done.json", self.done | {what: made_of})

    @contextlib.contextmanager
    def held(self) -> Iterator[bool]:
        """Whether this process is the one that runs the stack, for as long as this lasts."""
        with (self.path / "lock").open("a") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
                return
            try:
                yield True
            finally:
                (self.path / "run.json").unlink(missing_ok=True)

    def write_run(self, facts: dict[str, Any]) -> None:
        """Tell other processes who runs the stack."""
        self._write("run.json", facts)

    def run(self) -> dict[str, Any] | None:
        """Who runs the stack, if somebody does."""
        facts = self._last_run()
        return facts if facts and Process.from_json(facts["supervisor"]).runs() else None

    def left(self) -> list[dict[str, Any]]:
        """Parts that still run though whoever ran them was killed; they are about to end."""
        facts = self._last_run() if self.run() is None else None
        parts = facts["parts"] if facts else []
        return [part for part in parts if Process.from_json(part).runs()]

    def _last_run(self) -> dict[str, Any] | None:
        try:
            return dict(json.loads((self.path / "run.json").read_text()))
        except (FileNotFoundError, NotADirectoryError):
            return None

    def _write(self, name: str, value: dict[str, Any]) -> None:
        """Write a file that is whole at any time."""
        draft = self.path / f".{name}.{os.getpid()}"
        draft.touch(mode=0o600)
        draft.write_text(json.dumps(value, indent=2) + "\n")
        draft.replace(self.path / name)


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ADDRESS, port))
        except OSError:
            return False
        return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((ADDRESS, 0))
        return int(probe.getsockname()[1])
