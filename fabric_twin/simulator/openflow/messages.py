"""Messages as bytes: requests that are read, and answers that are written."""

import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabric_twin.dialects import openflow as of
from fabric_twin.simulator.openflow.flow_table import Asked, FlowRow
from fabric_twin.simulator.openflow.matching import match_of, padded
from fabric_twin.simulator.openflow.refusal import Refusal

HEAD = struct.Struct("!BBHI")
_HELLO = struct.Struct("!HHI")
_FEATURES = struct.Struct("!QIBB2xII")
_PORT = struct.Struct("!I4xQ16sIIIIIIII")
_MULTIPART = struct.Struct("!HH4x")
_ASKED = struct.Struct("!B3xII4xQQ")
_CHANGE = struct.Struct("!QQBBHHHIIIH2x")
_ROW = struct.Struct("!HBxIIHHHH4xQQQ")
_SUM = struct.Struct("!QQI4x")
_TABLE = struct.Struct("!B3xIQQ")
_TABLE_FEATURES = struct.Struct("!HB5x32sQQII")
#: Bytes of an answer's part: it fits into one message.
_PART = 2**15


class Request(NamedTuple):
    """A message as it came."""

    version: int
    kind: int
    number: int
    body: bytes

    def answered(self, kind: int, body: bytes = b"") -> bytes:
        """An answer to it."""
        return HEAD.pack(of.VERSION, kind, HEAD.size + len(body), self.number) + body

    def refused(self, refusal: Refusal, words: bytes = b"") -> bytes:
        """An error about it; it comes back, as far as the specification wants it."""
        whole = HEAD.pack(self.version, self.kind, HEAD.size + len(self.body), self.number)
        told = words or (whole + self.body)[:64]
        return self.answered(of.ERROR, struct.pack("!HH", *refusal.codes) + told)


class Change(NamedTuple):
    """A change of rows."""

    command: int
    table: int
    asked: Asked
    row: FlowRow
    may_overlap: bool
    buffer: int


def hello() -> bytes:
    """What a switch begins with: it speaks OpenFlow 1.3."""
    body = _HELLO.pack(of.VERSION_BITMAP, 8, 1 << of.VERSION)
    return HEAD.pack(of.VERSION, of.HELLO, HEAD.size + len(body), 0) + body


