"""The JSON of an answer: what is used of megabytes is read, and the rest of them skipped."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
#: What is a number although it is text: YANG allows a sign and zeros before it, JSON does not.
_NUMBERS: Mapping[str, Callable[[str], float]] = {"instant": float, "index": int}


def value_of(text: bytes, kind: Any = Any) -> Any:
    """The value, as a kind of what it should be; what is not so is a ValueError that says where.

    What strict JSON does not have (NaN of a daemon in Python) is read as well, numbers as text
    however they are written, and what is null where something else should be is not told.
    """
    try:
        return _reader(kind).decode(text)
    except msgspec.DecodeError:
        return as_kind(json.loads(text), kind)


def as_kind(value: Any, kind: type[T]) -> T:
    """A value that was read already, as a kind of what it should be."""
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        return msgspec.convert(_told(value), kind, strict=False)


@cache
def _reader(kind: Any) -> msgspec.json.Decoder[Any]:
    # Not strict: JSON of YANG writes a number with places behind the point as text.
    return msgspec.json.Decoder(kind, strict=False)


def _told(value: Any, name: str = "") -> Any:
    """The same without what is null, and with numbers as they are read at once."""
    if isinstance(value, dict):
        return {name: _told(below, name) for name, below in value.items() if below is not None}
    if isinstance(value, list):
        return [_told(one) for one in value]
    if isinstance(value, str) and name in _NUMBERS:
        with suppress(ValueError):
            return _NUMBERS[name](value)
    return value
