"""Rows that name a strand: two strands of a fibre pair are one cable, straight or crossed.

4.3.2/X+:1 ---- 7A      straight: strand 1 to A, strand 2 to B
4.3.2/X+:2 ---- 7B      (crossed is the other way round)
"""

import re
from collections import defaultdict
from collections.abc import Sequence

from fabric_twin.core.names import Names
from fabric_twin.core.rule import Plant

_STRAND = re.compile(r"(.+):([12])")
_HALF = re.compile(r"(\d+)([AB])")

#: The two devices and ports of every row, as four columns.
Ends = tuple[Sequence[str], Sequence[str], Sequence[str], Sequence[str]]


def join_strands(
    names: Names, cables: Sequence[str], ends: Ends
) -> tuple[Sequence[str], Ends, tuple[int, ...]]:
    """Make one row of both strands of a pair; also say which rows are crossed pairs.

    A row that names a strand at one end only is left as it is: no port has that name.
    """
    if names.layout.plant is not Plant.PAIRED or not any(
        ":" in port for column in (ends[1], ends[3]) for port in column
    ):
        return cables, ends, ()
    pairs: dict[tuple[str, ...], list[tuple[int, bool]]] = defaultdict(list)
    rows: list[tuple[str, str, str, str]] = []
    for row, (a_device, a_port, b_device, b_port) in enumerate(zip(*ends, strict=True)):
        first, second = _STRAND.fullmatch(a_port), _HALF.fullmatch(b_port)
        if not (first and second):
            second, first = _HALF.fullmatch(a_port), _STRAND.fullmatch(b_port)
        if not (first and second):
            rows.append((a_device, a_port, b_device, b_port))
            pairs["", str(row)].append((row, False))
            continue
        joined = (a_device, a_port[:-1].rstrip(":"), b_device, b_port[:-1].rstrip(":"))
        rows.append(joined)
        pairs[joined].append((row, (first[2] == "1") != (second[2] == "A")))
    kept: list[tuple[str, tuple[str, str, str, str], bool]] = []
    for members in pairs.values():
        row, crossed = members[0]
        if len(members) == 2 and members[1][1] == crossed and _differ(ends, row, members[1][0]):
            kept.append((_pair_name(cables[row], cables[members[1][0]]), rows[row], crossed))
        else:  # one strand alone, or a strand recorded twice: each is a cable of its own
            kept += [(cables[row], rows[row], crossed) for row, crossed in members]
    columns = [list(column) for column in zip(*(ends for _, ends, _ in kept), strict=True)]
    crossed_rows = tuple(row for row, (_, _, crossed) in enumerate(kept) if crossed)
    return (
        [name for name, _, _ in kept],
        (columns[0], columns[1], columns[2], columns[3]),
        crossed_rows,
    )


def _differ(ends: Ends, row: int, other: int) -> bool:
    return ends[1][row] != ends[1][other]


def _pair_name(first: str, second: str) -> str:
    """A pair recorded as `NAME:1` and `NAME:2` is the cable NAME."""
    if first[:-2] == second[:-2] and {first[-2:], second[-2:]} == {":1", ":2"}:
        return first[:-2]
    return min(first, second)
