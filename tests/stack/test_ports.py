"""Each server keeps its port, and gets another when somebody else has taken it, which is said."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.folder import ADDRESS, StateFolder
from fabric_twin.stack.recovery.ports import PORTS, kept_port


@pytest.fixture
def folder(tmp_path: Path) -> StateFolder:
    return StateFolder(tmp_path)


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody else listens on."""
    with socket.socket() as other:
        other.bind((ADDRESS, 0))
        other.listen()
        yield other.getsockname()[1]


def test_a_port_is_kept_while_it_is_free(folder: StateFolder, said: list[str]) -> None:
    first = kept_port(folder, "port", said.append)
    assert kept_port(folder, "port", said.append) == first
    assert said == []


def test_another_is_found_and_said_when_somebody_has_taken_it(
    folder: StateFolder, said: list[str], taken: int
) -> None:
    (folder.path / "fabric-port").write_text(str(taken))
    now = kept_port(folder, "fabric-port", said.append)
    assert said == [
        f"Port {taken} of the simulated fabric is taken by another program: it is {now} now."
    ]
    assert kept_port(folder, "fabric-port", said.append) == now


def test_one_that_was_asked_for_and_is_taken_is_refused(
    folder: StateFolder, said: list[str], taken: int
) -> None:
    with pytest.raises(StackRefused, match=f"port {taken} is taken"):
        kept_port(folder, "port", said.append, taken)
    assert not (folder.path / "port").exists()


def test_none_is_drawn_that_the_kernel_gives_to_outgoing_connections(
    folder: StateFolder, said: list[str]
) -> None:
    drawn = [kept_port(folder, name, said.append) for name in PORTS]
    assert len(set(drawn)) == len(PORTS)
    low, high = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
    assert not [port for port in drawn if low <= port <= high]


def test_a_file_that_a_power_cut_left_empty_is_as_if_it_were_not_there(
    folder: StateFolder, said: list[str]
) -> None:
    (folder.path / "port").touch()
    assert kept_port(folder, "port", said.append)
