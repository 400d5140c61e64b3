"""The reader of cubes against a server that cuts one tree into updates as it likes."""

import copy
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
import numpy as np
import pytest
from pygnmi.spec.v080 import gnmi_pb2 as gnmi
from pygnmi.spec.v080 import gnmi_pb2_grpc

from fabric_twin.core.errors import NotAsAsked
from fabric_twin.core.identity import ConfirmedBy, Known
from fabric_twin.switches.driver import Access, Patience, Target
from fabric_twin.switches.openconfig_cube import OpenConfigCube

PORT = "4.1.1/X+"


def module(lanes: tuple[float, float]) -> dict[str, Any]:
    channels = [
        {"index": n, "state": {"output-power": {"instant": "1.0"}, "input-power": {"instant": p}}}
        for n, p in enumerate(lanes)
    ]
    return {
        "state": {
            "serial-no": "T1",
            "temperature": {"instant": "40"},
            "fabric-twin-optics:reflection": {"instant": "-46"},
        },
        "physical-channels": {"channel": channels},
    }


HEARD = {"system-name": "iw-c002-t01", "port-id": "1.1.1/X-", "port-description": "T9"}
TREE = {
    "openconfig-system:system": {"state": {"hostname": "iw-c001"}},
    "openconfig-interfaces:interfaces": {
        "interface": [
            {"name": PORT, "state": {"oper-status": "UP"}},
            {"name": "1.1.1/Y+", "state": {"oper-status": "DOWN"}},
        ]
    },
    "openconfig-lldp:lldp": {
        "interfaces": {
            "interface": [
                {"name": PORT, "neighbors": {"neighbor": [{"id": "1", "state": HEARD}]}},
            ]
        }
    },
    "openconfig-platform:components": {
        "component": [
            {"name": "iw-c001-t01", "state": {"oper-status": "openconfig-platform-types:ACTIVE"}},
            {"name": PORT, "openconfig-platform-transceiver:transceiver": module((-1.0, -2.0))},
        ]
    },
}
KEYS = ("name", "index", "id")
Steps = tuple[gnmi.PathElem, ...]


def tree_and_module() -> tuple[dict[str, Any], dict[str, Any]]:
    """A tree of a test's own, and the module in it."""
    tree = copy.deepcopy(TREE)
    component = tree["openconfig-platform:components"]["component"][1]
    return tree, component["openconfig-platform-transceiver:transceiver"]


def cut(node: Any, depth: int, *steps: gnmi.PathElem) -> Iterator[tuple[Steps, Any]]:
    """A tree in pieces: as many names deep as wanted, or leaf by leaf."""
    if not isinstance(node, dict) or len(steps) >= depth:
        yield steps, node
        return
    for name, value in node.items():
        for entry in value if isinstance(value, list) else [value]:
            key = {k: str(entry[k]) for k in KEYS if isinstance(value, list) and k in entry}
            rest = {k: v for k, v in entry.items() if k not in key} if key else entry
            yield from cut(rest, depth, *steps, gnmi.PathElem(name=name, key=key))


class Server(gnmi_pb2_grpc.gNMIServicer):  # type: ignore[misc] # generated without types
    def __init__(self, depth: int) -> None:
        self.depth, self.tree = depth, TREE

    def Get(self, request: gnmi.GetRequest, _context: Any) -> gnmi.GetResponse:  # noqa: N802
        asked = [[elem.name for elem in path.elem] for path in request.path]
        names = max(asked, key=len)
        tree = {
            k: v
            for k, v in self.tree.items()
            if any(not one or k.endswith(f":{one[0]}") for one in asked)
        }
        return gnmi.GetResponse(
            notification=[
                gnmi.Notification(
                    timestamp=1,
                    update=[
                        gnmi.Update(
                            path=gnmi.Path(elem=steps),
                            val=gnmi.TypedValue(json_ietf_val=json.dumps(value).encode()),
                        )
                    ],
                )
                for steps, value in reversed(list(cut(tree, max(self.depth, len(names)))))
            ]
        )


@contextmanager
def reading(depth: int) -> Iterator[tuple[OpenConfigCube, Server]]:
    server, serving = grpc.server(ThreadPoolExecutor(2)), Server(depth)
    gnmi_pb2_grpc.add_gNMIServicer_to_server(serving, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    known = Known("iw-c001", by=ConfirmedBy.LOAD)
    cube = OpenConfigCube(
        Target("iw-c001", f"127.0.0.1:{port}", known=known),
        Access(insecure=True),
        Patience(request=5, tries=1),
    )
    yield cube, serving
    cube.close()
    server.stop(0).wait()


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 4, 5, 99])
def test_a_cube_is_read_however_its_answer_is_cut(depth: int) -> None:
    with reading(depth) as (cube, _):
        heard = cube.neighbours().neighbours
        state = cube.read()
    assert heard == state.neighbours == {PORT: ("iw-c002-t01", "1.1.1/X-", "T9")}
    assert (list(state.ports), state.up.tolist()) == ([PORT], [True])
    assert (dict(state.trays), state.copper_down) == ({"iw-c001-t01": True}, {"1.1.1/Y+"})
    assert state.transceivers[PORT].serial == "T1"
    assert state.light.temperature.tolist() == [40.0]
    assert state.light.reflection.tolist() == [-46.0]
    assert state.light.received[0].tolist() == [-1.0, -2.0]


