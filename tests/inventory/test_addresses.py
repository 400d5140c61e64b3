"""Where devices answer: files that say so, and what is wrong with them."""

import pytest

from fabric_twin.core.errors import UnusableInput
from fabric_twin.inventory.addresses import Address, read_addresses


def test_a_device_has_an_address_of_its_own_or_one_that_serves_many() -> None:
    sheet = (
        "\ufeffdevice,address,target,driver,rack\r\n"
        "iw1-ocs-x-1-1,10.0.0.7:9339,,,r1\r\n\r\n"
        "iw1-ocs-x-1-2,[2001:db8::7]:443,,polatis,r1\r\n"
        "iw1-c001,gateway:9339,rack-1,,r2\r\n"
    )
    assert read_addresses(sheet.encode(), "a.csv") == {
        "iw1-ocs-x-1-1": Address("10.0.0.7:9339"),
        "iw1-ocs-x-1-2": Address("[2001:db8::7]:443", driver="polatis"),
        "iw1-c001": Address("gateway:9339", target="rack-1"),
    }
    assert read_addresses(b"device,address\niw1-c001,h:1\n", "a.csv") == {
        "iw1-c001": Address("h:1")
    }


def test_what_the_simulator_writes_can_be_read() -> None:
    written = b'{"version": 1, "gnmi": "127.0.0.1:1", "addresses": {"iw1-c001": "127.0.0.1:2"}}'
    assert read_addresses(written, "a.json") == {"iw1-c001": Address("127.0.0.1:2")}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "a.csv, line 1: there is no column 'device'"),
        (b"device;address\n", "a.csv, line 1: there is no column 'device'"),
        (b"device\niw1-c001\n", "there is no column 'address'"),
        (b"device,address,device\na,h:1,b\n", "a.csv, line 1: there are two 'device'"),
        (b"device,address\n,h:1\n", "a.csv, line 2: it names no device"),
        (b"device,address\nd,h:1\nd,h:2\n", "a.csv, line 3: d has an address already"),
        (b"device,address\nd,h\n", "a.csv, line 2: 'h' is not an address"),
        (b"device,address\nd,h:99999\n", "'h:99999' is not an address"),
        (b"device,address\nd,http://h:1\n", "'http://h:1' is not an address"),
        (b'{"addresses": ["h:1"]}', '"addresses" is not an object of texts'),
        (b'{"addresses": {"d": 7}}', '"addresses" is not an object of texts'),
        (b"{", "the file is not JSON"),
        (b'device,address\nd,"h:1\n', "it cannot be read as CSV"),
        (b"device,address\n\xff,h:1\n", "is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(UnusableInput) as refusal:
        read_addresses(data, "a.csv")
    assert words in str(refusal.value)


@pytest.mark.parametrize("name", ["Target", "targets", "datapath_id", "datapath id", "DATAPATH"])
def test_a_column_whose_name_is_nearly_ours_is_refused(name: str) -> None:
    with pytest.raises(UnusableInput, match="is nearly"):
        read_addresses(f"device,address,{name}\nd,h:1,a1\n".encode(), "sheet.csv")


def test_other_columns_and_empty_cells_at_the_end_are_passed_by_and_other_cells_are_not() -> None:
    sheet = b"device,address,rack,remark\nd,h:1,r1,new,,\n"
    assert read_addresses(sheet, "sheet.csv") == {"d": Address("h:1")}
    with pytest.raises(UnusableInput, match="line 2: it has more cells than the header"):
        read_addresses(b"device,address\nd,h:1,a1\n", "sheet.csv")
