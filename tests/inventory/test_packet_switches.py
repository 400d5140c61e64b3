"""Where packet switches answer: a file that says so, and what is wrong with one."""

import pytest

from fabric_twin.core.errors import UnusableInput
from fabric_twin.inventory.groups.packet_switches import PacketSwitch, read_packet_switches
from tests.core.rings.clusters import device, empty

STATE = empty("groups-a")


def test_a_switch_has_an_address_and_a_datapath_id() -> None:
    sheet = b"device,address,datapath\npg1-row-01-1-1,h:1,0xA1\nrow-02-1-1,[::1]:6653,A2\n"
    assert read_packet_switches(sheet, "s.csv", STATE) == {
        device(STATE, "pg1-row-01-1-1"): PacketSwitch("h:1", "00000000000000a1"),
        device(STATE, "pg1-row-02-1-1"): PacketSwitch("[::1]:6653", "00000000000000a2"),
    }


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("pg1-r01c01,h:1,,,a1", "s.csv, pg1-r01c01: it is no switch of the cluster"),
        ("x,h:1,,,a1", "it is no switch of the cluster"),
        ("row-01-1-1,h:1,,gnmi,a1", "it has a driver or a target"),
        ("row-01-1-1,h:1,t,,a1", "it has a driver or a target"),
        ("row-01-1-1,h:1,,,", "it has no datapath id"),
        ("row-01-1-1,h:1,,,0x", "'0x' is no datapath id"),
        ("row-01-1-1,h:1,,," + "a" * 17, "'aaaaaaaaaaaaaaaaa' is no datapath id"),
        ("row-01-1-1,h:1,,,a1\nrow-02-1-1,h:2,,,0A1", "row-01-1-1 has the same datapath id"),
        ("row-01-1-1,h:1,,,a1\npg1-row-01-1-1,h:2,,,a2", "or is the same switch"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(rows: str, words: str) -> None:
    data = f"device,address,target,driver,datapath\n{rows}\n".encode()
    with pytest.raises(UnusableInput) as refusal:
        read_packet_switches(data, "s.csv", STATE)
    assert words in str(refusal.value)
