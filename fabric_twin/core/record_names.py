"""What people call a ticket, an order, a run or a cube, taken apart: `iw1-t2`, `w2`, `audit 5`."""

import re
from dataclasses import dataclass
from textwrap import shorten

#: Letters of a title that the head of a page has room for.
_HEAD = 80

#: No name is longer: more letters take patterns of names a long time.
_LONGEST = 255

#: No record has a longer number; a longer one is text.
_NUMBER = r"(?P<number>\d{1,9})"

TICKET_NAME = re.compile(
    rf"(?:(?:(?P<pod>.+)-)?t)?{_NUMBER}(?:\.(?P<revision>\d{{1,4}}))?", re.IGNORECASE | re.ASCII
)
ORDER_NAME = re.compile(rf"(?:(?:(?P<pod>.+)-)?w)?{_NUMBER}", re.IGNORECASE | re.ASCII)
RUN_NAME = re.compile(rf"(?:(?:(?P<pod>.+)\s+)?audit\s+)?{_NUMBER}", re.IGNORECASE | re.ASCII)
CUBE_NAME = re.compile(rf"(?:(?:(?P<pod>.+)\s+)?cube\s+)?{_NUMBER}", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, kw_only=True)
class RecordName:
    """A number as it is counted in a pod; the pod and the revision where the name has them."""

    pod: str | None
    number: int
    revision: int | None = None


def parse_record_name(pattern: re.Pattern[str], text: str) -> RecordName | None:
    """The parts of a name such as people write it, in any case; None where it is no such name.

    The head of a page is one too: what stands behind its colon is left out.
    """
    if (name := tidy(text)) is None or not (found := pattern.fullmatch(name.partition(": ")[0])):
        return None
    parts = found.groupdict()
    revision = parts.get("revision")
    return RecordName(
        pod=parts["pod"],
        number=int(parts["number"]),
        revision=int(revision) if revision else None,
    )


def tidy(text: str) -> str | None:
    """With single blanks; None where it is too long to be a name."""
    name = " ".join(text[: 2 * _LONGEST].split())
    return None if len(text) > 2 * _LONGEST or len(name) > _LONGEST else name


def headed(name: str, title: str) -> str:
    """What stands over a page: what it is called, and what it is about.

    >>> headed("iw1-w2", "Replace FAN 1")
    'iw1-w2: Replace FAN 1'
    """
    return f"{name}: {shorten(title, _HEAD, placeholder='...')}" if title else name
