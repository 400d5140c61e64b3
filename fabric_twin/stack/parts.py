"""The parts of the stack, in the order they start; a new one joins here.

    postgres   \\
    redis       > web, worker, beat, watch
    fabric     /
"""

import os
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from fabric_twin.stack.folder import ADDRESS, StateFolder
from fabric_twin.stack.kept import Program
from fabric_twin.stack.nautobot_server import CONFIG, nautobot_server, web_answers
from fabric_twin.stack.postgres import Postgres
from fabric_twin.stack.redis import redis_answers, redis_command, redis_settings
from fabric_twin.stack.simulated_fabric import SimulatedFabric
from fabric_twin.stack.supervisor import Part

#: The database, unless NAUTOBOT_DB_NAME names another.
DATABASE = "nautobot"
_WEB = Path(__file__).with_name("web.py")
#: Nautobot takes 4 s of a core to start; three of them on a busy machine take long.
_PATIENCE = 300


@dataclass(frozen=True)
class Stack:
    """What runs where: embedded servers, unless the environment names others."""

    folder: StateFolder
    port: int
    #: The simulated fabric of the demo, where there is a demo.
    fabric: SimulatedFabric | None = None

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        return f"http://{ADDRESS}:{self.port}/"

    @property
    def postgres(self) -> Postgres | None:
        """The embedded PostgreSQL, unless NAUTOBOT_DB_HOST names a server."""
        return None if os.environ.get("NAUTOBOT_DB_HOST") else Postgres(self.folder.postgres)

    @property
    def database(self) -> Mapping[str, str]:
        """Where the database is, as Nautobot is told."""
        if postgres := self.postgres:
            return postgres.settings(DATABASE)
        named = {name: os.environ[name] for name in os.environ if name.startswith("NAUTOBOT_DB_")}
        return {"NAUTOBOT_DB_NAME": DATABASE, **named}

    @property
    def has_own_redis(self) -> bool:
        """Whether Redis is embedded: unless NAUTOBOT_REDIS_HOST names a server."""
        return not os.environ.get("NAUTOBOT_REDIS_HOST")

    @property
    def environment(self) -> Mapping[str, str]:
        """What every process of Nautobot's is told; what the operator set for it goes first."""
        folder = self.folder
        chosen = {
            "NAUTOBOT_SECRET_KEY": folder.secret("secret-key", 32),
            "NAUTOBOT_ALLOWED_HOSTS": f"{ADDRESS} localhost",
        }
        chosen |= {name: os.environ[name] for name in chosen if os.environ.get(name)}
        return {
            **chosen,
            "FABRIC_TWIN_STATE": str(folder.path),
            "NAUTOBOT_CONFIG": str(CONFIG),
            "NAUTOBOT_ROOT": str(folder.nautobot),
            "NAUTOBOT_CELERY_HEALTH_PROBES_AS_FILES": "true",
            "NAUTOBOT_CELERY_WORKER_READINESS_FILE": str(_worker_ready(folder)),
            "NAUTOBOT_CELERY_WORKER_HEARTBEAT_FILE": str(folder.path / "worker-heartbeat"),
            "NAUTOBOT_CELERY_BEAT_HEARTBEAT_FILE": str(folder.path / "beat-heartbeat"),
            **self.database,
            **(redis_settings(folder.redis) if self.has_own_redis else {}),
            **(self.fabric.environment if self.fabric else {}),
        }

    def servers(self) -> list[Part]:
        """What Nautobot needs: embedded unless the environment names others; and the fabric."""
        folder, parts = self.folder, []
        if postgres := self.postgres:
            program = postgres.program(folder.log("postgres"))
            parts.append(Part("postgres", program, postgres.answers, lives=postgres.lives))
        if self.has_own_redis:
            program = Program(redis_command(folder.redis), folder.log("redis"))
            parts.append(Part("redis", program, lambda: redis_answers(folder.redis)))
        if self.fabric:
            parts.append(self.fabric.part())
        return parts

    def nautobot(self, first: Iterable[str] = ()) -> list[Part]:
        """What serves people and works for them; what the web server makes first is in web.py."""
        folder = self.folder
        watch = ["--ready-file", str(folder.path / "watch-ready")]
        watch += ["--heartbeat-file", str(folder.path / "watch-heartbeat")]
        return [
            Part("web", self._web(first), lambda: web_answers(self.address), _PATIENCE),
            self._beating("worker", _worker_ready(folder), "celery", "worker", *_WORKER),
            self._beating("beat", folder.path / "beat-heartbeat", "celery", "beat", *_BEAT),
            self._beating("watch", folder.path / "watch-ready", "watch_fabric", *watch),
        ]

    def _beating(self, name: str, ready: Path, *arguments: str) -> Part:
        """A part that answers nobody, and touches a file every few seconds."""
        heartbeat = self.folder.path / f"{name}-heartbeat"
        program = self._program(name, *arguments)
        return Part(name, program, ready.exists, _PATIENCE, ready, lambda: _beats(heartbeat))

    def _program(self, name: str, *arguments: str) -> Program:
        return Program(nautobot_server(*arguments), self.folder.log(name), self.environment)

    def _web(self, first: Iterable[str]) -> Program:
        # -P: beside it stand modules of ours that are named as others of Nautobot's.
        command = [sys.executable, "-P", str(_WEB), *first, "--", *options_of_web(self.port)]
        return Program(command, self.folder.log("web"), self.environment)


_WORKER = ("--loglevel=INFO", "--concurrency=2", "--without-gossip", "--without-mingle")
_BEAT = ("--loglevel=INFO", "--pidfile=")
#: Seconds after which a heartbeat is old: each comes every 5 s or sooner.
_OLD = 10.0


def _beats(heartbeat: Path) -> bool:
    try:
        return time.time() - heartbeat.stat().st_mtime < _OLD
    except FileNotFoundError:
        return False


def options_of_web(port: int) -> list[str]:
    """uWSGI, as Nautobot brings it; two processes, since the pages of one person load at once."""
    options = ["--http-socket", f"{ADDRESS}:{port}", "--master", "--processes=2", "--threads=16"]
    options += ["--enable-threads", "--single-interpreter", "--die-on-term", "--no-orphans"]
    # No harakiri: with threads it killed a process in the middle of a phone's upload, whenever
    # another request of that process ended meanwhile (unbit/uwsgi issue 2706).
    options += ["--buffer-size=32768", "--post-buffering=65536"]
    options += ["--worker-reload-mercy=5", "--reload-mercy=5"]
    # It closes each connection after its answer; a client that is not told would ask on it again.
    options += ["--add-header=Connection: close"]
    # Errors are worth a line; every picture of a page is not.
    return [*options, "--disable-logging", "--log-5xx"]


def _worker_ready(folder: StateFolder) -> Path:
    return folder.path / "worker-ready"
