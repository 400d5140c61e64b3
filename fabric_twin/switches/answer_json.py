"""The JSON of an answer: what is used of megabytes is read, and the rest of them skipped."""

import json
from functools import cache
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")


def value_of(text: bytes, kind: Any = Any) -> Any:
    """The value, as a kind of what it should be; what is not so is a ValueError that says where.

    What strict JSON does not have (NaN of a daemon in Python) is read as well.
    """
    try:
        return _reader(kind).decode(text)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        return as_kind(json.loads(text), kind)


def as_kind(value: Any, kind: type[T]) -> T:
    """A value that was read already, as a kind of what it should be."""
    return msgspec.convert(value, kind, strict=False)


@cache
def _reader(kind: Any) -> msgspec.json.Decoder[Any]:
    # Not strict: JSON of YANG writes a number with places behind the point as text.
    return msgspec.json.Decoder(kind, strict=False)
