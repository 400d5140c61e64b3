"""All that a stack keeps, in one folder that is nobody else's.

STATE/
  lock            held by who runs the stack
  run.json        which processes it is, where it is; gone when it is stopped
  admin-password  made at random once (0600), as are
  secret-key      Nautobot's
  api-token       and the administrator's token
  port            of the web server, kept while nobody else takes it
  done.json       what needs not be done again
  logs/           a file for each part, and one that its processes hold open
  nautobot/       files that were uploaded, and static files
  postgres/       the database
  redis/          what waits in the queue
"""

import contextlib
import fcntl
import json
import os
import secrets
import time
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

    @property
    def logs(self) -> Path:
        """The folder of all logs."""
        return self.path / "logs"

    def log(self, name: str) -> Path:
        """The log of a part."""
        return self.logs / f"{name}.log"

    def secret(self, name: str, length: int = 24) -> str:
        """A random secret, made once and readable by nobody else."""
        file = self.path / name
        with contextlib.suppress(FileNotFoundError):
            return file.read_text().strip()
        self.write(name, secrets.token_hex(length))
        return self.secret(name)

    @property
    def done(self) -> dict[str, str]:
        """What was done for good, and of what it was made."""
        return self._read("done.json") or {}

    def mark_done(self, what: str, made_of: str = "") -> None:
        """Remember that something need not be done again."""
        self.write("done.json", json.dumps(self.done | {what: made_of}, indent=2))

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
        """Tell other processes who runs the stack; on a full disk, over what was told before."""
        text = json.dumps(facts, indent=2)
        try:
            self.write("run.json", text)
        except OSError:
            length = (self.path / "run.json").stat().st_size
            with (self.path / "run.json").open("r+") as file:
                file.write(text.ljust(length))

    def run(self) -> dict[str, Any] | None:
        """Who runs the stack, if somebody does."""
        facts = self._read("run.json")
        return facts if facts and Process.from_json(facts["supervisor"]).runs() else None

    def say_alive(self) -> None:
        """Tell other processes that who runs the stack is not stopped; a full disk is no matter."""
        with contextlib.suppress(OSError):
            os.utime(self.path / "run.json")

    def silent(self) -> float:
        """For how many seconds who runs the stack has not said so."""
        with contextlib.suppress(FileNotFoundError):
            return time.time() - (self.path / "run.json").stat().st_mtime
        return 0.0

    def write(self, name: str, text: str) -> None:
        """Write a small file of the owner's, that is whole at any time, also after a power cut."""
        draft = self.path / f".{name}.{os.getpid()}"
        try:
            draft.touch(mode=0o600)
            with draft.open("w") as file:
                file.write(f"{text}\n")
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self.path / name)
        except OSError:
            draft.unlink(missing_ok=True)
            raise

    def _read(self, name: str) -> dict[str, Any] | None:
        try:
            return dict(json.loads((self.path / name).read_text()))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except ValueError:  # it was not written to its end
            return None