def offers_ours(request: Request) -> bool:
    """Whether a hello offers OpenFlow 1.3."""
    body = request.body
    while len(body) >= 4:
        kind, length = struct.unpack_from("!HH", body)
        if kind == of.VERSION_BITMAP and length >= 8 and len(body) >= 8:
            return bool(int.from_bytes(body[4:8], "big") >> of.VERSION & 1)
        body = body[max(8, (length + 7) // 8 * 8) :]
    return request.version >= of.VERSION


def features(datapath: int) -> bytes:
    """Who a switch is: one table, and it tells of its rows and of itself."""
    return _FEATURES.pack(datapath, 0, 1, 0, of.FLOW_STATS | of.TABLE_STATS, 0)


def ports(names: Mapping[int, str], up: Mapping[int, bool], datapath: int) -> Iterator[bytes]:
    """Every port, and whether its link is up."""
    for number, name in names.items():
        # Two bytes of padding are behind the six of a hardware address.
        address = (0x02 << 40 | (datapath & 0xFFFF) << 24 | number) << 16
        state = 0 if up.get(number) else of.LINK_DOWN
        yield _PORT.pack(number, address, name.encode()[:15], 0, state, *[0] * 6)


def multipart_of(body: bytes) -> tuple[int, bytes]:
    """The kind of a request in parts, and what it says."""
    if len(body) < _MULTIPART.size:
        raise Refusal("OFPBRC_BAD_LEN")
    kind, flags = _MULTIPART.unpack_from(body)
    if flags & of.MORE:
        raise Refusal("OFPBRC_BAD_MULTIPART")
    return int(kind), body[_MULTIPART.size :]


def in_parts(kind: int, pieces: Iterable[bytes]) -> list[bytes]:
    """The bodies of an answer, none longer than a message may be."""
    parts = [b""]
    for piece in pieces:
        if len(parts[-1]) + len(piece) > _PART:
            parts.append(b"")
        parts[-1] += piece
    last = len(parts) - 1
    return [
        _MULTIPART.pack(kind, of.MORE if number < last else 0) + part
        for number, part in enumerate(parts)
    ]


def asked_of(body: bytes) -> tuple[int, Asked]:
    """The table and the rows that somebody wants to read."""
    if len(body) < _ASKED.size:
        raise Refusal("OFPBRC_BAD_LEN")
    table, out_port, out_group, cookie, mask = _ASKED.unpack_from(body)
    match, rest = match_of(body[_ASKED.size :])
    if rest:
        raise Refusal("OFPBRC_BAD_LEN")
    return table, Asked(match, cookie, mask, out_port, out_group)


def change_of(body: bytes, now: float) -> Change:
    """A change of rows."""
    if len(body) < _CHANGE.size:
        raise Refusal("OFPBRC_BAD_LEN")
    cookie, mask, table, command, idle, hard, priority, buffer, out_port, out_group, flags = (
        _CHANGE.unpack_from(body)
    )
    match, instructions = match_of(body[_CHANGE.size :])
    deletes = command in (of.DELETE, of.DELETE_STRICT)
    strictly = priority if command in (of.MODIFY_STRICT, of.DELETE_STRICT) else None
    # Where a row goes to is asked for by who deletes, and by nobody else.
    port, group = (out_port, out_group) if deletes else (of.ANY, of.ANY)
    return Change(
        command,
        table,
        Asked(match, cookie, mask, port, group, strictly),
        FlowRow(priority, match, cookie, flags, idle, hard, instructions, now),
        not flags & of.CHECK_OVERLAP,
        buffer,
    )


def row(one: FlowRow, now: float) -> bytes:
    """A row as it is told; nothing ever passed it."""
    match, age = one.match.written(), max(0.0, now - one.since)
    length = _ROW.size + len(match) + len(one.instructions)
    times = int(age), int(age % 1 * 1e9)
    told = (0, *times, one.priority, one.idle, one.hard, one.flags, one.cookie, 0, 0)
    return _ROW.pack(length, *told) + match + one.instructions


def rows_counted(many: int) -> bytes:
    """How many rows there are, and that nothing passed."""
    return _SUM.pack(0, 0, many)


def table(many: int) -> bytes:
    """How many rows the table has."""
    return _TABLE.pack(0, many, 0, 0)


def table_features(capacity: int) -> bytes:
    """How many rows the table takes, and what they may match and do."""
    does = b"".join(struct.pack("!HH", one, 4) for one in (of.WRITE_ACTIONS, of.APPLY_ACTIONS))
    output = struct.pack("!HH", of.OUTPUT, 4)
    fields = b"".join(
        struct.pack("!HBB", of.OXM_BASIC, number << 1, length)
        for number, length in enumerate(of.OXM_LENGTHS)
    )
    # Instructions, tables that follow, actions written and applied, fields that may and need not be
    # matched, and fields that may be set.
    told = {0: does, 2: b"", 4: output, 6: output, 8: fields, 10: fields, 12: b"", 14: b""}
    listed = b"".join(
        (struct.pack("!HH", kind, 4 + len(ids)) + ids).ljust(padded(4 + len(ids)), b"\0")
        for kind, ids in told.items()
    )
    size = _TABLE_FEATURES.size + len(listed)
    return _TABLE_FEATURES.pack(size, 0, b"flows", 0, 0, 0, capacity) + listed


def description(name: str) -> bytes:
    """Who made it, and what it is called."""
    texts = (("simulated", 256), ("packet switch", 256), ("fabric-twin", 256), ("", 32))
    return b"".join(text.encode().ljust(size, b"\0") for text, size in texts) + name.encode()[
        :255
    ].ljust(256, b"\0")
