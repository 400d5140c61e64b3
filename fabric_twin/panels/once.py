"""Parts of a page ask for the same: it is read once, and kept for as long as the request lasts."""

from collections.abc import Callable
from typing import Any, TypeVar

from nautobot.core.utils.cache import get_request_cache

Found = TypeVar("Found")


def once(read: Callable[..., Found], record: Any, *given: Any) -> Found:
    """Read something of a record, or give what a part of the same page read of it."""
    kept: dict[Any, Any] | None = get_request_cache()
    if kept is None:
        return read(record, *given)
    asked = (once, read, record, *given)
    if asked not in kept:
        kept[asked] = read(record, *given)
    found: Found = kept[asked]
    return found
