"""The JSON of an answer: what is used of megabytes is read, and the rest of them skipped."""

import json
from functools import cache
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def value_of(text: bytes, kind: Any = Any) -> Any:
    """The value, as a kind of what it should be; what is not so is a ValueError that says where.

    What strict JSON does not have (NaN of a daemon in Python) is read as well, and what is null is
    not told.
    """
    try:
        return _reader(kind).decode(text)
    except msgspec.DecodeError:
        return as_kind(json.loads(text), kind)


def as_kind(value: Any, kind: type[T]) -> T:
    """A value that was read already, as a kind of what it should be."""
    return msgspec.convert(_told(value), kind, strict=False)


@cache
def _reader(kind: Any) -> msgspec.json.Decoder[Any]:
    # Not strict: JSON of YANG writes a number with places behind the point as text.
    return msgspec.json.Decoder(kind, strict=False)


def _told(value: Any) -> Any:
    """The same without what is null."""
    if isinstance(value, dict):
        return {name: _told(below) for name, below in value.items() if below is not None}
    return [_told(one) for one in value] if isinstance(value, list) else value
