"""What packets a row matches: fields, each with a value and the bits of it that count.

Which packets there can be does not matter here, only how rows meet.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from fabric_twin.dialects import openflow as of
from fabric_twin.simulator.openflow.refusal import Refusal

_HEAD = struct.Struct("!HH")
_OXM = struct.Struct("!HBB")
_IN_PORT = 0
#: Value, and the bits of it that count.
Bits = tuple[int, int]


def padded(length: int) -> int:
    """A length with its padding to 8 bytes."""
    return (length + 7) // 8 * 8


@dataclass(frozen=True, eq=False)
class Match:
    """Fields by number, as bytes without their padding; alike are those of the same packets."""

    data: bytes = b""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Match) and self.fields == other.fields

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(frozenset(self.fields.items()))

    @classmethod
    def of_port(cls, port: int) -> "Match":
        """All that comes in at a port."""
        return cls(struct.pack("!II", of.OXM_IN_PORT, port))

    @cached_property
    def fields(self) -> Mapping[int, Bits]:
        """Every field, by its number; a refusal where they cannot be read."""
        found: dict[int, Bits] = {}
        at = 0
        while at < len(self.data):
            if len(self.data) - at < _OXM.size:
                raise Refusal("OFPBMC_BAD_LEN")
            kind, number, length = _OXM.unpack_from(self.data, at)
            field, is_masked = number >> 1, number & 1
            value = self.data[at + _OXM.size : at + _OXM.size + length]
            at += _OXM.size + length
            if kind != of.OXM_BASIC or field >= len(of.OXM_LENGTHS):
                raise Refusal("OFPBMC_BAD_FIELD")
            if not len(value) == length == of.OXM_LENGTHS[field] * (1 + is_masked):
                raise Refusal("OFPBMC_BAD_LEN")
            if field in found:
                raise Refusal("OFPBMC_DUP_FIELD")
            found[field] = _bits(value, bool(is_masked), field)
        # A field none of whose bits count matches everything.
        return {field: (value, mask) for field, (value, mask) in found.items() if mask}

    @property
    def port(self) -> int | None:
        """The port where it comes in, if it must come in at one."""
        return self.fields[_IN_PORT][0] if _IN_PORT in self.fields else None

    def overlaps(self, other: "Match") -> bool:
        """Whether a packet may match both."""
        return all(
            (value ^ other.fields[field][0]) & mask & other.fields[field][1] == 0
            for field, (value, mask) in self.fields.items()
            if field in other.fields
        )

    def covers(self, other: "Match") -> bool:
        """Whether all that the other one matches is matched by this one too."""
        return all(
            field in other.fields
            and mask & ~other.fields[field][1] == 0
            and (value ^ other.fields[field][0]) & mask == 0
            for field, (value, mask) in self.fields.items()
        )

    def written(self) -> bytes:
        """With its head and padding."""
        length = _HEAD.size + len(self.data)
        return (_HEAD.pack(of.OXM, length) + self.data).ljust(padded(length), b"\0")


def match_of(data: bytes) -> tuple[Match, bytes]:
    """A match with its head and padding, and what comes behind it."""
    if len(data) < _HEAD.size:
        raise Refusal("OFPBMC_BAD_LEN")
    kind, length = _HEAD.unpack_from(data)
    if kind != of.OXM:
        raise Refusal("OFPBMC_BAD_TYPE")
    if length < _HEAD.size or padded(length) > len(data):
        raise Refusal("OFPBMC_BAD_LEN")
    match = Match(data[_HEAD.size : length])
    _ = match.fields  # refused at once
    return match, data[padded(length) :]


def _bits(data: bytes, is_masked: bool, field: int) -> Bits:
    if not is_masked:
        return int.from_bytes(data, "big"), (1 << 8 * len(data)) - 1
    half = len(data) // 2
    value, mask = (int.from_bytes(part, "big") for part in (data[:half], data[half:]))
    if field == _IN_PORT and mask != 2**32 - 1:
        raise Refusal("OFPBMC_BAD_MASK")
    if value & ~mask:
        raise Refusal("OFPBMC_BAD_WILDCARDS")
    return value, mask
