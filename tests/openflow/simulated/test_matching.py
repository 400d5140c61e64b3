"""How rows meet, held against every packet that there is: three bits of an address, two ports."""

import itertools
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.dialects import openflow as of
from fabric_twin.simulator.openflow.matching import Match, match_of
from fabric_twin.simulator.openflow.refusal import Refusal

PORTS, ADDRESSES = (1, 2), range(8)
PACKETS = list(itertools.product(PORTS, ADDRESSES))
#: A port or any, and an address of three bits, of which some count.
Told = tuple[int | None, int, int]

told = st.tuples(
    st.sampled_from([None, *PORTS]), st.sampled_from(ADDRESSES), st.sampled_from(ADDRESSES)
).map(lambda one: (one[0], one[1] & one[2], one[2]))


def match(one: Told) -> Match:
    port, address, mask = one
    data = b"" if port is None else struct.pack("!II", of.OXM_IN_PORT, port)
    # The destination of Ethernet is field 3; its mask is behind it.
    data += struct.pack("!HBB", 0x8000, 3 << 1 | 1, 12)
    return Match(data + address.to_bytes(6, "big") + mask.to_bytes(6, "big"))


def packets(one: Told) -> set[tuple[int, int]]:
    port, address, mask = one
    return {p for p in PACKETS if port in (None, p[0]) and p[1] & mask == address}


@given(told, told)
def test_rows_overlap_where_a_packet_matches_both(one: Told, other: Told) -> None:
    assert match(one).overlaps(match(other)) is bool(packets(one) & packets(other))


@given(told, told)
def test_a_row_covers_what_matches_no_packet_but_its_own(one: Told, other: Told) -> None:
    assert match(one).covers(match(other)) is (packets(one) >= packets(other))


@given(told, told)
def test_rows_are_the_same_where_they_match_the_same(one: Told, other: Told) -> None:
    assert (match(one) == match(other)) is (packets(one) == packets(other))


@given(told)
def test_a_match_is_written_as_it_was_read(one: Told) -> None:
    written = match(one).written()
    assert len(written) % 8 == 0
    assert match_of(written + b"behind") == (match(one), b"behind")


IN_PORT = struct.pack("!II", of.OXM_IN_PORT, 1)


@pytest.mark.parametrize(
    ("data", "refusal"),
    [
        (b"\x80\x00", "OFPBMC_BAD_LEN"),
        (IN_PORT[:-1], "OFPBMC_BAD_LEN"),
        (IN_PORT * 2, "OFPBMC_DUP_FIELD"),
        (struct.pack("!HBBI", 0xFFFF, 0, 4, 1), "OFPBMC_BAD_FIELD"),
        (struct.pack("!HBBI", 0x8000, 40 << 1, 4, 1), "OFPBMC_BAD_FIELD"),
        (struct.pack("!HBBII", 0x8000, 1, 8, 1, 1), "OFPBMC_BAD_MASK"),
        (struct.pack("!HBB", 0x8000, 7, 12) + b"\1" * 6 + b"\0" * 6, "OFPBMC_BAD_WILDCARDS"),
        (struct.pack("!HBB", 0x8000, 7, 6) + b"\1" * 6, "OFPBMC_BAD_LEN"),
    ],
)
def test_what_cannot_be_read_is_refused(data: bytes, refusal: str) -> None:
    length = 4 + len(data)
    with pytest.raises(Refusal, match=refusal):
        match_of((struct.pack("!HH", of.OXM, length) + data).ljust((length + 7) // 8 * 8, b"\0"))


@pytest.mark.parametrize(
    ("data", "refusal"),
    [
        (b"\0", "OFPBMC_BAD_LEN"),
        (struct.pack("!HH4x", 0, 4), "OFPBMC_BAD_TYPE"),
        (struct.pack("!HH4x", of.OXM, 3), "OFPBMC_BAD_LEN"),
        (struct.pack("!HH4x", of.OXM, 12), "OFPBMC_BAD_LEN"),
    ],
)
def test_a_head_that_cannot_be_is_refused(data: bytes, refusal: str) -> None:
    with pytest.raises(Refusal, match=refusal):
        match_of(data)
