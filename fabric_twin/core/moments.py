"""Moments as everybody reads the same: `2026-11-22 07:13 UTC`."""

from datetime import UTC, datetime, timedelta, tzinfo

#: What several zones are called: `CST` is Chicago's and Shanghai's. The offset is written.
_AMBIGUOUS = {"CDT", "CST", "IST", "PST"}
#: Up to which length it is told in seconds, in minutes, in hours; then in days.
_UNITS = (
    (timedelta(minutes=2), timedelta(seconds=1), "s"),
    (timedelta(hours=2), timedelta(minutes=1), "min"),
    (timedelta(days=2), timedelta(hours=1), "h"),
)


def moment(at: datetime | None, zone: tzinfo = UTC, *, seconds: bool = False) -> str:
    """A moment with its zone. What is kept or printed is in UTC: people in many zones read it.

    >>> moment(datetime(2026, 11, 22, 7, 13, tzinfo=UTC))
    '2026-11-22 07:13 UTC'
    """
    if at is None:
        return ""
    there = at.astimezone(zone)
    return (
        f"{there:%Y-%m-%d %H:%M:%S} {_zone(there)}"
        if seconds
        else f"{there:%Y-%m-%d %H:%M} {_zone(there)}"
    )


def age(at: datetime, now: datetime) -> str:
    """How long ago something was.

    >>> age(datetime(2026, 11, 22, 7, 13), datetime(2026, 11, 22, 7, 25, 30))
    '12 min ago'
    """
    return f"{length(max(now - at, timedelta()))} ago"


def length(of: timedelta) -> str:
    """How long something takes, in words.

    >>> length(timedelta(seconds=40)), length(timedelta(hours=49))
    ('40 s', '2 days')
    """
    for most, unit, name in _UNITS:
        if of < most:
            return f"{of // unit} {name}"
    return f"{of.days} days"


def _zone(there: datetime) -> str:
    """The zone's name, or its offset where the name has no letters or is another zone's too."""
    name = there.tzname() or ""
    if name.isalpha() and name not in _AMBIGUOUS:
        return name
    minutes = (there.utcoffset() or timedelta()) // timedelta(minutes=1)
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")
