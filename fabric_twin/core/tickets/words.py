"""Words that pages, documents and refusals say of a ticket alike."""

from datetime import UTC, datetime, tzinfo
from typing import Any

from fabric_twin.core.moments import moment

#: Names on a line.
A_LINE = 12


def between(begin: datetime | None, end: datetime | None, zone: tzinfo = UTC) -> str:
    """A window in words; nothing where it is open at both ends."""
    begins, ends = moment(begin, zone), moment(end, zone)
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
