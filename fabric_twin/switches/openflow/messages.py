"""OpenFlow 1.3 as bytes: what is sent, and what comes back, which nobody has to believe."""

import struct
from typing import NamedTuple

from fabric_twin.dialects import openflow as of
from fabric_twin.switches.openflow.table import COOKIE, PRIORITY, TABLE, Flow, Row
from fabric_twin.switches.whom import plain_text

HEADER = struct.Struct("!BBHI")
_FEATURES = struct.Struct("!QIBB2xII")
_PORT = struct.Struct("!I4x6s2x16s32x")
_PART = struct.Struct("!HH4x")
_FLOW = struct.Struct("!B3xII4xQQ")
_ROW = struct.Struct("!HBxIIHHHH4xQQQ")
_CHANGE = struct.Struct("!QQBBHHHIIIH2x")
_FIELD = struct.Struct("!I")
_MATCH = struct.Struct("!HH")
_FROM_PORT = struct.Struct("!HHII4x")
_OUTPUT = struct.Struct("!HH4xHHIH6x")
#: A match of everything, with its padding.
ANYTHING = struct.pack("!HH4x", of.OXM, 4)
#: As many bits as a cookie has.
_WHOLE = 2**64 - 1
#: A message of the wire, and all parts of one answer together: bytes.
LONGEST, MOST = 2**16 - 1, 16 * 2**20


class Unreadable(Exception):
    """An answer that is none: what is odd about it."""


class Message(NamedTuple):
    """One message as it came."""

    version: int
    kind: int
    number: int
    body: bytes


def written(kind: int, number: int, body: bytes = b"") -> bytes:
    """A whole message."""
    return HEADER.pack(of.VERSION, kind, HEADER.size + len(body), number) + body


def hello() -> bytes:
    """The body that offers OpenFlow 1.3 and nothing else."""
    return struct.pack("!HHI", of.VERSION_BITMAP, 8, 1 << of.VERSION)


def ports_asked() -> bytes:
    """The body that asks for all ports."""
    return _PART.pack(of.PORT_DESCRIPTION, 0)


def our_rows_asked() -> bytes:
    """The body that asks for the rows with our cookie."""
    return _rows_asked(of.ALL_TABLES, COOKIE, _WHOLE, ANYTHING)


def rows_asked() -> bytes:
    """The body that asks for anybody's rows of our table."""
    return _rows_asked(TABLE, 0, 0, ANYTHING)


def rows_from_asked(port: int) -> bytes:
    """The body that asks for anybody's rows of our table that take from a port only."""
    return _rows_asked(TABLE, 0, 0, from_port(port))


def _rows_asked(table: int, cookie: int, mask: int, match: bytes) -> bytes:
    return _PART.pack(of.FLOW, 0) + _FLOW.pack(table, of.ANY, of.ANY, cookie, mask) + match


def added(flow: Flow) -> bytes:
    """The body that adds an entry, unless one of its priority overlaps it."""
    out = of.IN_PORT if flow.out == flow.into else flow.out
    match = from_port(flow.into)
    action = _OUTPUT.pack(of.APPLY_ACTIONS, _OUTPUT.size, of.OUTPUT, 16, out, 0)
    return _change(of.ADD, TABLE, PRIORITY, of.CHECK_OVERLAP) + match + action


def removed(row: Row) -> bytes:
    """The body that removes this row, and only if its cookie is ours."""
    return _change(of.DELETE_STRICT, row.table, row.priority, 0) + row.match


def _change(command: int, table: int, priority: int, flags: int) -> bytes:
    anywhere = (of.NO_BUFFER, of.ANY, of.ANY)
    return _CHANGE.pack(COOKIE, _WHOLE, table, command, 0, 0, priority, *anywhere, flags)


def from_port(port: int) -> bytes:
    """The match of what comes in at a port, with its padding."""
    return _FROM_PORT.pack(of.OXM, 12, of.OXM_IN_PORT, port)


def check_hello(message: Message) -> None:
    """Refuse who does not speak OpenFlow 1.3."""
    if message.kind == of.ERROR:
        raise Unreadable(f"it refuses OpenFlow 1.3 ({refusal(message.body)})")
    offered = _bitmap(message.body)
    speaks = offered >> of.VERSION & 1 if offered is not None else message.version >= of.VERSION
    if not speaks:
        version = of.VERSIONS.get(message.version, f"version {message.version}")
        raise Unreadable(f"it speaks OpenFlow {version} and not 1.3")


