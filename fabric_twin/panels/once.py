"""Parts of a page ask for the same: it is read once."""

from collections.abc import Callable
from typing import Any, TypeVar

Found = TypeVar("Found")


def once(read: Callable[..., Found], record: Any, *given: Any) -> Found:
    """Read something of a record; the record keeps the answer for as long as its page is made."""
    kept = record.__dict__.setdefault("_read_once", {})
    asked = (read, *given)
    if asked not in kept:
        kept[asked] = read(record, *given)
    found: Found = kept[asked]
    return found
