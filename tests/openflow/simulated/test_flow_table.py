"""Rows of a table come, go by themselves, and find no room."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.dialects import openflow as of
from fabric_twin.simulator.clock import SteppedClock
from fabric_twin.simulator.openflow.flow_table import (
    CAPACITY,
    Asked,
    FlowRow,
    FlowTable,
    check_instructions,
)
from fabric_twin.simulator.openflow.matching import Match
from fabric_twin.simulator.openflow.packet_switch import PacketSwitch
from fabric_twin.simulator.openflow.refusal import Refusal

OUT_2 = bytes.fromhex("00040018000000000000001000000002ffff000000000000")


def row(port: int, *, idle: int = 0, hard: int = 0, since: float = 0.0) -> FlowRow:
    return FlowRow(100, Match.of_port(port), 7, 0, idle, hard, OUT_2, since)


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock(0.0)


@pytest.fixture
def table(clock: SteppedClock) -> FlowTable:
    return FlowTable(clock.now)


def ports(table: FlowTable) -> list[int | None]:
    return [one.match.port for one in table.rows()]


def test_a_row_goes_by_itself_when_its_time_is_over(table: FlowTable, clock: SteppedClock) -> None:
    for one in (row(1), row(2, idle=5), row(3, idle=9, hard=3)):
        table.add(one, may_overlap=False)
    seen = []
    for _ in range(3):
        clock.step(2.5)
        seen.append(ports(table))
    assert seen == [[1, 2, 3], [1], [1]]


def test_what_finds_no_room_is_refused_and_a_row_in_the_place_of_another_finds_it(
    table: FlowTable,
) -> None:
    for port in range(1, CAPACITY + 1):
        table.add(row(port), may_overlap=False)
    with pytest.raises(Refusal, match="OFPFMFC_TABLE_FULL"):
        table.add(row(CAPACITY + 1), may_overlap=False)
    table.add(row(2), may_overlap=True)
    assert ports(table) == [1, *range(3, CAPACITY + 1), 2]
    table.delete(Asked(Match.of_port(9)))
    table.is_full = True
    with pytest.raises(Refusal, match="OFPFMFC_TABLE_FULL"):
        table.add(row(9), may_overlap=False)


@pytest.mark.parametrize(
    ("instructions", "refusal"),
    [
        (OUT_2 * 2, "OFPBIC_UNSUP_INST"),
        (struct.pack("!HH4x", 4, 8 + 16 * 2048) + OUT_2[8:] * 2048, "OFPBIC_BAD_LEN"),
        (OUT_2[:-1], "OFPBIC_BAD_LEN"),
        (bytes.fromhex("0004001800000000000000080000000200000000000000"), "OFPBIC_BAD_LEN"),
    ],
)
def test_instructions_that_could_not_be_told_again_are_refused(
    instructions: bytes, refusal: str
) -> None:
    with pytest.raises(Refusal, match=refusal):
        check_instructions(instructions, {2})


def test_rows_are_chosen_by_where_they_go_to(table: FlowTable) -> None:
    table.add(row(1), may_overlap=False)
    found = [len([*table.select(Asked(out_port=port))]) for port in (2, 3, of.ANY)]
    assert found == [1, 0, 1]
    assert [*table.select(Asked(out_group=1))] == []


@given(st.lists(st.tuples(st.integers(1, 4), st.booleans())))
def test_no_port_has_two_rows_of_one_priority(told: list[tuple[int, bool]]) -> None:
    table = FlowTable(lambda: 0.0)
    for port, comes in told:
        if comes:
            table.add(row(port), may_overlap=True)
        else:
            table.delete(Asked(Match.of_port(port)))
    last = dict(told)
    assert sorted(p for p in ports(table) if p) == sorted(p for p, comes in last.items() if comes)


def test_a_switch_has_again_what_was_kept() -> None:
    one, other = (PacketSwitch.new("s", number, {1: "1"}, lambda: 0.0) for number in (7, 8))
    one.table.add(row(1, hard=9), may_overlap=False)
    one.table.is_full = True
    other.restore(one.as_json())
    assert (other.datapath_id, other.table.is_full) == ("0000000000000007", True)
    assert other.table.rows() == one.table.rows()
