"""Open vSwitch for tests, and a cluster on it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.openflow.open_vswitch import OpenVSwitch, require_open_vswitch

#: A row of groups each, and the switch of tier 1 between them.
SWITCHES = {
    "pg1-row-01-1-1": "a1",
    "pg1-row-02-1-1": "a2",
    "pg1-row-t1-1-1-1": "b1",
}


@pytest.fixture(scope="session")
def installed() -> None:
    """Open vSwitch; CI must have it."""
    require_open_vswitch()


@pytest.fixture
def open_vswitch(installed: None, tmp_path: Path) -> Iterator[OpenVSwitch]:
    """A daemon of its own."""
    folder = tmp_path / "ovs"
    folder.mkdir()
    running = OpenVSwitch(folder)
    yield running
    running.stop()


@pytest.fixture
def cluster(open_vswitch: OpenVSwitch) -> OpenVSwitch:
    """Three switches of a cluster, each with 64 ports."""
    for name, datapath in SWITCHES.items():
        open_vswitch.add(name, datapath.rjust(16, "0"))
    return open_vswitch


@pytest.fixture
def targets(tmp_path: Path) -> Callable[..., str]:
    """A file of where switches answer; by `name=address` some elsewhere than at their own."""

    def write(addresses: dict[str, str], datapaths: dict[str, str] | None = None) -> str:
        path = tmp_path / "switches.csv"
        ids = SWITCHES | (datapaths or {})
        rows = [f"{name},{address},{ids[name]}\n" for name, address in addresses.items()]
        path.write_text("device,address,datapath\n" + "".join(rows))
        return str(path)

    return write
