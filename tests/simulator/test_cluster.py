"""A cluster over gNMI, read by a client that is not ours: its links, its neighbours, its faults."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from pygnmi.client import gNMIclient, gNMIException

from tests.core.groups.examples import EXAMPLES, example

# One worker: the simulator is shared by the tests of the module.
pytestmark = pytest.mark.integration

OF = ("--design", str(EXAMPLES / "one-switch.yaml"), "--pod", "pg1")
GROUP, SWITCH = "pg1-r01c02", "pg1-row-01-1-1"
CABLE = f"{GROUP}:1.1/W1"


@pytest.fixture(scope="module")
def cluster(begin_simulator: Callable[..., Any]) -> Any:
    return begin_simulator(example("one-switch"), *OF)


@pytest.fixture
def client(cluster: Any) -> Iterator[gNMIclient]:
    host, _, port = cluster.said["gnmi"].partition(":")
    with gNMIclient(target=(host, port), insecure=True) as client:
        yield client


def read(client: gNMIclient, target: str, path: str) -> Any:
    [note] = client.get(path=[path], target=target, encoding="json_ietf")["notification"]
    return note["update"][0]["val"]


def link(client: gNMIclient, target: str, port: str) -> str:
    state = read(client, target, f"openconfig:interfaces/interface[name={port}]/state")
    return str(state["oper-status"])


def heard(client: gNMIclient, target: str) -> dict[str, tuple[str, str]]:
    """Whom each port of a device hears."""
    told = read(client, target, "openconfig:lldp/interfaces")["interface"]
    states = {row["name"]: row["neighbors"]["neighbor"][0]["state"] for row in told}
    return {port: (state["system-name"], state["port-id"]) for port, state in states.items()}


def test_links_and_neighbours_are_told_from_both_ends(client: gNMIclient) -> None:
    assert heard(client, GROUP) == {"1.1/W1": (SWITCH, "3"), "1.4/E1": (SWITCH, "4")}
    there = heard(client, SWITCH)
    assert sorted(map(int, there)) == list(range(1, 9))
    assert (there["3"], there["4"]) == ((GROUP, "1.1/W1"), (GROUP, "1.4/E1"))
    assert [link(client, SWITCH, port) for port in ("3", "9")] == ["UP", "DOWN"]
    path = "openconfig:lldp/interfaces/interface[name=3]/neighbors/neighbor[id=1]/state/{}"
    assert read(client, SWITCH, path.format("port-id")) == "1.1/W1"
    assert read(client, SWITCH, path.format("chassis-id")) == GROUP
    assert read(client, SWITCH, "openconfig:system/state/hostname") == SWITCH


def test_a_cable_that_is_out_or_broken_is_down_at_both_ends(
    cluster: Any, client: gNMIclient
) -> None:
    for kind in ("missing", "broken"):
        fault = cluster.control("/faults", kind=kind, cable=CABLE)
        assert (link(client, GROUP, "1.1/W1"), link(client, SWITCH, "3")) == ("DOWN", "DOWN")
        assert "1.1/W1" not in heard(client, GROUP)
        assert "3" not in heard(client, SWITCH)
        cluster.control("/mend", number=fault["number"])
    assert heard(client, SWITCH)["3"] == (GROUP, "1.1/W1")


def test_a_device_without_power_does_not_answer_and_is_heard_by_nobody(
    cluster: Any, client: gNMIclient
) -> None:
    fault = cluster.control("/faults", kind="cube-down", device=GROUP)
    with pytest.raises(gNMIException, match=f"{GROUP} does not answer"):
        heard(client, GROUP)
    assert heard(client, SWITCH).keys() == {"1", "2", "5", "6", "7", "8"}
    cluster.control("/mend", number=fault["number"])
    fault = cluster.control("/faults", kind="cube-down", device=SWITCH)
    assert heard(client, GROUP) == {}
    cluster.control("/mend", number=fault["number"])
    assert len(heard(client, GROUP)) == 2


def test_a_technician_moves_a_cable_as_a_remedy_says(cluster: Any, client: gNMIclient) -> None:
    wrong = {"kind": "misplugged", "cable": CABLE, "device": SWITCH, "port": "40"}
    cluster.control("/faults", **wrong)
    assert heard(client, GROUP)["1.1/W1"] == (SWITCH, "40")
    step = {"do": "move", "cable": CABLE, "end": "b", "to": [SWITCH, "3"]}
    assert cluster.control("/work", steps=[step])["told"] == [{"step": 1, "done": True}]
    assert heard(client, GROUP)["1.1/W1"] == (SWITCH, "3")
    assert cluster.control("/faults")["faults"] == []


@pytest.mark.parametrize(
    "wish",
    [
        {"kind": "dirty", "device": GROUP, "port": "1.1/W1"},
        {"kind": "switch-down", "device": SWITCH},
        {"kind": "tray-down", "device": GROUP},
        {"kind": "stuck-mirror", "device": SWITCH, "port": "1"},
    ],
    ids=lambda wish: wish["kind"],
)
def test_what_a_cluster_does_not_have_cannot_be_broken(cluster: Any, wish: dict[str, str]) -> None:
    with pytest.raises(HTTPError) as refused:
        cluster.control("/faults", **wish)
    said = refused.value.read().decode()
    assert f"a cluster has no faults of the kind {wish['kind']}" in said
    assert "cube-down" in said
    assert cluster.control("/faults")["faults"] == []


def test_it_survives_a_restart(
    begin_simulator: Callable[..., Any], tmp_path: Path, client: gNMIclient
) -> None:
    state = ("--state", str(tmp_path / "cluster.npz"))
    first = begin_simulator(example("one-switch"), *OF, *state)
    first.control("/faults", kind="missing", cable=CABLE)
    first.control("/faults", kind="cube-down", device="pg1-r01c01")
    first.stop()
    second = begin_simulator(example("one-switch"), *OF, *state)
    host, _, port = second.said["gnmi"].partition(":")
    with gNMIclient(target=(host, port), insecure=True) as again:
        assert heard(again, SWITCH).keys() == {"4", "5", "6", "7", "8"}
    assert heard(client, SWITCH).keys() == set("12345678")


def test_chance_breaks_only_what_a_cluster_has(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "rates.json").write_text('{"version": 1, "rates": {"dirty": 2}}')
    refused = run("simulate", *OF, "--insecure", "--faults", str(tmp_path / "rates.json"))
    assert refused.exit_code == 2
    assert "rates, dirty: a cluster has no faults of the kind dirty" in refused.stderr
