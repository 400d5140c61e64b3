"""The strict server keeps the rules of upstream's, and each manner shows its shape."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import grpc
import pytest
from pygnmi.spec.v080 import gnmi_pb2 as gnmi
from pygnmi.spec.v080 import gnmi_pb2_grpc

from tests.upstream.asking import (
    CIRCUITS,
    CONFIG,
    STATE,
    Rule,
    Taken,
    check_refused,
    check_taken,
    circuit,
    get,
    joined,
    read,
    send,
    set_,
    subscribe,
    update,
)
from tests.upstream.manner import (
    BARE,
    BY_LEAF,
    BY_ROW,
    BY_SOURCE,
    CHECKPOINT,
    MANNERS,
    OLD_RELEASE,
    QUIET,
    SHUFFLED,
    STRICT,
    TOGETHER,
    Manner,
)
from tests.upstream.rules import BREAKING, TAKEN
from tests.upstream.server import Served, serve

PORTS = f"{STATE}/OCS_PORT"
HELD = {"1A-1B": ("1A", "1B"), "2A-2B": ("2A", "2B")}


@pytest.fixture
def server() -> Iterator[Served]:
    with serve(radix=4, circuits=HELD) as served:
        yield served


@pytest.fixture
def channel(server: Served) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(server.address) as opened:
        yield opened


@pytest.mark.parametrize("rule", BREAKING, ids=str)
def test_what_breaks_a_rule_is_refused_and_changes_nothing(
    rule: Rule, channel: grpc.Channel
) -> None:
    check_refused(channel, replace(rule, words=rule.words[:1]))  # upstream's own words come first


@pytest.mark.parametrize("taken", TAKEN, ids=str)
def test_what_is_taken_is_done(taken: Taken, channel: grpc.Channel) -> None:
    check_taken(channel, taken)


def test_one_refused_step_undoes_the_others(channel: grpc.Channel) -> None:
    good = update(f"{CIRCUITS}/3A-3B", circuit("3A", "3B"))
    with pytest.raises(grpc.RpcError):
        send(channel, set_(good, update(f"{CIRCUITS}/4A-4B", "4B"), delete=[f"{CIRCUITS}/1A-1B"]))
    assert list(read(channel, CIRCUITS)) == ["1A-1B", "2A-2B"]


def test_every_set_is_recorded_also_one_at_the_root(server: Served, channel: grpc.Channel) -> None:
    row = circuit("3A", "3B")
    send(channel, set_(update("3A-3B", row), delete=["2A-2B"], before=CIRCUITS))
    [asked] = server.record
    assert asked.deletes == [f"/{CIRCUITS}/2A-2B"]
    assert asked.updates == [(f"/{CIRCUITS}/3A-3B", row)]
    assert asked.outcome == "patch"
    assert not asked.at_root
    send(channel, set_(update(f"{CIRCUITS}/3A-3B", row), update("", {"A": {"b": {"c": "d"}}})))
    send(channel, set_(update(CONFIG, {}), delete=[CONFIG]))
    assert [asked.at_root for asked in server.record] == [False, True, True]
    with pytest.raises(grpc.RpcError):
        send(channel, set_(update("", {})))
    assert "No target specified" in server.record[-1].outcome


def test_upstream_itself_refuses_a_patch_at_the_root() -> None:
    request = set_(update("", {}), update(f"{CIRCUITS}/3A-3B", circuit("3A", "3B")))
    with (
        _open(BY_SOURCE) as channel,
        pytest.raises(grpc.RpcError, match="Wrong patch with empty path"),
    ):
        send(channel, request)


def test_an_old_release_does_not_make_tables() -> None:
    with _open(OLD_RELEASE) as channel:
        with pytest.raises(grpc.RpcError, match="member 'OCS_CROSS_CONNECT' not found"):
            send(channel, set_(update(f"{CIRCUITS}/3A-3B", circuit("3A", "3B"))))
        send(channel, set_(update(CIRCUITS, {"3A-3B": circuit("3A", "3B")})))
        assert read(channel, CIRCUITS) == {"3A-3B": circuit("3A", "3B")}


def test_state_follows_by_the_truth_table(server: Served, channel: grpc.Channel) -> None:
    server.switch.failing.add("3A")
    blocked = update(f"{CONFIG}/OCS_PORT/2A/state", "force_blocked")
    send(channel, set_(update(f"{CIRCUITS}/3A-4B", circuit("3A", "4B")), blocked))
    ports = read(channel, PORTS)
    assert {
        port: (ports[port]["status"], ports[port]["target_simplex_port_id"]) for port in ports
    } == {
        "1A": ("tuned", "1B"),
        "2A": ("blocked", "2B"),
        "3A": ("failed", "4B"),
        "4A": ("blocked", ""),
        "1B": ("tuned", "1A"),
        "2B": ("tuned", "2A"),
        "3B": ("blocked", ""),
        "4B": ("tuned", "3A"),
    }
    told = read(channel, f"{STATE}/OCS_CROSS_CONNECT/3A-4B")
    assert told == {**circuit("3A", "4B"), "a_side_status": "failed", "b_side_status": "tuned"}


def test_a_target_is_there_before_tuning_ends() -> None:
    with serve(radix=4, tuning_seconds=0.3) as served, _to(served) as channel:
        send(channel, set_(update(f"{CIRCUITS}/1A-1B", circuit("1A", "1B"))))
        row = read(channel, f"{PORTS}/1A")
        assert (row["status"], row["target_simplex_port_id"]) == ("tuning", "1B")
        assert read(channel, f"{PORTS}/2A")["status"] == "blocked"
        _until(lambda: read(channel, f"{PORTS}/1A/status") == "tuned")


def test_platform_tables_are_spelled_as_their_daemons_do() -> None:
    with serve(radix=1, serial="", hostname="ocs-9") as served, _to(served) as channel:
        assert read(channel, f"{STATE}/FAN_INFO/FAN 1/presence") == "True"
        assert read(channel, f"{STATE}/PSU_INFO/PSU 1/status") == "true"
        assert read(channel, f"{STATE}/CHASSIS_INFO/chassis 1/serial") == ""
        assert read(channel, f"{CONFIG}/DEVICE_METADATA/localhost/hostname") == "ocs-9"


@pytest.mark.parametrize("manner", MANNERS, ids=lambda manner: manner.name)
def test_every_manner_tells_the_same(manner: Manner) -> None:
    with serve(radix=4, circuits=HELD) as strict, _to(strict) as channel:
        paths = [PORTS, f"{STATE}/OCS_CROSS_CONNECT", f"{STATE}/FAN_INFO/FAN 1"]
        expected = [read(channel, path) for path in paths]
    with _open(manner, circuits=HELD) as channel:
        answer = send(channel, get(*paths))
        assert [joined(answer, path) for path in paths] == expected


@pytest.mark.parametrize(
    ("manner", "shape"),
    [
        (STRICT, [["OCS_CROSS_CONNECT"], ["FAN_INFO/FAN 1"]]),
        (SHUFFLED, [["FAN_INFO/FAN 1"], ["OCS_CROSS_CONNECT"]]),
        (
            TOGETHER,
            [["FAN_INFO/FAN 1", "OCS_CROSS_CONNECT/2A-2B", "OCS_CROSS_CONNECT/1A-1B"]],
        ),
        (BY_ROW, [["OCS_CROSS_CONNECT/1A-1B", "OCS_CROSS_CONNECT/2A-2B"], ["FAN_INFO/FAN 1"]]),
    ],
    ids=["strict", "shuffled", "together", "by_row"],
)
def test_the_shape_of_an_answer(manner: Manner, shape: list[list[str]]) -> None:
    with _open(manner, circuits=HELD) as channel:
        answer = send(channel, get("OCS_CROSS_CONNECT", "FAN_INFO/FAN 1", before=STATE))
    assert _paths(answer) == shape


def test_by_leaf_every_field_is_an_update() -> None:
    with _open(BY_LEAF, circuits=HELD) as channel:
        answer = send(channel, get(f"{STATE}/FAN_INFO/FAN 1"))
    [updates] = [notification.update for notification in answer.notification]
    assert {one.path.elem[-1].name: json.loads(one.val.json_ietf_val) for one in updates} == {
        "presence": "True",
        "status": "True",
        "speed": "60",
    }


def test_a_bare_switch_has_neither_table() -> None:
    with _open(BARE) as channel:
        assert list(read(channel, CONFIG)) == ["DEVICE_METADATA"]
        for table in ("OCS_PORT", "OCS_CROSS_CONNECT"):
            with pytest.raises(grpc.RpcError, match=f"Failed to find CONFIG_DB {table}"):
                send(channel, get(f"{CONFIG}/DEVICE_METADATA", f"{CONFIG}/{table}"))
        send(channel, set_(update(f"{CIRCUITS}/1A-1B", circuit("1A", "1B"))))
        assert read(channel, f"{PORTS}/1A/status") == "tuned"


def test_an_empty_table_is_left_out_where_another_begins_like_it() -> None:
    with _open(BARE) as channel:  # OCS_CROSS_CONNECT_PHYSICAL_PATH has rows
        assert _paths(send(channel, get(f"{STATE}/OCS_CROSS_CONNECT", PORTS))) == [[PORTS]]
        with pytest.raises(grpc.RpcError, match="Failed to find"):
            send(channel, get(f"{STATE}/TRANSCEIVER_INFO", PORTS))
    with _open(QUIET) as channel:
        assert _paths(send(channel, get(f"{STATE}/TRANSCEIVER_INFO", PORTS))) == [[PORTS]]


def test_during_a_set_the_configuration_is_that_before_it() -> None:
    with _open(CHECKPOINT, circuits=HELD) as channel:
        request = set_(update(f"{CIRCUITS}/3A-3B", circuit("3A", "3B")))
        setting = threading.Thread(target=send, args=(channel, request))
        setting.start()
        _until(lambda: read(channel, f"{PORTS}/3A/status") == "tuned")  # the light moves meanwhile
        assert list(read(channel, CIRCUITS)) == list(HELD)
        # What the checkpoint does not have is looked for in Redis: the new row is there.
        assert read(channel, f"{CIRCUITS}/3A-3B") == circuit("3A", "3B")
        setting.join()
        assert list(read(channel, CIRCUITS)) == [*HELD, "3A-3B"]


def test_a_stream_tells_rows_at_the_path_of_their_table(
    server: Served, channel: grpc.Channel
) -> None:
    stream = _listen(channel, f"{STATE}/OCS_CROSS_CONNECT", f"{STATE}/OCS_CROSS_CONNECT/2A-2B")
    first, row, synced = next(stream), next(stream), next(stream)
    assert list(_content(first)) == list(HELD)
    assert _content(row)["a_side_status"] == "tuned"
    assert synced.sync_response
    send(channel, set_(update(f"{CIRCUITS}/3A-3B", circuit("3A", "3B"))))
    told = next(stream)
    assert _text(told.update.update[0].path) == f"{STATE}/OCS_CROSS_CONNECT"
    assert list(_content(told)) == ["3A-3B"]
    # A row that goes: the path of the whole table is said to be deleted, and who listens to that
    # row hears nothing.
    send(channel, set_(delete=[f"{CIRCUITS}/2A-2B"]))
    gone = next(stream)
    assert [_text(path) for path in gone.update.delete] == [f"{STATE}/OCS_CROSS_CONNECT"]
    server.switch.put("STATE_DB", "OCS_CROSS_CONNECT", "4A-4B", {"a_side": "4A"})
    assert list(_content(next(stream))) == ["4A-4B"]
    stream.cancel()


def test_a_field_that_goes_is_told_as_a_lost_table(server: Served, channel: grpc.Channel) -> None:
    table = _listen(channel, f"{STATE}/FAN_INFO")
    row = _listen(channel, f"{STATE}/FAN_INFO/FAN 1")
    assert [next(stream) for stream in (table, row) for _ in range(2)][-1].sync_response
    server.switch.put("STATE_DB", "FAN_INFO", "FAN 1", {"presence": "False"})
    assert _content(next(table)) == {"FAN 1": {"presence": "False"}}
    assert [_text(path) for path in next(table).update.delete] == [f"{STATE}/FAN_INFO"]
    # Who listens to the row hears of both events, and is told once what it holds now.
    assert _content(next(row)) == {"presence": "False"}
    server.switch.put("STATE_DB", "FAN_INFO", "FAN 1", {"presence": "True"})
    assert _content(next(row)) == {"presence": "True"}
    table.cancel()
    row.cancel()


def test_a_stream_tells_tuning_and_then_tuned() -> None:
    with serve(radix=4, tuning_seconds=0.5) as served, _to(served) as channel:
        stream = _listen(channel, f"{PORTS}/1A", f"{PORTS}/1A/status")
        assert [next(stream) for _ in range(3)][-1].sync_response
        send(channel, set_(update(f"{CIRCUITS}/1A-1B", circuit("1A", "1B"))))
        row, field, settled, last = (next(stream) for _ in range(4))
        assert [_content(answer)["status"] for answer in (row, settled)] == ["tuning", "tuned"]
        assert [one.update.update[0].val.string_val for one in (field, last)] == ["tuning", "tuned"]
        stream.cancel()


def test_once_ends_after_all_that_is_there(channel: grpc.Channel) -> None:
    answers = send(channel, subscribe(f"{PORTS}/1A", listing=gnmi.SubscriptionList.ONCE))
    assert [answer.sync_response for answer in answers] == [False, True]


def test_a_login_is_looked_at_after_the_path(channel: grpc.Channel) -> None:
    with _open(STRICT, login=("admin", "secret")) as closed:
        with pytest.raises(grpc.RpcError) as refusal:
            send(closed, get(PORTS))
        assert refusal.value.code() is grpc.StatusCode.UNAUTHENTICATED
        with pytest.raises(grpc.RpcError) as refusal:
            send(closed, get(""))
        assert refusal.value.code() is grpc.StatusCode.NOT_FOUND
        known = (("username", "admin"), ("password", "secret"))
        assert gnmi_pb2_grpc.gNMIStub(closed).Get(get(PORTS), metadata=known, timeout=10)
    model = gnmi_pb2_grpc.gNMIStub(channel).Capabilities(gnmi.CapabilityRequest(), timeout=10)
    assert [one.name for one in model.supported_models] == ["sonic-db"]


@contextmanager
def _open(manner: Manner, **content: Any) -> Iterator[grpc.Channel]:
    """A server of this manner, and a channel to it."""
    with serve(manner, **{"radix": 4, **content}) as served, _to(served) as channel:
        yield channel


def _to(served: Served) -> grpc.Channel:
    return grpc.insecure_channel(served.address)


def _listen(channel: grpc.Channel, *paths: str) -> Any:
    return gnmi_pb2_grpc.gNMIStub(channel).Subscribe(iter([subscribe(*paths)]), timeout=20)


def _text(path: gnmi.Path) -> str:
    return "/".join(elem.name for elem in path.elem)


def _paths(answer: gnmi.GetResponse) -> list[list[str]]:
    return [[_text(one.path) for one in part.update] for part in answer.notification]


def _content(answer: gnmi.SubscribeResponse) -> Any:
    return json.loads(answer.update.update[0].val.json_ietf_val)


def _until(true: Any) -> None:
    end = time.monotonic() + 10
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)