@pytest.mark.parametrize("depth", [0, 99])
def test_a_leaf_that_is_missing_hides_nothing_else(depth: int) -> None:
    with reading(depth) as (cube, server):
        server.tree = tree = copy.deepcopy(TREE)
        neighbours = tree["openconfig-lldp:lldp"]["interfaces"]["interface"][0]["neighbors"]
        neighbours["neighbor"] += [{"id": "2", "state": {"port-id": "p"}}, {"id": "3"}]
        tree["openconfig-interfaces:interfaces"]["interface"].append({"name": "lo", "config": {}})
        component = tree["openconfig-platform:components"]["component"][1]
        lanes = component["openconfig-platform-transceiver:transceiver"]["physical-channels"]
        del lanes["channel"][0]["state"]["input-power"]
        del lanes["channel"][1]["state"]["output-power"]["instant"]
        state = cube.read()
    assert state.neighbours == {PORT: ("iw-c002-t01", "1.1.1/X-", "T9")}
    assert (list(state.ports), state.copper_down) == ([PORT], {"1.1.1/Y+"})
    assert state.light.received[0].tolist() == pytest.approx([np.nan, -2.0], nan_ok=True)
    assert state.light.transmitted[0].tolist() == pytest.approx([1.0, np.nan], nan_ok=True)


def test_nan_of_a_daemon_in_python_is_a_level_that_is_not_known() -> None:
    with reading(0) as (cube, server):
        server.tree, module = tree_and_module()
        module["state"]["temperature"]["instant"] = np.nan  # written as NaN, which is not JSON
        state = cube.read()
    assert state.light.temperature.tolist() == pytest.approx([np.nan], nan_ok=True)
    assert state.light.received[0].tolist() == [-1.0, -2.0]


@pytest.mark.parametrize("lldp", [{}, {"openconfig-lldp:lldp": {}}])
def test_who_hears_nobody_answers(lldp: dict[str, Any]) -> None:
    with reading(1) as (cube, server):
        server.tree = {k: v for k, v in TREE.items() if k != "openconfig-lldp:lldp"} | lldp
        assert cube.neighbours().neighbours == cube.read().neighbours == {}


@pytest.mark.parametrize("depth", [0, 2, 99])
def test_who_answers_is_asked_every_time_that_neighbours_are(depth: int) -> None:
    with reading(depth) as (cube, server):
        assert cube.neighbours().neighbours.keys() == {PORT}
        server.tree = {**TREE, "openconfig-system:system": {"state": {"hostname": "iw-c007"}}}
        with pytest.raises(NotAsAsked, match="iw-c007"):
            cube.neighbours()


def test_a_value_may_begin_with_its_module_as_if_it_were_the_top() -> None:
    with reading(1) as (cube, server):
        heard = TREE["openconfig-lldp:lldp"]["interfaces"]
        server.tree = {**TREE, "openconfig-lldp:lldp": {"openconfig-lldp:interfaces": heard}}
        assert cube.neighbours().neighbours.keys() == {PORT}
        assert cube.read().neighbours.keys() == {PORT}


def test_what_is_null_is_not_told_and_hides_nothing_else() -> None:
    with reading(0) as (cube, server):
        server.tree, module = tree_and_module()
        server.tree["openconfig-interfaces:interfaces"]["interface"][1]["state"] = None
        module["state"] |= {"temperature": None, "pre-fec-ber": {"instant": None}}
        state = cube.read()
    assert (list(state.ports), state.copper_down) == ([PORT], frozenset())
    assert state.light.temperature.tolist() == pytest.approx([np.nan], nan_ok=True)
    assert state.light.received[0].tolist() == [-1.0, -2.0]


@pytest.mark.parametrize("told", ["+1.5", "01.50", " 1.5 ", "15e-1", 1.5])
def test_a_level_is_a_number_however_it_is_written(told: object) -> None:
    with reading(0) as (cube, server):
        server.tree, module = tree_and_module()
        module["state"]["temperature"]["instant"] = told
        module["physical-channels"]["channel"][0]["index"] = "+0"
        state = cube.read()
    assert state.light.temperature.tolist() == [1.5]
    assert state.light.received[0].tolist() == [-1.0, -2.0]


def test_a_node_that_a_vendor_added_hides_none_of_the_same_name() -> None:
    with reading(2) as (cube, server):
        server.tree = tree = copy.deepcopy(TREE)
        tray = tree["openconfig-platform:components"]["component"][0]
        tray["acme-platform:state"] = {"oper-status": "odd"}
        assert dict(cube.read().trays) == {"iw-c001-t01": True}


@pytest.mark.parametrize("told", ["warm", "", [1], True])
def test_a_level_that_is_no_number_is_refused_with_its_place(told: object) -> None:
    with reading(0) as (cube, server):
        server.tree, module = tree_and_module()
        module["state"]["temperature"]["instant"] = told
        with pytest.raises(NotAsAsked, match=r"`\$.*temperature\.instant`"):
            cube.read()


def test_nothing_is_no_answer() -> None:
    with reading(99) as (cube, server):
        server.tree = {}
        with pytest.raises(NotAsAsked, match="its answer cannot be read"):
            cube.read()
