"""The rows of a switch's one table, and the acts that change them."""

import struct
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace

from fabric_twin.dialects import openflow as of
from fabric_twin.simulator.openflow.matching import Match
from fabric_twin.simulator.openflow.refusal import Refusal

#: How many rows a switch takes, if nobody says otherwise [A].
CAPACITY = 1000
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
            is_it = row.priority == self.strictly and self.match.is_same(row.match)
        else:
            is_it = self.match.covers(row.match)
        # No row sends to a group: there are none.
        told = row.has(self.cookie, self.mask) and row.goes_to(self.out_port)
        return is_it and told and self.out_group == of.ANY


@dataclass
class FlowTable:
    """Rows in the order in which they came."""

    now: Callable[[], float]
    capacity: int = CAPACITY
    _rows: list[FlowRow] = field(default_factory=list)

    def rows(self) -> list[FlowRow]:
        """The rows that there are now."""
        now = self.now()
        self._rows = [row for row in self._rows if now - row.since < row.lasts]
        return list(self._rows)

    def put(self, rows: Collection[FlowRow]) -> None:
        """Have these rows and no others."""
        self._rows = list(rows)

    def select(self, asked: Asked) -> Iterator[FlowRow]:
        """The rows that are meant."""
        return filter(asked.means, self.rows())

    def add(self, row: FlowRow, *, may_overlap: bool) -> None:
        """Add a row, or put it in the place of the one with its match and priority."""
        there = self.rows()
        beside = [one for one in there if one.priority == row.priority]
        if not may_overlap and any(row.match.overlaps(one.match) for one in beside):
            raise Refusal("OFPFMFC_OVERLAP")
        left = [one for one in there if one not in beside or not row.match.is_same(one.match)]
        if len(left) >= self.capacity:
            raise Refusal("OFPFMFC_TABLE_FULL")
        self._rows = [*left, row]

    def modify(self, asked: Asked, instructions: bytes) -> None:
        """Have rows do something else; they keep cookies and times."""
        self._rows = [
            replace(row, instructions=instructions) if asked.means(row) else row
            for row in self.rows()
        ]

    def delete(self, asked: Asked) -> None:
        """Remove rows."""
        self._rows = [row for row in self.rows() if not asked.means(row)]


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
    for kind, body in _parts(data, _INSTRUCTION.size, "OFPBIC_BAD_LEN"):
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
