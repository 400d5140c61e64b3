"""Rows that name a strand: two strands of a fibre pair are one cable, straight or crossed.

4.3.2/X+:1 ---- 7A      straight: strand 1 to A, strand 2 to B
4.3.2/X+:2 ---- 7B      (crossed is the other way round)
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

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
    alone: list[_Cable] = []
    pairs: dict[tuple[tuple[str, str], ...], list[_Cable]] = defaultdict(list)
    for cable, *row in zip(cables, *ends, strict=True):
        strand = _read(cable, *row)
        if strand.number:
            pairs[tuple(sorted(strand.ends))].append(strand)
        else:
            alone.append(strand)
    for members in pairs.values():
        alone += _joined(members)
    columns = [list(column) for column in zip(*(_flat(cable.ends) for cable in alone), strict=True)]
    crossed = tuple(row for row, cable in enumerate(alone) if cable.crossed)
    return (
        [cable.name for cable in alone],
        (columns[0], columns[1], columns[2], columns[3]),
        crossed,
    )


class _Cable(NamedTuple):
    """A cable, or one strand of one (then `number` is 1 or 2)."""

    name: str
    ends: tuple[tuple[str, str], tuple[str, str]]
    number: int = 0
    crossed: bool = False


def _read(cable: str, a_device: str, a_port: str, b_device: str, b_port: str) -> _Cable:
    for strand_port, half_port in ((a_port, b_port), (b_port, a_port)):
        strand, half = _STRAND.fullmatch(strand_port), _HALF.fullmatch(half_port)
        if strand and half:
            plain = {strand_port: strand[1], half_port: half[1]}
            return _Cable(
                cable,
                ((a_device, plain[a_port]), (b_device, plain[b_port])),
                int(strand[2]),
                (strand[2] == "1") != (half[2] == "A"),
            )
    return _Cable(cable, ((a_device, a_port), (b_device, b_port)))


def _joined(members: list[_Cable]) -> list[_Cable]:
    """One cable of its two strands; one strand alone, or recorded twice, stands for itself."""
    if len(members) != 2:
        return members
    first, second = sorted(members, key=lambda strand: strand.number)
    if first.number == second.number or first.crossed != second.crossed:
        return members
    paired = first.name.endswith(":1") and second.name == f"{first.name[:-2]}:2"
    return [first._replace(name=first.name[:-2] if paired else min(first.name, second.name))]


def _flat(ends: tuple[tuple[str, str], tuple[str, str]]) -> tuple[str, ...]:
    return (*ends[0], *ends[1])
