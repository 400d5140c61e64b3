"""Rows that name a strand: two strands of a fibre pair are one cable, straight or crossed.

4.3.2/X+:1 ---- 7A      straight: strand 1 to A, strand 2 to B
4.3.2/X+:2 ---- 7B      (crossed is the other way round)
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from fabric_twin.core.fabric.plant import Row
from fabric_twin.core.pods.names import Names
from fabric_twin.core.rule import Plant

_STRAND = re.compile(r"(.+):([12])")
_HALF = re.compile(r"(\d+)([AB])")

#: The two devices and ports of every row, as four columns.
Ends = tuple[Sequence[str], Sequence[str], Sequence[str], Sequence[str]]


def join_strands(
    names: Names, cables: Sequence[str], ends: Ends
) -> tuple[Sequence[str], Ends, tuple[int, ...], list[Row]]:
    """Make one row of both strands of a pair; also say which rows are crossed pairs.

    Last come the rows of strands that make no pair. A row that names a strand at one end only is
    left as it is: no port has that name.
    """
    by_strand = names.layout.plant is Plant.PAIRED and names.layout.strands == 1
    if not by_strand or not any(":" in port for column in (ends[1], ends[3]) for port in column):
        return cables, ends, (), []
    whole: list[_Cable] = []
    loose: list[Row] = []
    pairs: dict[tuple[tuple[str, str], ...], list[tuple[_Cable, Row]]] = defaultdict(list)
    for row in zip(cables, *ends, strict=True):
        strand = _read(*row)
        if strand.number:
            pairs[tuple(sorted(strand.ends))].append((strand, row))
        else:
            whole.append(strand)
    taken = set(cables)
    for members in pairs.values():
        joined = _joined([strand for strand, _ in members], taken)
        if joined:
            whole.append(joined)
        else:
            loose += [row for _, row in members]
    a_device, a_port, b_device, b_port = (
        [cable.ends[end][part] for cable in whole] for end in (0, 1) for part in (0, 1)
    )
    crossed = tuple(row for row, cable in enumerate(whole) if cable.crossed)
    return [cable.name for cable in whole], (a_device, a_port, b_device, b_port), crossed, loose


class _Cable(NamedTuple):
    """A cable, or one strand of one (then `number` is 1 or 2)."""

    name: str
    ends: tuple[tuple[str, str], tuple[str, str]]
    number: int = 0
    crossed: bool = False


def _read(cable: str, a_device: str, a_port: str, b_device: str, b_port: str) -> _Cable:
    for strand_port, half_port in ((a_port, b_port), (b_port, a_port)):
        strand, half = _STRAND.fullmatch(strand_port), _HALF.fullmatch(half_port)
        # Of a dark strand the end at the switch is not known.
        if strand and (half or not half_port):
            plain = {strand_port: strand[1], half_port: half[1] if half else ""}
            return _Cable(
                cable,
                ((a_device, plain[a_port]), (b_device, plain[b_port])),
                int(strand[2]),
                half is not None and (strand[2] == "1") != (half[2] == "A"),
            )
    return _Cable(cable, ((a_device, a_port), (b_device, b_port)))


def _joined(strands: list[_Cable], taken: set[str]) -> _Cable | None:
    """The cable of two strands; `NAME:1` and `NAME:2` are the cable NAME, if no other row is."""
    if len(strands) != 2:
        return None
    first, second = sorted(strands, key=lambda strand: strand.number)
    if first.number == second.number or first.crossed != second.crossed:
        return None
    name = first.name.removesuffix(":1")
    paired = second.name == f"{name}:2" and first.name != name and name not in taken
    return first._replace(name=name if paired else min(first.name, second.name))
