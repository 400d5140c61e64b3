"""Flow entries as a switch has them: what is ours is known by its cookie, and by nothing else."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from fabric_twin.core.errors import NotPossible

#: `FTRING`, and how our rows are written: the first way.
COOKIE = 0x4654_5249_4E47_0001
#: Where our rows are: foreign ones may be before or after them.
TABLE, PRIORITY = 0, 0x4000


class Flow(NamedTuple):
    """What comes in at a port goes out at another."""

    into: int
    out: int

    def __str__(self) -> str:
        return f"{self.into}->{self.out}"


class Row(NamedTuple):
    """A row of a switch's tables; match and instructions are the bytes that it has them in."""

    table: int
    priority: int
    cookie: int
    match: bytes
    #: The port where it comes in, where it matches nothing else.
    into: int | None
    #: What it does, where it does no more than an entry of a ring.
    flow: Flow | None

    def __str__(self) -> str:
        port = f"in_port {self.into}"
        match = port if self.into is not None else f"match {self.match.hex()[:80]}"
        return f"table {self.table}, priority {self.priority}, {match}"


@dataclass(frozen=True)
class Table:
    """What a switch shows: its ports, and the rows that are ours."""

    #: Port numbers, and what the switch calls them.
    ports: Mapping[int, str]
    rows: tuple[Row, ...] = ()

    @cached_property
    def entries(self) -> Mapping[Flow, Row]:
        """Rows of ours that are entries of rings."""
        return {row.flow: row for row in self.rows if row.flow}

    @property
    def odd(self) -> tuple[Row, ...]:
        """Rows with our cookie that are no entries: somebody changed them."""
        return tuple(row for row in self.rows if not row.flow)


@dataclass(frozen=True)
class Difference:
    """Rows of ours to remove from a switch, and then entries to add."""

    remove: tuple[Row, ...] = ()
    add: tuple[Flow, ...] = ()

    @classmethod
    def between(cls, table: Table, wanted: Collection[Flow]) -> "Difference":
        """What makes a switch have these entries of ours and no others."""
        surplus = tuple(row for row in table.rows if row.flow is None or row.flow not in wanted)
        return cls(surplus, tuple(sorted(set(wanted) - table.entries.keys())))

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.remove or self.add)


@dataclass(frozen=True)
class Sent:
    """What a switch was told, and what it said: whether it did so is read back."""

    #: By all that it was to be told: why it is not so, if it is not.
    why: Mapping[Row | Flow, str]
    #: What it refused, and what it did not answer to: after that nothing was sent.
    refused: Row | Flow | None = None
    unknown: Row | Flow | None = None


@dataclass(frozen=True)
class Applied:
    """What a switch shows after a change, and why something is not as it was asked."""

    table: Table
    why: Mapping[Row | Flow, str] = field(default_factory=dict)


def check_ports(switch: str, table: Table, flows: Collection[Flow]) -> None:
    """Refuse entries at ports that a switch does not have."""
    numbers = sorted({port for flow in flows for port in flow} - table.ports.keys())
    if numbers:
        raise NotPossible(
            f"it has no port {numbers[0]}; its ports are {_ranges(sorted(table.ports)) or 'none'}",
            where=switch,
            remedy="Give its ports the numbers that the design has, which OpenFlow shows",
        )


def _ranges(numbers: list[int]) -> str:
    """Some numbers in few words.

    >>> _ranges([1, 2, 3, 7])
    '1-3, 7'
    """
    spans: list[list[int]] = []
    for number in numbers:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    told = [f"{first}-{last}" if last > first else f"{first}" for first, last in spans]
    return ", ".join(told[:8]) + (" and more" if told[8:] else "")
