"""What a simulator writes down of the Sets that came; the suite looks at all that it sends."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest

from fabric_twin.dialects import gnmi as pb
from fabric_twin.switches.changes import Change
from fabric_twin.switches.driver import Access
from fabric_twin.switches.fabric import open_fabric, shared_targets
from tests.our_rows import check_sets, sets_of

SWITCH = "iw-ocs-x-1-1"
CIRCUITS = "/CONFIG_DB/localhost/OCS_CROSS_CONNECT"


def test_every_set_is_written_down_and_one_of_another_row_is_found(
    simulate: Callable[..., Any], tmp_path: Path
) -> None:
    file = tmp_path / "sets"
    address = simulate("--sets", str(file), slots="1-2").said["gnmi"]
    targets = shared_targets(address, [SWITCH])
    with open_fabric(targets, (), Access(insecure=True)) as fabric:
        fabric.apply({SWITCH: Change(add=frozenset({("1A", "2B"), ("2A", "1B")}))}).all()
    [paths] = sets_of(file)
    assert sorted(paths) == [f"{CIRCUITS}/1A-2B", f"{CIRCUITS}/2A-1B"]
    assert json.loads(file.read_text())["prefix"]["target"] == SWITCH
    check_sets(file)

    names = ("CONFIG_DB", "localhost", "VLAN")
    path = pb.Path(elem=[pb.PathElem(name=name) for name in names])
    foreign = pb.SetRequest(prefix=pb.Path(origin="sonic-db", target=SWITCH), delete=[path])
    # Taken or refused, it came.
    with grpc.insecure_channel(address) as channel, suppress(grpc.RpcError):
        pb.calls_on(channel).Set(foreign, timeout=10)
    with pytest.raises(AssertionError):
        check_sets(file)


def test_a_file_that_cannot_be_written_is_refused(run: Callable[..., Any]) -> None:
    pod = ("--design", "ironwood", "--pod", "iw", "--slots", "1", "--insecure")
    refused = run("simulate", *pod, "--sets", "no/such/folder")
    assert refused.exit_code == 2
    assert "no/such/folder: no Set can be written there (no such file or directory)" in (
        refused.stderr
    )


def test_a_set_that_cannot_be_written_down_is_not_made(simulate: Callable[..., Any]) -> None:
    address = simulate("--sets", "/dev/full", slots="1-2").said["gnmi"]
    targets, pair = shared_targets(address, [SWITCH]), ("1A", "2B")
    with open_fabric(targets, (), Access(insecure=True)) as fabric:
        fabric.apply({SWITCH: Change(add=frozenset({pair}))})
        state = fabric.read_circuits([SWITCH]).all()[SWITCH]
    assert pair not in state.configured
