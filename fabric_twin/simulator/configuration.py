"""The configuration of a switch: tables of rows, and the circuits that its mirrors make of them.

Tables are never changed in place: a change makes another configuration, so that an
answer, a checkpoint or a fault can keep the one before.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

import numpy as np

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.fabric.columns import Column
from fabric_twin.dialects import sonic
from fabric_twin.dialects.sonic import Dialect, circuit_key
from fabric_twin.simulator.mirrors import Mirrors
from fabric_twin.simulator.points import NOWHERE

Row = Mapping[str, Any]
Table = Mapping[str, Row]
Tables = Mapping[str, Table]
_NO_ROWS: Table = {}


def first_tables(hostname: str, dialect: Dialect, radix: int, *, bare: bool = False) -> Tables:
    """What a switch comes with: who it is, and its ports; a bare one has no row for these yet."""
    machine = {"hostname": hostname, "switch_type": "ocs", "type": "SonicOCS"}
    tables: dict[str, Table] = {sonic.METADATA: {sonic.HOST: machine}}
    if not bare:
        tables[sonic.PORT] = _first_ports(dialect.forced, radix)
    return tables


@cache
def _first_ports(forced: str, radix: int) -> Table:
    """Ports without a label, not blocked: the same for every switch until one changes."""
    row = {sonic.LABEL: "", forced: sonic.NORMAL}
    return {f"{number}{side}": row for side in "AB" for number in range(1, radix + 1)}


def circuits_of(tables: Tables, numbers: Mapping[str, int], radix: int) -> Column:
    """Circuits as pairs of simplex ports, in the order of their rows.

    Rows that name no A port and B port of the switch are in none: nothing is ever carried for them.
    Nothing keeps a port from being in two: the last one has its mirror.
    """
    pairs = []
    for row in tables.get(sonic.CROSS_CONNECT, _NO_ROWS).values():
        a, b = (numbers.get(str(row.get(side)), NOWHERE) for side in (sonic.A_SIDE, sonic.B_SIDE))
        if 0 <= a < radix <= b:
            pairs.append((a, b))
    return np.array(pairs, dtype=np.int32).reshape(-1, 2)


def take(mirrors: Mirrors, switch: int, before: Tables, tables: Tables, dialect: Dialect) -> None:
    """Make this the configuration of a switch; its mirrors are not moved yet."""
    numbers = mirrors.points.simplex_numbers
    if tables.get(sonic.PORT) is not before.get(sonic.PORT):
        rows = tables.get(sonic.PORT, _NO_ROWS).items()
        forced = [port for port, row in rows if row.get(dialect.forced) == sonic.FORCE_BLOCKED]
        mirrors.blocked[switch] = False
        mirrors.blocked[switch][[numbers[port] for port in forced if port in numbers]] = True
    mirrors.configure(switch, circuits_of(tables, numbers, mirrors.radix))


def halved(before: Tables, wanted: Tables) -> Tables:
    """Every other circuit of a change is made, as far as ports are free for it."""
    old, new = (tables.get(sonic.CROSS_CONNECT, _NO_ROWS) for tables in (before, wanted))
    changed = sorted(key for key in old.keys() | new.keys() if old.get(key) != new.get(key))
    left = set(changed[1::2])
    kept = {key: row for key, row in old.items() if key in left or new.get(key) == row}
    taken = {port for row in kept.values() for port in _ends(row)}
    for key, row in new.items():
        if key not in left and key not in kept and taken.isdisjoint(_ends(row)):
            kept[key] = row
            taken |= _ends(row)
    return with_circuits(wanted, kept)


def _ends(row: Row) -> set[str]:
    return {str(row.get(side)) for side in (sonic.A_SIDE, sonic.B_SIDE)}


def with_circuits(tables: Tables, circuits: Table) -> Tables:
    """The same tables with these circuits; there is no table without rows."""
    others = {name: rows for name, rows in tables.items() if name != sonic.CROSS_CONNECT}
    return {**others, sonic.CROSS_CONNECT: circuits} if circuits else others


@dataclass
class Draft:
    """Circuits and dark ports of a switch that lets a port be in one circuit only."""

    #: The A ports in use by name, and the B port each is joined to.
    circuits: dict[str, str]
    blocked: set[str]
    radix: int

    def __post_init__(self) -> None:
        """Know circuits from their other end as well."""
        self._by_b = {b: a for a, b in self.circuits.items()}

    @classmethod
    def of(cls, mirrors: Mirrors, switch: int) -> Self:
        """The configuration of a switch as it is."""
        names, radix = mirrors.points.simplex_names, mirrors.radix
        joined = mirrors.configured[switch]
        a = np.flatnonzero(joined != NOWHERE).tolist()
        return cls(
            {names[n]: names[radix + int(joined[n])] for n in a},
            {names[n] for n in np.flatnonzero(mirrors.blocked[switch]).tolist()},
            radix,
        )

    def tables(self, before: Tables, dialect: Dialect) -> Tables:
        """This as tables of a switch: what they were before, but for circuits and dark ports."""
        rows = {
            circuit_key(a, b): {sonic.A_SIDE: a, sonic.B_SIDE: b} for a, b in self.circuits.items()
        }
        ports = before.get(sonic.PORT, _NO_ROWS)
        words = dict.fromkeys(self.blocked, sonic.FORCE_BLOCKED)
        words |= {
            port: sonic.NORMAL
            for port, row in ports.items()
            if port not in words and row.get(dialect.forced) == sonic.FORCE_BLOCKED
        }
        changed = {
            port: {**ports.get(port, {}), dialect.forced: word}
            for port, word in words.items()
            if ports.get(port, {}).get(dialect.forced) != word
        }
        tables = {**before, sonic.PORT: {**ports, **changed}} if changed else before
        return with_circuits(tables, rows)

    def delete(self, key: str) -> None:
        """Take a circuit away; one that is not there is gone already."""
        a, _, b = key.partition("-")
        if self.circuits.get(a) == b:
            del self.circuits[a], self._by_b[b]

    def clear(self) -> None:
        """Take every circuit away."""
        self.circuits.clear()
        self._by_b.clear()

    def add(self, key: str, a: str, b: str) -> None:
        """Add a circuit between free ports; one that is there already may be added again."""
        a_ports, b_ports = _ports(self.radix)
        if a not in a_ports or b not in b_ports:
            self._check(a, "A", key)
            self._check(b, "B", key)
        if key != circuit_key(a, b):
            raise UnusableInput(
                f"Invalid cross-connect: its key says {key[:40]!r}, its ports {a} and {b}",
                remedy=f"Call it {circuit_key(a, b)}",
            )
        from_a, to_b = self.circuits.get(a, b), self._by_b.get(b, a)
        if from_a != b:
            raise _conflict(key, a, circuit_key(a, from_a))
        if to_b != a:
            raise _conflict(key, b, circuit_key(to_b, b))
        self.circuits[a], self._by_b[b] = b, a

    def force(self, port: str, blocked: bool) -> None:
        """Keep a port dark, or no longer."""
        self._check(port, port[-1:], port)
        (self.blocked.add if blocked else self.blocked.discard)(port)

    def _check(self, port: str, side: str, key: str) -> None:
        number = port[:-1]
        well_formed = (
            len(number) < 5 and number.isascii() and number.isdigit() and number == str(int(number))
        )
        if port[-1:] != side or side not in ("A", "B") or not well_formed:
            raise UnusableInput(
                f"Invalid port {port[:40]!r} in {key[:80]!r}", remedy="Write ports like 1A and 2B"
            )
        if not 1 <= int(number) <= self.radix:
            raise UnusableInput(
                f"Error: the switch has no port {port[:40]!r}",
                remedy=f"Name ports from 1 to {self.radix}",
            )


@cache
def _ports(radix: int) -> tuple[frozenset[str], frozenset[str]]:
    """The A ports and the B ports of a switch by name."""
    a, b = (frozenset(f"{n}{side}" for n in range(1, radix + 1)) for side in "AB")
    return a, b


def _conflict(key: str, port: str, other: str) -> NotPossible:
    return NotPossible(
        f"{key}: port {port} is used by existing cross-connect {other}",
        remedy=f"Delete {other} in the same transaction",
    )
