"""Requests to any gNMI server of a switch, and whether it answers as upstream does."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import grpc
from pygnmi.spec.v080 import gnmi_pb2 as gnmi
from pygnmi.spec.v080 import gnmi_pb2_grpc

from tests.upstream.words import as_value

Code = grpc.StatusCode
Request: TypeAlias = gnmi.GetRequest | gnmi.SetRequest | gnmi.SubscribeRequest
PATIENCE = 10

CONFIG = "CONFIG_DB/localhost"
CIRCUITS = f"{CONFIG}/OCS_CROSS_CONNECT"
STATE = "STATE_DB/localhost"


@dataclass(frozen=True)
class Rule:
    """A request that must be refused, with this code and (any of) these words."""

    name: str
    request: Request
    code: Code
    words: tuple[str, ...]
    #: Sets to send first, all of which must pass.
    before: tuple[gnmi.SetRequest, ...] = ()

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Taken:
    """Sets that pass, and what CONFIG_DB holds at a path then; None is not there."""

    name: str
    sets: tuple[gnmi.SetRequest, ...]
    asked: str
    answer: Any

    def __str__(self) -> str:
        return self.name


def path(text: str, origin: str = "") -> gnmi.Path:
    """A path of plain elements; the empty text is the empty path."""
    elems = [gnmi.PathElem(name=name) for name in text.split("/") if name]
    return gnmi.Path(origin=origin, elem=elems)


def prefix(text: str = "") -> gnmi.Path:
    """The origin, an empty target, and perhaps elements."""
    return path(text, "sonic-db")


def get(*paths: str, before: str = "", encoding: int = gnmi.JSON_IETF, kind: int = 0) -> Any:
    """Ask for paths. The encoding must be named: gNMI's default is JSON, and upstream's is not."""
    asked = [path(text) for text in paths]
    return gnmi.GetRequest(prefix=prefix(before), path=asked, encoding=encoding, type=kind)


def update(text: str, content: Any) -> gnmi.Update:
    """Content at a path; a TypedValue is sent as it is."""
    value = content if isinstance(content, gnmi.TypedValue) else as_value(content)
    return gnmi.Update(path=path(text), val=value)


def set_(
    *updates: gnmi.Update,
    delete: Sequence[str] = (),
    replace: Sequence[gnmi.Update] = (),
    before: str = "",
) -> gnmi.SetRequest:
    """One Set."""
    deletes = [path(text) for text in delete]
    return gnmi.SetRequest(prefix=prefix(before), delete=deletes, replace=replace, update=updates)


def subscribe(
    *paths: str, before: str = "", mode: int = gnmi.ON_CHANGE, listing: int = 0
) -> gnmi.SubscribeRequest:
    """Listen to paths; 0 is STREAM."""
    asked = [gnmi.Subscription(path=path(text), mode=mode) for text in paths]
    whole = gnmi.SubscriptionList(prefix=prefix(before), subscription=asked, mode=listing)
    return gnmi.SubscribeRequest(subscribe=whole)


def circuit(a: str, b: str) -> dict[str, str]:
    """A row of OCS_CROSS_CONNECT."""
    return {"a_side": a, "b_side": b}


def send(channel: grpc.Channel, request: Request) -> Any:
    """Send any of the three; of a stream, what comes up to `sync_response`."""
    stub = gnmi_pb2_grpc.gNMIStub(channel)
    if isinstance(request, gnmi.GetRequest):
        return stub.Get(request, timeout=PATIENCE)
    if isinstance(request, gnmi.SetRequest):
        return stub.Set(request, timeout=PATIENCE)
    answers = []
    stream = stub.Subscribe(iter([request]), timeout=PATIENCE)
    for answer in stream:
        answers.append(answer)
        if answer.sync_response:
            break
    stream.cancel()
    return answers


def read(channel: grpc.Channel, text: str) -> Any:
    """What is at one path, put together from whatever updates the answer has; None if nothing."""
    try:
        answer = send(channel, get(text))
    except grpc.RpcError as refusal:
        if refusal.code() is not Code.NOT_FOUND:
            raise
        return None
    return joined(answer, text)


def check_refused(channel: grpc.Channel, rule: Rule) -> None:
    """Say whether a server refuses it as upstream does, and keeps what it had."""
    for request in rule.before:
        send(channel, request)
    before = read(channel, CONFIG)
    try:
        send(channel, rule.request)
    except grpc.RpcError as refusal:
        told = (refusal.code(), refusal.details() or "")
    else:
        raise AssertionError(f"{rule}: it was taken")
    assert told[0] is rule.code, f"{rule}: {told}"
    assert any(words in told[1] for words in rule.words), f"{rule}: {told}"
    assert read(channel, CONFIG) == before, f"{rule}: refused, and yet CONFIG_DB has changed"


def check_taken(channel: grpc.Channel, taken: Taken) -> None:
    """Say whether a server takes it and does what upstream does."""
    for request in taken.sets:
        send(channel, request)
    assert read(channel, taken.asked) == taken.answer, taken.name


def joined(answer: gnmi.GetResponse, text: str) -> Any:
    """The content at a path, from updates at it or below it, in any order and grain."""
    asked = [elem.name for elem in path(text).elem]
    whole: Any = None
    for notification in answer.notification:
        for one in notification.update:
            names = [elem.name for elem in [*notification.prefix.elem, *one.path.elem]]
            if names[: len(asked)] != asked:
                continue
            content, below = json.loads(one.val.json_ietf_val), names[len(asked) :]
            if not below:
                whole = content
                continue
            whole = here = whole or {}
            for name in below[:-1]:
                here = here.setdefault(name, {})
            here[below[-1]] = content
    return whole
