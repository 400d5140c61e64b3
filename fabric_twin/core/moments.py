"""Moments as everybody reads the same: `2026-11-22 07:13 UTC`."""

from datetime import UTC, datetime, tzinfo


def moment(at: datetime | None, zone: tzinfo = UTC, *, seconds: bool = False) -> str:
    """A moment with its zone. What is kept or printed is in UTC: people in many zones read it.

    >>> moment(datetime(2026, 11, 22, 7, 13, tzinfo=UTC))
    '2026-11-22 07:13 UTC'
    """
    if at is None:
        return ""
    there = at.astimezone(zone)
    return f"{there:%Y-%m-%d %H:%M:%S %Z}" if seconds else f"{there:%Y-%m-%d %H:%M %Z}"
