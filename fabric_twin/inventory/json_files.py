"""JSON files: read whole, of version 1, and nothing in them but plain text and whole numbers."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from fabric_twin.core.errors import UnusableInput

LARGEST = 64 * 2**20
LONGEST_TEXT = 255


def read_object(data: bytes, source: str, shape: str) -> dict[str, Any]:
    """The object that a file holds; `shape` shows how one is written."""
    if len(data) > LARGEST:
        raise UnusableInput(
            f"the file is larger than {LARGEST // 2**20} MiB",
            where=source,
            remedy="Give one pod's file at a time",
        )
    try:
        content = json.loads(data, object_pairs_hook=_once_each, parse_constant=_no_number)
    except (_Odd, ValueError, RecursionError) as error:
        odd = isinstance(error, _Odd)
        raise UnusableInput(
            str(error) if odd else "the file is not JSON",
            where=source if odd else f"{source}, line {getattr(error, 'lineno', 1)}",
            remedy=f"Write {shape}",
        ) from None
    if not isinstance(content, dict) or not is_version_1(content):
        raise unlike("there is no object of version 1", source, shape)
    return content


def unlike(what: str, where: str, shape: str) -> UnusableInput:
    """A refusal of what is not written as `shape` shows."""
    return UnusableInput(what, where=where, remedy=f"Write {shape}")


def is_version_1(content: dict[str, Any]) -> bool:
    """Whether an object is of the version that is read; one that says nothing is."""
    version = content.get("version", 1)
    return type(version) is int and version == 1


class _Odd(Exception):
    """What the standard library's reader takes and JSON does not mean."""


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a key that is there twice, readers differ in which they believe."""
    found = dict(pairs)
    if len(found) != len(pairs):
        [(twice, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise _Odd(f"an object has the key {twice[:40]!r} twice")
    return found


def _no_number(text: str) -> None:
    raise _Odd(f"{text} is not a number of JSON")


def check_keys(content: Mapping[str, Any], keys: Sequence[str], where: str) -> None:
    """Refuse a key that is not read: it may be one that is, misspelt."""
    if strange := sorted(content.keys() - {*keys}):
        raise UnusableInput(
            f"there is no key {strange[0][:40]!r}", where=where, remedy=f"Use {', '.join(keys)}"
        )


def list_of(
    content: dict[str, Any], key: str, where: str, shape: str, *, needed: bool = False
) -> list[Any]:
    """A list in an object; an empty one where it is not there and not needed."""
    rows = content.get(key, None if needed else [])
    if not isinstance(rows, list):
        raise unlike(f'"{key}" is not a list', where, shape)
    return rows


def text_of(row: Any, key: str, where: str, shape: str, default: str | None = None) -> str:
    """A text in an object that can be printed, and is not too long; none is the default."""
    text = row.get(key) if isinstance(row, dict) else None
    text = default if text is None or text == "" else text
    if not isinstance(text, str):
        raise unlike(f'"{key}" is missing, or not text', where, shape)
    return printable(text, f'"{key}"', where)


def printable(text: str, what: str, where: str) -> str:
    """A name that can be shown to a person, or a refusal."""
    if len(text) > LONGEST_TEXT:
        raise UnusableInput(
            f"{what} is longer than {LONGEST_TEXT} characters",
            where=where,
            remedy="Write one name",
        )
    if not text.isprintable():
        odd = next(character for character in text if not character.isprintable())
        raise UnusableInput(
            f"{what} holds a character that cannot be printed (U+{ord(odd):04X})",
            where=where,
            remedy="Take it out",
        )
    return text


def whole_number(value: Any, what: str, where: str, shape: str) -> int:
    """A whole number, and not a true or false."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**9:
        raise unlike(f"{what} is not a whole number from 0", where, shape)
    return value