def _bitmap(body: bytes) -> int | None:
    """The versions that a hello lists; None where it lists none."""
    while len(body) >= 4:
        kind, length = _MATCH.unpack_from(body)
        if length < 4:
            break
        if kind == of.VERSION_BITMAP and 8 <= length <= len(body):
            return int.from_bytes(body[4:8], "big")
        body = body[(length + 7) // 8 * 8 :]
    return None


def datapath_of(body: bytes) -> str:
    """The datapath id of a features reply."""
    if len(body) < _FEATURES.size:
        raise Unreadable("its features are cut short")
    return f"{_FEATURES.unpack_from(body)[0]:016x}"


def part_of(body: bytes, kind: int) -> tuple[bytes, bool]:
    """What a part of an answer brings, and whether more follows."""
    if len(body) < _PART.size:
        raise Unreadable("a part of its answer is cut short")
    told, flags = _PART.unpack_from(body)
    if told != kind:
        raise Unreadable(f"it answers with multipart {told} in place of {kind}")
    return body[_PART.size :], bool(flags & of.MORE)


def ports_of(data: bytes) -> dict[int, str]:
    """Port numbers and names; ports that OpenFlow reserves are left out."""
    if len(data) % 64:
        raise Unreadable("its list of ports is cut short")
    found = {}
    for number, _, name in _PORT.iter_unpack(data):
        if number < of.PORT_MAX:
            found[number] = plain_text(name.split(b"\0")[0].decode("ascii", "replace"))
    return found


def rows_of(data: bytes) -> list[Row]:
    """Rows of tables, in the order in which they come."""
    found, at = [], 0
    while at < len(data):
        if len(data) - at < _ROW.size + _MATCH.size:
            raise Unreadable("its list of flows is cut short")
        length, table, _, _, priority, idle, hard, _, cookie, *_ = _ROW.unpack_from(data, at)
        matched = _MATCH.unpack_from(data, at + _ROW.size)[1]
        ends = _ROW.size + (matched + 7) // 8 * 8
        if matched < 4 or not ends <= length <= len(data) - at:
            raise Unreadable("a flow has a length that cannot be")
        match, does = data[at + _ROW.size : at + ends], data[at + ends : at + length]
        into, out = _into(match), _out(does)
        stays = table == TABLE and priority == PRIORITY and not (idle or hard)
        flow = None
        if stays and into is not None and out is not None:
            flow = Flow(into, into if out == of.IN_PORT else out)
        found.append(Row(table, priority, cookie, match, into, flow))
        at += length
    return found


def _into(match: bytes) -> int | None:
    """The port where it comes in, if a row matches that and nothing else."""
    if len(match) != _FROM_PORT.size:
        return None
    *matches, into = _FROM_PORT.unpack(match)
    return into if matches == [of.OXM, 12, of.OXM_IN_PORT] else None


def port_of(match: bytes) -> int | None:
    """The port where a row takes from, whatever else it matches; none if it takes from any."""
    at, ends = _MATCH.size, _MATCH.unpack_from(match)[1]
    while at + 4 <= ends:
        (header,) = _FIELD.unpack_from(match, at)
        if header == of.OXM_IN_PORT and at + 8 <= ends:
            return int(_FIELD.unpack_from(match, at + 4)[0])
        at += 4 + (header & 0xFF)
    return None


def _out(instructions: bytes) -> int | None:
    """The port where it goes out, if a row does that and nothing else."""
    if len(instructions) != _OUTPUT.size:
        return None
    *does, out, _ = _OUTPUT.unpack(instructions)
    return out if does == [of.APPLY_ACTIONS, _OUTPUT.size, of.OUTPUT, 16] else None


def refusal(body: bytes) -> str:
    """What a switch refuses with, in its own words where it has some."""
    if len(body) < 4:
        return "no words"
    kind, code = _MATCH.unpack_from(body)
    said = of.ERRORS.get((kind, code), f"error type {kind}, code {code}")
    # Only to a hello do switches answer in words; else it is our own message that comes back.
    words = plain_text(body[4:].decode("ascii", "replace")) if kind == 0 else ""
    return f"{said}: {words}" if words else said
