"""JSON files: read whole, of version 1, and nothing in them but plain text and whole numbers."""

import json
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
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UnusableInput(
            "the file is not JSON",
            where=f"{source}, line {getattr(error, 'lineno', 1)}",
            remedy=f"Write {shape}",
        ) from None
    if not isinstance(content, dict) or content.get("version", 1) != 1:
        raise UnusableInput(
            "there is no object of version 1", where=source, remedy=f"Write {shape}"
        )
    return content


def list_of(
    content: dict[str, Any], key: str, where: str, shape: str, *, needed: bool = False
) -> list[Any]:
    """A list in an object; an empty one where it is not there and not needed."""
    rows = content.get(key, None if needed else [])
    if not isinstance(rows, list):
        raise UnusableInput(f'"{key}" is not a list', where=where, remedy=f"Write {shape}")
    return rows


def text_of(row: Any, key: str, where: str, shape: str, default: str | None = None) -> str:
    """A text in an object that can be printed, and is not too long; none is the default."""
    text = row.get(key) if isinstance(row, dict) else None
    text = default if text is None or text == "" else text
    if not isinstance(text, str):
        raise UnusableInput(
            f'"{key}" is missing, or not text', where=where, remedy=f"Write {shape}"
        )
    if len(text) > LONGEST_TEXT:
        raise UnusableInput(
            f'"{key}" is longer than {LONGEST_TEXT} characters',
            where=where,
            remedy="Write one name",
        )
    if not text.isprintable():
        odd = next(character for character in text if not character.isprintable())
        raise UnusableInput(
            f'"{key}" holds a character that cannot be printed (U+{ord(odd):04X})',
            where=where,
            remedy="Take it out",
        )
    return text


def whole_number(value: Any, what: str, where: str, shape: str) -> int:
    """A whole number, and not a true or false."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 10**9:
        raise UnusableInput(
            f"{what} is not a whole number from 0", where=where, remedy=f"Write {shape}"
        )
    return value
