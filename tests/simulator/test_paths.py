"""What paths may lead to: every entry of a list, rows that come and go, ports as they were."""

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest
from pygnmi.client import gNMIclient, gNMIException

from fabric_twin.dialects import gnmi as pb

# One worker: simulators are shared by the tests of a module.
pytestmark = pytest.mark.integration

SWITCH, CUBE = "iw-ocs-x-1-1", "iw-c001"
CONFIG = "sonic-db:CONFIG_DB/localhost"


@pytest.fixture(scope="module")
def simulator(simulate: Callable[..., Any]) -> Any:
    return simulate(slots="1-2")


@pytest.fixture
def client(simulator: Any) -> Iterator[gNMIclient]:
    host, _, port = simulator.said["gnmi"].partition(":")
    with gNMIclient(target=(host, port), insecure=True) as client:
        yield client


def told(client: gNMIclient, path: str, target: str) -> dict[str, Any]:
    [note] = client.get(path=[path], target=target, encoding="json_ietf")["notification"]
    return {update["path"]: update["val"] for update in note["update"]}


@pytest.mark.parametrize("step", ["interface[name=*]", "interface"])
def test_every_interface_of_a_cube_is_told_one_by_one(client: gNMIclient, step: str) -> None:
    links = told(client, f"openconfig:interfaces/{step}/state/oper-status", CUBE)
    assert len(links) == 96 + 144
    assert links["interfaces/interface[name=4.3.2/X+]/state/oper-status"] == "DOWN"


@pytest.mark.parametrize(
    "path",
    [
        "interfaces/*[name=4.3.2/X+]/state/oper-status",
        "interfaces/*/*/oper-status",
        "*/interface[name=4.3.2/X+]/state/oper-status",
        ".../oper-status",
        "interfaces/.../oper-status",
    ],
)
def test_wildcards_stand_for_one_name_or_for_many(client: gNMIclient, path: str) -> None:
    links = told(client, f"openconfig:{path}", CUBE)
    assert links["interfaces/interface[name=4.3.2/X+]/state/oper-status"] == "DOWN"


def test_a_switch_knows_no_wildcard(client: gNMIclient) -> None:
    with pytest.raises(gNMIException, match="No valid entry found for path"):
        told(client, "sonic-db:STATE_DB/localhost/OCS_PORT/*/status", SWITCH)


def test_lanes_are_picked_by_their_number(client: gNMIclient) -> None:
    lane = "physical-channels/channel[index=3]/state/output-power/instant"
    path = f"openconfig:components/component[name=4.3.2/X+]/transceiver/{lane}"
    [value] = told(client, path, CUBE).values()
    assert -3 < float(value) < 3


def test_what_a_replacement_of_a_port_leaves_out_is_gone(client: gNMIclient) -> None:
    port = f"{CONFIG}/OCS_PORT/9A"
    both = {"label": "Link to router1 1 RX", "state": "force_blocked"}
    client.set(update=[(port, both)], target=SWITCH, encoding="json_ietf")
    client.set(replace=[(port, {"label": "spare"})], target=SWITCH, encoding="json_ietf")
    assert list(told(client, port, SWITCH).values()) == [{"label": "spare"}]
    every = [(f"{CONFIG}/OCS_PORT", {"8A": {"label": "x"}})]
    client.set(replace=every, target=SWITCH, encoding="json_ietf")
    with pytest.raises(gNMIException, match="No valid entry found for path"):
        told(client, port, SWITCH)


def test_a_row_may_be_watched_before_it_is_there(simulator: Any, client: gNMIclient) -> None:
    steps = ("CONFIG_DB", "localhost", "OCS_CROSS_CONNECT", "7A-8B")
    path = pb.Path(elem=[pb.PathElem(name=name) for name in steps])
    wish = pb.SubscriptionList(
        prefix=pb.Path(target=SWITCH, origin="sonic-db"),
        subscription=[pb.Subscription(path=path, mode=pb.SubscriptionMode.ON_CHANGE)],
        encoding=pb.Encoding.JSON_IETF,
    )
    over = threading.Event()

    def requests() -> Any:
        yield pb.SubscribeRequest(subscribe=wish)
        over.wait(20)

    def told(answer: Any) -> Any:
        [update] = answer.update.update
        assert update.path == path
        return json.loads(update.val.json_ietf_val)

    at, row = f"{CONFIG}/OCS_CROSS_CONNECT", {"a_side": "7A", "b_side": "8B"}
    with grpc.insecure_channel(simulator.said["gnmi"]) as channel:
        notes = pb.calls_on(channel).Subscribe(requests(), timeout=20)
        assert told(next(notes)) == {}
        assert next(notes).sync_response
        client.set(update=[(f"{at}/7A-8B", row)], target=SWITCH, encoding="json_ietf")
        assert told(next(notes)) == row
        # That it is gone nobody is told who listens to it; only what it is then.
        client.set(delete=[at], target=SWITCH, encoding="json_ietf")
        other = {"a_side": "7A", "b_side": "9B"}
        client.set(update=[(f"{at}/7A-8B", other)], target=SWITCH, encoding="json_ietf")
        assert told(next(notes)) == other
        over.set()
        notes.cancel()


def test_a_subscription_of_nothing_is_refused_in_words(simulator: Any) -> None:
    with grpc.insecure_channel(simulator.said["gnmi"]) as channel:
        notes = pb.calls_on(channel).Subscribe(iter([]), timeout=5)
        with pytest.raises(grpc.RpcError) as refused:
            next(notes)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "first message must be SubscriptionList" in refused.value.details()
