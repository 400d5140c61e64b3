"""Sets of slots as people write them: `1-4,7`."""

import re
from collections.abc import Sequence

from fabric_twin.core.errors import UnusableInput

_PART = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?", re.ASCII)


def parse_slots(text: str, last: int) -> tuple[int, ...]:
    """Read a set of slots from 1 to `last`, in order and once each.

    >>> parse_slots("7,1-4", last=144)
    (1, 2, 3, 4, 7)
    """
    slots: set[int] = set()
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if not match:
            raise UnusableInput(
                f"{part.strip()[:40]!r} is not a slot or a range of slots",
                where="slots",
                remedy="Write slots like 1-4,7",
            )
        first, end = int(match[1]), int(match[2] or match[1])
        if first > end:
            raise UnusableInput(
                f"the range {part.strip()} runs backwards",
                where="slots",
                remedy=f"Write {end}-{first}",
            )
        if first < 1 or end > last:
            raise UnusableInput(
                f"{part.strip()} is not within slots 1 to {last}",
                where="slots",
                remedy="Name slots that the design has",
            )
        slots.update(range(first, end + 1))
    return tuple(sorted(slots))


def format_slots(slots: Sequence[int]) -> str:
    """Write a set of slots the short way.

    >>> format_slots((1, 2, 3, 4, 7))
    '1-4,7'
    """
    runs: list[list[int]] = []
    for slot in sorted(slots):
        if runs and runs[-1][1] == slot - 1:
            runs[-1][1] = slot
        else:
            runs.append([slot, slot])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def wished_slots(slots: str | Sequence[int] | None, most: int) -> tuple[int, ...] | None:
    """Slots as people write them, or one by one; all where there is nothing."""
    if not slots:
        return None
    text = slots if isinstance(slots, str) else ",".join(map(str, slots))
    return parse_slots(text, most)
