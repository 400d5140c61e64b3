"""Debian's own PostgreSQL and Redis in place of the embedded ones, over TCP with passwords."""

import gzip
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

from fabric_twin.stack.empty_database import cache_folder, versions
from fabric_twin.stack.kept import Kept, Program
from tests.e2e.conftest import running, wait_until

PASSWORD = "of this test"  # noqa: S105
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
    """A server that holds Nautobot's tables and not yet the App's, as an operator's may."""
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
    psql = [str(programs / "psql"), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
    for database, text in (("postgres", "CREATE DATABASE twin"), ("twin", nautobots_tables())):
        environment = {**where, "PGDATABASE": database}
        subprocess.run(
            psql, input=text, env=environment, stdout=subprocess.DEVNULL, text=True, check=True
        )
    yield {
        "NAUTOBOT_DB_HOST": "127.0.0.1",
        "NAUTOBOT_DB_PORT": str(port),
        "NAUTOBOT_DB_USER": "twin",
        "NAUTOBOT_DB_PASSWORD": PASSWORD,
        "NAUTOBOT_DB_NAME": "twin",
    }
    kept.stop()


def nautobots_tables() -> str:
    """The dump that the embedded server made, without what only a newer PostgreSQL knows."""
    dump = gzip.decompress((cache_folder() / f"core-{versions()}.sql.gz").read_bytes()).decode()
    return re.sub(
        r"^(\\(un)?restrict .*|SET transaction_timeout = 0;)\n", "", dump, flags=re.MULTILINE
    )


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


def test_the_stack_runs_on_servers_of_the_operators_own(
    place: Path, postgres: Mapping[str, str], redis: Mapping[str, str]
) -> None:
    folder = place / "state"
    with running(folder, "--no-demo", **postgres, **redis) as stack:
        parts = [part["name"] for part in stack.status()["parts"]]
        apps = stack.api().status()["nautobot-apps"]
    assert parts == ["web", "worker", "beat", "watch"]
    assert "fabric_twin" in apps
    assert not (folder / "postgres").exists()
    assert not (folder / "redis").exists()
    logs = "".join(log.read_text() for log in (folder / "logs").iterdir())
    assert PASSWORD not in logs
    assert "Applying fabric_twin.0001_records..." in logs
