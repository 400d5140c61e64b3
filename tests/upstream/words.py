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
    """One element in a JSON pointer: keys stay in brackets, as upstream writes them."""
    return str(elem.name) + "".join(f"[{key}={value}]" for key, value in elem.key.items())


def text_of(elems: Sequence[gnmi.PathElem]) -> str:
    """A path as people write it; the empty one is empty."""
    return "".join(f"/{name_of(elem)}" for elem in elems)


def as_value(content: Any) -> gnmi.TypedValue:
    """JSON of the IETF kind, with sorted keys as Go writes maps."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return gnmi.TypedValue(json_ietf_val=text.encode())


def below(prefix: gnmi.Path, path: gnmi.Path) -> list[gnmi.PathElem]:
    """Elements after database and namespace; those of the prefix count only before others."""
    return [*prefix.elem, *path.elem][2:] if path.elem else []


def names_of(prefix: gnmi.Path, path: gnmi.Path) -> list[str]:
    """Table, row and field as Get reads them: [key=...] is the row of a table."""
    names = []
    for elem in below(prefix, path):
        names += [elem.name, elem.key["key"]] if "key" in elem.key else [elem.name]
    return names


def bare_names(prefix: gnmi.Path, path: gnmi.Path) -> list[str]:
    """The same as Set tries them: it does not look at keys."""
    return [elem.name for elem in below(prefix, path)]


def pointer_of(prefix: gnmi.Path, path: gnmi.Path) -> str:
    return "".join(f"/{name_of(elem)}" for elem in below(prefix, path))


def whole(prefix: gnmi.Path, path: gnmi.Path) -> str:
    return text_of([*prefix.elem, *path.elem]) if path.elem else ""
