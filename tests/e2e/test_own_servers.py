"""Debian's own PostgreSQL and Redis in place of the embedded ones, over TCP with passwords."""

import lzma
import os
import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from fabric_twin.stack.empty_database import DUMP, restore
from fabric_twin.stack.kept import Kept, Program
from tests.database.differences import differences
from tests.e2e.conftest import PROGRAM, running, wait_until

PASSWORD = "of this test"  # noqa: S105
TAKEN = (
    r"fabric-twin: database twin on 127\.0\.0\.1: another stack runs on this database "
    r"\(fabric-twin on \S+, process \d+, since [-\d: ]+ \w+\)\. Stop that one first, or name "
    r"another database in NAUTOBOT_DB_NAME\."
)
#: As root PostgreSQL runs as Debian's user of it.
USER = "postgres" if os.geteuid() == 0 else ""


def needed(program: str | None, package: str) -> Path:
    """A program of Debian's; CI must have it."""
    if program is None:
        if os.environ.get("CI"):
            pytest.fail(f"CI must run this: apt-get install {package}")
        pytest.skip(f"there is none here: apt-get install {package}")
    return Path(program)


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    with TemporaryDirectory(prefix="fabric-twin-own-") as name:
        Path(name).chmod(0o711)
        yield Path(name)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def postgres(place: Path) -> Iterator[Mapping[str, str]]:
    """A server with an empty database."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name)
    )
    programs = needed(str(found[-1]) if found else None, "postgresql")
    data, port = place / "postgres", free_port()
    data.mkdir()
    password = place / "password"
    password.write_text(PASSWORD)
    if USER:
        shutil.chown(data, USER)
        shutil.chown(password, USER)
    options = ("--auth=scram-sha-256", "--username=twin", f"--pwfile={password}", "--no-sync")
    subprocess.run(
        [programs / "initdb", *options, "-D", data],
        check=True,
        capture_output=True,
        cwd="/",
        user=USER or None,
        extra_groups=[] if USER else None,
    )
    settings = ("-c", "listen_addresses=127.0.0.1", "-c", f"port={port}", "-c", "fsync=off")
    command = [str(programs / "postgres"), "-D", str(data), "-k", "", *settings]
    kept = Kept(Program(command, place / "postgres.log", user=USER, stop=signal.SIGINT))
    where = {"PGHOST": "127.0.0.1", "PGPORT": str(port), "PGUSER": "twin", "PGPASSWORD": PASSWORD}
    ask = [str(programs / "pg_isready"), "--quiet"]
    wait_until(lambda: subprocess.run(ask, env=where, check=False).returncode == 0)
    for database in ("twin", "restored"):
        subprocess.run([programs / "createdb", database], env=where, check=True)
    yield {
        "NAUTOBOT_DB_HOST": "127.0.0.1",
        "NAUTOBOT_DB_PORT": str(port),
        "NAUTOBOT_DB_USER": "twin",
        "NAUTOBOT_DB_PASSWORD": PASSWORD,
        "NAUTOBOT_DB_NAME": "twin",
    }
    kept.stop()


@pytest.fixture(scope="module")
def redis(place: Path) -> Iterator[Mapping[str, str]]:
    program = needed(shutil.which("redis-server"), "redis-server")
    port = free_port()
    options = ("--bind", "127.0.0.1", "--port", str(port), "--save", "", "--dir", str(place))
    command = [str(program), *options, "--requirepass", "ofthistest"]
    kept = Kept(Program(command, place / "redis.log"))
    wait_until(lambda: "Ready to accept connections" in (place / "redis.log").read_text())
    yield {
        "NAUTOBOT_REDIS_HOST": "127.0.0.1",
        "NAUTOBOT_REDIS_PORT": str(port),
        "NAUTOBOT_REDIS_PASSWORD": "ofthistest",
    }
    kept.stop()


def test_an_older_server_holds_the_same_once_it_is_restored(postgres: Mapping[str, str]) -> None:
    restore({**postgres, "NAUTOBOT_DB_NAME": "restored"})
    names = {"HOST": "PGHOST", "PORT": "PGPORT", "USER": "PGUSER", "PASSWORD": "PGPASSWORD"}
    where = os.environ | {to: postgres[f"NAUTOBOT_DB_{name}"] for name, to in names.items()}
    command = ["pg_dump", "--no-owner", "--no-privileges", "restored"]
    dumped = subprocess.run(command, env=where, capture_output=True, text=True, check=True)
    packaged = lzma.decompress(DUMP.read_bytes()).decode()
    # PostgreSQL 18 is the first that names this kind of constraint.
    unnamed = re.sub(r" CONSTRAINT \w+_not_null\d* NOT NULL", " NOT NULL", packaged)
    assert list(differences(unnamed, dumped.stdout)) == []


def test_the_stack_runs_on_servers_of_the_operators_own(
    place: Path, postgres: Mapping[str, str], redis: Mapping[str, str]
) -> None:
    folder = place / "state"
    with running(folder, "--no-demo", **postgres, **redis) as stack:
        parts = [part["name"] for part in stack.status()["parts"]]
        apps = stack.api().status()["nautobot-apps"]
        refused = subprocess.run(
            [PROGRAM, "up", "--state", place / "second", "--no-demo"],
            env=os.environ | postgres | redis,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    assert refused.returncode == 3
    said = re.fullmatch(TAKEN, refused.stderr.strip())
    assert said, refused.stderr
    assert parts == ["web", "worker", "beat", "watch"]
    assert "fabric_twin" in apps
    assert not (folder / "postgres").exists()
    assert not (folder / "redis").exists()
    logs = "".join(log.read_text() for log in (folder / "logs").iterdir())
    assert PASSWORD not in logs
    _the_next_start_finds_its_tables(folder, {**postgres, **redis})


def _the_next_start_finds_its_tables(folder: Path, servers: Mapping[str, str]) -> None:
    """It looks at them before anything of it runs, and is stopped then."""
    log = folder / "logs" / "migrate.log"
    log.unlink(missing_ok=True)
    command = [PROGRAM, "up", "--state", folder, "--no-demo"]
    with subprocess.Popen(command, env=os.environ | servers) as up:
        wait_until(lambda: log.exists() and "No migrations to apply." in log.read_text())
        up.send_signal(signal.SIGINT)
        assert up.wait(120) == 0
