"""Entries followed port by port over a cut sheet; shares no code with designs or with rings."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable

#: A device and a port; what a switch forwards: its name, the port in and the port out.
End = tuple[str, str]
Told = tuple[str, int, int]
#: What a ring passes: a group, and the port where it goes in.
Passed = tuple[str, str]

_GROUP = re.compile(r".*-r\d\dc\d\d")
_PORT = re.compile(r"(\d+)\.(\d+)/([WENS])(\d+)")


def cables_of(sheet: str) -> dict[End, End]:
    """The other end of each end, by the rows of a cut sheet."""
    found: dict[End, End] = {}
    for row in csv.DictReader(io.StringIO(sheet)):
        a = row["a_device"], row["a_port"]
        b = row["b_device"], row["b_port"]
        assert a not in found
        assert b not in found
        found[a], found[b] = b, a
    return found


def through(port: str, rows: int, columns: int) -> str:
    """Where copper takes what comes into a group at an edge: out at the opposite one."""
    row, column, edge, lane = _PORT.fullmatch(port).groups()  # type: ignore[union-attr]
    if edge == "W":
        return f"{row}.{columns}/E{lane}"
    if edge == "E":
        return f"{row}.1/W{lane}"
    if edge == "N":
        return f"{rows}.{column}/S{lane}"
    return f"1.{column}/N{lane}"


def follow(
    cables: dict[End, End], entries: Iterable[Told], rows: int, columns: int
) -> list[list[Passed]]:
    """Every ring that entries make, as the groups that it passes, from the first of its entries.

    Fails where one does not close, where an entry is in none, and where two use a direction of a
    link.
    """
    told = sorted(entries)
    goes = {(switch, str(into)): str(out) for switch, into, out in told}
    assert len(goes) == len(told), "two entries take what comes in at one port"
    directions: Counter[tuple[End, End]] = Counter()
    left = dict.fromkeys(goes)
    rings = []
    while left:
        start = here = next(iter(left))
        ring: list[Passed] = []
        while True:
            assert here in left, f"the ring comes to {here}, and does not close"
            del left[here]
            out = here[0], goes[here]
            there = cables[out]
            directions[out, there] += 1
            if _GROUP.fullmatch(there[0]):
                ring.append(there)
                edge = there[0], through(there[1], rows, columns)
                there = cables[edge]
                directions[edge, there] += 1
            here = there
            if here == start:
                break
        rings.append(ring)
    assert not [link for link, many in directions.items() if many > 1]
    return rings
