"""Paths, values and refusals as upstream's gNMI server puts them."""

import json
from collections.abc import Sequence
from typing import Any

import grpc
from pygnmi.spec.v080 import gnmi_pb2 as gnmi

Row = dict[str, Any]
Table = dict[str, Row]
Tables = dict[str, Table]


class Refused(Exception):
    """What the client is told: a gRPC code and words."""

    def __init__(self, code: grpc.StatusCode, words: str) -> None:
        super().__init__(f"{code.name}: {words}")
        self.code = code
        self.words = words


def failed(words: str) -> Refused:
    """A Set that goes wrong late: server.go returns the bare error, which gRPC calls UNKNOWN."""
    return Refused(grpc.StatusCode.UNKNOWN, words)


def not_found(words: str) -> Refused:
    """Whatever Get and the opening of a client return, but for a status of its own."""
    return Refused(grpc.StatusCode.NOT_FOUND, words)


def name_of(elem: gnmi.PathElem) -> str:
    """One element in a JSON pointer: keys stay in brackets, so a keyed row is a member of its own."""
    return str(elem.name) + "".join(f"[{key}={value}]" for key, value in elem.key.items())


def text_of(elems: Sequence[gnmi.PathElem]) -> str:
    """A path as people write it; the empty one is empty."""
    return "".join(f"/{name_of(elem)}" for elem in elems)


def as_value(content: Any) -> gnmi.TypedValue:
    """JSON of the IETF kind, with sorted keys as Go writes maps."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return gnmi.TypedValue(json_ietf_val=text.encode())
