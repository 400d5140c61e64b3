"""The rows of a switch's one table, and the acts that change them."""

import struct
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace

from fabric_twin.dialects import openflow as of
from fabric_twin.simulator.openflow.matching import Match
from fabric_twin.simulator.openflow.refusal import Refusal

#: How many rows a switch takes [A]; and bytes of one at most, so that it can be told.
CAPACITY, LONGEST = 1000, 2**15
_ACTION = struct.Struct("!HH")
_OUTPUT = struct.Struct("!HHIH6x")
_INSTRUCTION = struct.Struct("!HH4x")


@dataclass(frozen=True)
class FlowRow:
    """One row: which packets, and what becomes of them."""

    priority: int
    match: Match
    cookie: int
    flags: int
    #: Seconds until it goes by itself; 0 is never. No packets pass, so it is idle from the start.
    idle: int
    hard: int
    instructions: bytes
    since: float

    @property
    def place(self) -> tuple[int, Match]:
        """What no two rows have alike."""
        return self.priority, self.match

    @property
    def lasts(self) -> float:
        """For how many seconds it is there."""
        return min(filter(None, (self.idle, self.hard)), default=float("inf"))

    def has(self, cookie: int, mask: int) -> bool:
        """Whether its cookie has these bits."""
        return (self.cookie ^ cookie) & mask == 0

    def goes_to(self, port: int) -> bool:
        """Whether it sends packets out of a port; any row where any port is asked for."""
        return port == of.ANY or port in outputs_of(self.instructions)


@dataclass(frozen=True)
class Asked:
    """Which rows are meant by who reads, modifies or deletes."""

    match: Match = field(default_factory=Match)
    cookie: int = 0
    mask: int = 0
    out_port: int = of.ANY
    out_group: int = of.ANY
    #: With this very match and priority; without it, rows that the match covers.
    strictly: int | None = None

    def means(self, row: FlowRow) -> bool:
        """Whether a row is one of them."""
        if self.strictly is not None:
            is_it = row.priority == self.strictly and self.match == row.match
        else:
            is_it = self.match.covers(row.match)
        # No row sends to a group: there are none.
        told = row.has(self.cookie, self.mask) and row.goes_to(self.out_port)
        return is_it and told and self.out_group == of.ANY


@dataclass
class FlowTable:
    """Rows in the order in which they came; each priority has a match once."""

    now: Callable[[], float]
    #: Whether it takes no more rows, however few it has.
    is_full: bool = False
    _rows: dict[tuple[int, Match], FlowRow] = field(default_factory=dict)

    def rows(self) -> list[FlowRow]:
        """The rows that there are now."""
        if any(row.idle or row.hard for row in self._rows.values()):
            now = self.now()
            left = self._rows.items()
            self._rows = {place: row for place, row in left if now - row.since < row.lasts}
        return [*self._rows.values()]

    def put(self, rows: Iterable[FlowRow]) -> None:
        """Have these rows and no others."""
        self._rows = {row.place: row for row in rows}

    def select(self, asked: Asked) -> Iterator[FlowRow]:
        """The rows that are meant."""
        return filter(asked.means, self.rows())

    def add(self, row: FlowRow, *, may_overlap: bool) -> None:
        """Add a row, or put it in the place of the one with its match and priority."""
        there = self.rows()
        if not may_overlap and any(
            one.priority == row.priority and row.match.overlaps(one.match) for one in there
        ):
            raise Refusal("OFPFMFC_OVERLAP")
        if row.place not in self._rows and (self.is_full or len(there) >= CAPACITY):
            raise Refusal("OFPFMFC_TABLE_FULL")
        self._rows.pop(row.place, None)
        self._rows[row.place] = row

    def modify(self, asked: Asked, instructions: bytes) -> None:
        """Have rows do something else; they keep cookies and times."""
        self.put(
            replace(row, instructions=instructions) if asked.means(row) else row
            for row in self.rows()
        )

    def delete(self, asked: Asked) -> None:
        """Remove rows."""
        self.put([row for row in self.rows() if not asked.means(row)])


def outputs_of(instructions: bytes) -> list[int]:
    """The ports that instructions send packets to."""
    return [
        _OUTPUT.unpack(action)[2]
        for kind, body in _parts(instructions, _INSTRUCTION.size, "OFPBIC_BAD_LEN")
        if kind in (of.APPLY_ACTIONS, of.WRITE_ACTIONS)
        for _, action in _parts(body[_INSTRUCTION.size :], 8, "OFPBAC_BAD_LEN")
    ]


def check_instructions(data: bytes, ports: Collection[int]) -> None:
    """Refuse what a switch without other tables, groups and meters cannot do."""
    if len(data) > LONGEST:
        raise Refusal("OFPBIC_BAD_LEN")
    kinds = set()
    for kind, body in _parts(data, _INSTRUCTION.size, "OFPBIC_BAD_LEN"):
        if kind in kinds:
            raise Refusal("OFPBIC_UNSUP_INST")
        kinds.add(kind)
        if kind == of.GOTO_TABLE:
            raise Refusal("OFPBIC_BAD_TABLE_ID")
        if kind not in (of.APPLY_ACTIONS, of.WRITE_ACTIONS):
            raise Refusal("OFPBIC_UNKNOWN_INST" if kind > of.METER else "OFPBIC_UNSUP_INST")
        for does, action in _parts(body[_INSTRUCTION.size :], 8, "OFPBAC_BAD_LEN"):
            if does != of.OUTPUT:
                raise Refusal("OFPBAC_BAD_TYPE")
            if len(action) != _OUTPUT.size:
                raise Refusal("OFPBAC_BAD_LEN")
            port = _OUTPUT.unpack(action)[2]
            if port not in ports and port not in (of.IN_PORT, of.ALL_PORTS, of.CONTROLLER):
                raise Refusal("OFPBAC_BAD_OUT_PORT")


def _parts(data: bytes, least: int, refusal: str) -> Iterator[tuple[int, bytes]]:
    """Instructions or actions, one by one: the kind of each, and all of its bytes."""
    while data:
        length = _ACTION.unpack_from(data)[1] if len(data) >= least else 0
        if length < least or length % 8 or length > len(data):
            raise Refusal(refusal)
        yield _ACTION.unpack_from(data)[0], data[:length]
        data = data[length:]
