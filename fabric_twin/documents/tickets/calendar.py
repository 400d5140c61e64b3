"""A window as a calendar file: RFC 5545, as calendars of all makers read it.

Lines end in CR LF and are folded at 75 octets, never within a character; texts escape backslash,
semicolon, comma and line ends. Times are UTC, so that no time zone has to be told.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

#: What a line may be long, in octets, without its end.
LONGEST = 75
_ESCAPED = re.compile(r"([\\;,])")
#: Not allowed in any text; what ends a line is written as `\\n`.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_ENDS = re.compile(r"\r\n|\r|\n|\u2028|\u2029|\x85")


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that has a beginning and an end."""

    #: The same for every version of the same event, so that a calendar replaces it.
    uid: str
    #: Counted up with every change.
    sequence: int
    changed: datetime
    begins: datetime
    ends: datetime
    summary: str
    description: str = ""
    location: str = ""
    url: str = ""
    #: TENTATIVE, CONFIRMED or CANCELLED.
    status: str = "CONFIRMED"


def calendar(events: Sequence[Event]) -> bytes:
    """A calendar of events."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//fabric-twin//tickets//EN"]
    lines += ["CALSCALE:GREGORIAN", "METHOD:PUBLISH"]
    lines += [line for event in events for line in _event(event)]
    lines.append("END:VCALENDAR")
    return b"".join(part + b"\r\n" for line in lines for part in _folded(line))


def escaped(text: str) -> str:
    """A text as RFC 5545 3.3.11 has it."""
    plain = _CONTROL.sub("", _ENDS.sub("\n", text))
    return _ESCAPED.sub(r"\\\1", plain).replace("\n", "\\n")


def _event(event: Event) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{escaped(event.uid)}"
    yield f"SEQUENCE:{event.sequence}"
    yield f"DTSTAMP:{_utc(event.changed)}"
    yield f"DTSTART:{_utc(event.begins)}"
    yield f"DTEND:{_utc(event.ends)}"
    yield f"SUMMARY:{escaped(event.summary)}"
    for name in ("description", "location"):
        if text := getattr(event, name):
            yield f"{name.upper()}:{escaped(text)}"
    if event.url:
        yield f"URL:{_CONTROL.sub('', _ENDS.sub('', event.url))}"
    yield f"STATUS:{event.status}"
    yield "END:VEVENT"


def _utc(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _folded(line: str) -> Iterator[bytes]:
    """A line in parts of at most 75 octets; all but the first begin with a blank."""
    part = b""
    for character in line:
        octets = character.encode(errors="replace")
        if len(part) + len(octets) > LONGEST:
            yield part
            part = b" "
        part += octets
    yield part
