"""Words that pages, documents and refusals say of a ticket alike."""

from datetime import UTC, datetime
from typing import Any

#: Names on a line.
A_LINE = 12


def moment(at: datetime | None) -> str:
    """A time as everybody reads the same."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC" if at else ""


def between(begin: datetime | None, end: datetime | None) -> str:
    """A window in words; nothing where it is open at both ends."""
    begins, ends = moment(begin), moment(end)
    match bool(begins), bool(ends):
        case True, True:
            return f"{begins} to {ends}"
        case True, False:
            return f"from {begins}"
        case False, True:
            return f"until {ends}"
    return ""


def some(names: Any) -> str:
    """Names in a line, and how many more there are."""
    listed = list(names)
    more = len(listed) - A_LINE
    shown = ", ".join(listed[:A_LINE])
    return f"{shown} and {more:,} more" if more > 0 else shown
