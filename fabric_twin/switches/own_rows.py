"""What one Set may change: rows of ours by their whole path, and nothing else.

A server takes an update as "this is the value now": one of a table would delete every other row of
it, one without a path the whole configuration. So neither can be said here, but for the first rows
of a table that has none.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from fabric_twin.dialects import sonic
from fabric_twin.switches.states import Pair

Path = tuple[str, ...]
#: A path, and the JSON that should be there.
Update = tuple[Path, bytes]


class PortRow(NamedTuple):
    """One field of the row of a port, which may have others that are not ours."""

    port: str
    name: str
    value: str


@dataclass(frozen=True)
class OwnRows:
    """Circuits that go and come, and fields of ports: one transaction of one switch."""

    delete: Sequence[Pair] = ()
    add: Sequence[Pair] = ()
    ports: Sequence[PortRow] = ()
    #: Ports that have a row already: of these only the field is written.
    known: frozenset[str] = field(default_factory=frozenset)
    #: The keys of circuits that somebody did not call by their ports.
    odd: Mapping[Pair, Sequence[str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether there is anything to send."""
        return bool(self.delete or self.ports or self._new)

    @property
    def deletes(self) -> list[Path]:
        """The paths of what goes."""
        return [_row(key) for key in self.deleted]

    @property
    def deleted(self) -> list[str]:
        """The keys of circuits that go."""
        usual = ((pair, [sonic.circuit_key(*pair)]) for pair in self.delete)
        return [key for pair, keys in usual for key in self.odd.get(pair, keys)]

    @property
    def updates(self) -> list[Update]:
        """A path and a value for each row."""
        return [*map(_circuit, self._new), *map(self._port, self.ports)]

    @property
    def first(self) -> list[Update]:
        """The same as first rows of tables that have none: only where that was just read."""
        circuits = {sonic.circuit_key(*pair): _ends(pair) for pair in self._new}
        ports = {row.port: {row.name: row.value} for row in self.ports}
        rows = {sonic.CROSS_CONNECT: circuits, sonic.PORT: ports}
        return [(_path(table), _json(made)) for table, made in rows.items() if made]

    @property
    def tables(self) -> list[Path]:
        """The tables that these rows are all of: only where that was just read."""
        return [_path(sonic.CROSS_CONNECT)] if self.delete and not self.updates else []

    @property
    def conflict(self) -> str:
        """Which row of another circuit an added one would replace; empty where it replaces none."""
        added = {sonic.circuit_key(*pair): pair for pair in self._new}
        for pair, keys in self.odd.items():
            for key in keys:
                if added.get(key, pair) != pair and pair not in self.delete:
                    return f"row {key} is circuit {' to '.join(pair)}"
        return ""

    @property
    def _new(self) -> list[Pair]:
        """Circuits that get a row: not those that have one by another key, which is not ours."""
        return [pair for pair in self.add if pair not in self.odd or pair in self.delete]

    def _port(self, row: PortRow) -> Update:
        at = _path(sonic.PORT, row.port)
        if row.port in self.known:
            return (*at, row.name), _json(row.value)
        return at, _json({row.name: row.value})


def _path(*names: str) -> Path:
    return sonic.CONFIG, sonic.HOST, *names


@lru_cache(2**15)
def _row(key: str) -> Path:
    """Where the row of a circuit is."""
    return _path(sonic.CROSS_CONNECT, key)


@lru_cache(2**15)
def _circuit(pair: Pair) -> Update:
    """The row of a circuit: they are called alike on every switch."""
    return _row(sonic.circuit_key(*pair)), _json(_ends(pair))


def _ends(pair: Pair) -> Mapping[str, str]:
    return {sonic.A_SIDE: pair[0], sonic.B_SIDE: pair[1]}


def _json(value: object) -> bytes:
    return json.dumps(value).encode()
