"""gNMI by the letter of its specification, where a cube answers."""

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest

from fabric_twin.dialects import gnmi as pb
from fabric_twin.dialects import openconfig

# One worker: simulators are shared by the tests of a module.
pytestmark = pytest.mark.integration

Code = grpc.StatusCode
CUBE, SWITCH = "iw-c001", "iw-ocs-x-1-1"
LINK = ("interfaces", "interface[name=4.1.1/X+]", "state")
MODELS = [pb.ModelData(name=name) for name, _ in openconfig.MODELS]


@pytest.fixture(scope="module")
def stub(simulate: Callable[..., Any]) -> Iterator[Any]:
    with grpc.insecure_channel(simulate(slots="1").said["gnmi"]) as channel:
        yield pb.calls_on(channel)


def path(*names: str, origin: str = "") -> Any:
    """A path; the key of an entry is called name."""
    elems = []
    for name in names:
        called, _, key = name.partition("[name=")
        elems.append(pb.PathElem(name=called, key={"name": key[:-1]} if key else {}))
    return pb.Path(elem=elems, origin=origin)


def get(*paths: Any, **more: Any) -> Any:
    prefix = pb.Path(target=CUBE, origin="openconfig")
    return pb.GetRequest(**{"prefix": prefix, "path": paths, "encoding": 4, **more})


def subscribe(*paths: Any, listing: int = 0, **more: Any) -> Any:
    """Listen to paths of a cube; 0 is STREAM."""
    wish = pb.SubscriptionList(
        prefix=pb.Path(target=CUBE),
        subscription=[pb.Subscription(path=one, **more) for one in paths],
        mode=listing,
        encoding=4,
    )
    return pb.SubscribeRequest(subscribe=wish)


def refusal_of(ask: Callable[[], Any]) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.RpcError) as refused:
        ask()
    return refused.value.code(), refused.value.details()


def first_refusal(stub: Any, *requests: Any) -> tuple[grpc.StatusCode, str]:
    """What a subscription is refused with, sooner or later."""
    over = threading.Event()

    def asked() -> Iterator[Any]:
        yield from requests
        over.wait(20)

    try:
        return refusal_of(lambda: list(stub.Subscribe(asked(), timeout=10)))
    finally:
        over.set()


def test_a_cube_has_state_and_nothing_that_can_be_configured(stub: Any) -> None:
    told = {
        kind: [
            json.loads(update.val.json_ietf_val)["oper-status"]
            for note in stub.Get(get(path(*LINK), type=number), timeout=10).notification
            for update in note.update
        ]
        for kind, number in pb.GetRequest.DataType.items()
    }
    assert told == {"ALL": ["DOWN"], "CONFIG": [], "STATE": ["DOWN"], "OPERATIONAL": ["DOWN"]}


def test_models_are_all_or_refused(stub: Any) -> None:
    assert stub.Get(get(path(*LINK), use_models=MODELS), timeout=10).notification
    assert refusal_of(lambda: stub.Get(get(path(*LINK), use_models=MODELS[:1]), timeout=10)) == (
        Code.UNIMPLEMENTED,
        "use_models is not supported: the tree is told whole",
    )


def test_paths_of_long_ago_are_no_paths(stub: Any) -> None:
    assert refusal_of(lambda: stub.Get(get(pb.Path(element=["interfaces"])), timeout=10)) == (
        Code.INVALID_ARGUMENT,
        "paths are made of elem: element is of long ago",
    )


def test_what_a_set_cannot_do_is_said(stub: Any) -> None:
    row = pb.TypedValue(json_ietf_val=b'{"a_side": "1A", "b_side": "1B"}')
    where = path("CONFIG_DB", "localhost", "OCS_CROSS_CONNECT", "1A-1B")
    union = pb.SetRequest(
        prefix=pb.Path(target=SWITCH, origin="sonic-db"),
        union_replace=[pb.Update(path=where, val=row)],
    )
    assert refusal_of(lambda: stub.Set(union, timeout=10)) == (
        Code.UNIMPLEMENTED,
        "union_replace is not supported",
    )


def test_a_subscription_waits_for_what_is_not_there_yet(stub: Any) -> None:
    nothing = subscribe(path("lldp", "no-such"), listing=pb.SubscriptionList.ONCE)
    [answer] = stub.Subscribe(iter([nothing]), timeout=10)
    assert answer.sync_response


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (subscribe(path(*LINK), mode=2, sample_interval=10), "It cannot be less than 0.05 s"),
        (subscribe(path(*LINK), listing=7), "Unknown subscription mode: 7"),
        (subscribe(path(*LINK), mode=9), "there is no mode of a subscription 9"),
        (
            subscribe(path(*LINK), path("CONFIG_DB", "localhost", origin="sonic-db")),
            "iw-c001 speaks of the origin openconfig, not of 'sonic-db'",
        ),
    ],
    ids=["interval", "list", "mode", "origin"],
)
def test_a_subscription_that_means_nothing_is_refused(stub: Any, asked: Any, words: str) -> None:
    code, told = first_refusal(stub, asked)
    assert (code, words in told) == (Code.INVALID_ARGUMENT, True), told


@pytest.mark.parametrize(
    "later", [subscribe(path(*LINK)), pb.SubscribeRequest(poll=pb.Poll())], ids=["list", "poll"]
)
def test_a_stream_is_asked_for_once(stub: Any, later: Any) -> None:
    assert first_refusal(stub, subscribe(path(*LINK), mode=1), later) == (
        Code.INVALID_ARGUMENT,
        "after the first message of a stream none may follow",
    )
