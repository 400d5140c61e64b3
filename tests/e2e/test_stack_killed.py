"""A stack that is killed, stopped and starved of its port comes back, alone, and leaves nothing."""

import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from fabric_twin.stack.folder import StateFolder
from fabric_twin.stack.processes import Process
from fabric_twin.stack.recovery.left_over import left_over
from tests.e2e.conftest import PROGRAM, Running, running, status, wait_until


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder that the tests of this module use one after the other."""
    with TemporaryDirectory(prefix="fabric-twin-killed-") as name:
        Path(name).chmod(0o711)  # as root, PostgreSQL runs as a user of its own
        yield Path(name, "state")
        assert left_over(StateFolder(Path(name, "state"))) == {}


def all_of(folder: Path) -> list[Process]:
    return [process for each in left_over(StateFolder(folder)).values() for process in each]


def down(folder: Path) -> str:
    command = [PROGRAM, "down", "--state", folder]
    return subprocess.run(command, capture_output=True, text=True, check=True).stderr


def keepers_and_supervisor(folder: Path) -> list[Process]:
    facts = status(folder)
    return [Process.from_json(each) for each in (facts["supervisor"], *facts["parts"])]


@contextmanager
def starting(folder: Path, until: str) -> Iterator[None]:
    """A start that is killed by the test, once a part of it is in this state."""
    with subprocess.Popen([PROGRAM, "up", "--no-demo", "--state", folder]) as up:

        def is_there() -> bool:
            assert up.poll() is None
            return until in {f"{part['name']} {part['state']}" for part in status(folder)["parts"]}

        wait_until(is_there)
        yield
        assert up.wait(30) == -signal.SIGKILL


@contextmanager
def taken(port: int) -> Iterator[int]:
    """A port that another program listens on."""
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", port))
        other.listen()
        yield port


def kill(processes: list[Process]) -> None:
    for process in processes:
        process.send(signal.SIGKILL)
    assert all(process.wait(30) for process in processes)


def test_down_ends_a_start_that_has_only_begun(folder: Path) -> None:
    with subprocess.Popen([PROGRAM, "up", "--no-demo", "--state", folder]) as up:
        wait_until(lambda: status(folder)["parts"])
        assert "stopped process" in down(folder)
        assert up.wait(30) == 0
    assert all_of(folder) == []
    assert "nothing runs" in down(folder)


def test_a_start_after_kill_9_of_everything_has_the_same_address(folder: Path) -> None:
    with starting(folder, until="web ready"):
        address = status(folder)["address"]
        kill([*keepers_and_supervisor(folder), *all_of(folder)])
    with starting(folder, until="web starting"):  # so the database is there
        assert status(folder)["address"] == address
        kill(keepers_and_supervisor(folder))  # and leave what they kept


def test_what_is_left_over_is_named_and_ended_and_a_taken_port_is_another(folder: Path) -> None:
    left, facts = all_of(folder), status(folder)
    assert facts["state"] == "left over"
    assert {"postgres", "redis", "web", "worker"} <= {part["name"] for part in facts["parts"]}
    kill(left_over(StateFolder(folder))["web"])  # or nobody could take its port
    with taken(int((folder / "port").read_text())) as port, running(folder, "--no-demo") as stack:
        said = stack.said.read_text()
        assert "Left over by a start that was killed, and ended now: " in said
        assert not any(process.runs() for process in left)
        assert f"Port {port} of the web server is taken by another program" in said
        assert stack.address != f"http://127.0.0.1:{port}/"
        _a_part_that_is_stopped_hangs(stack)
        _down_ends_what_is_stopped(stack)


def _a_part_that_is_stopped_hangs(stack: Running) -> None:
    """It is named, left alone, and ready again when it goes on."""

    def states() -> set[str]:
        return {part["state"] for part in stack.status()["parts"] if part["name"] in names}

    names = ("web", "worker", "beat", "watch")
    processes = [p for name in names for p in left_over(StateFolder(stack.folder))[name]]
    for process in processes:
        process.send(signal.SIGSTOP)
    wait_until(lambda: states() == {"hangs"})
    for process in processes:
        process.send(signal.SIGCONT)
    wait_until(lambda: states() == {"ready"})
    assert {part["restarts"] for part in stack.status()["parts"]} == {0}


def _down_ends_what_is_stopped(stack: Running) -> None:
    """Keepers and supervisor too."""
    for process in [*keepers_and_supervisor(stack.folder), *all_of(stack.folder)]:
        process.send(signal.SIGSTOP)
    assert "stopped process" in down(stack.folder)
    assert all_of(stack.folder) == []
