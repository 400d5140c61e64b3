"""Where switches and cubes answer, device by device: CSV, or the file that the simulator writes.

device,address,target,driver
iw1-ocs-x-1-1,10.0.0.7:9339,,
iw1-ocs-x-1-2,10.0.0.8:443,,polatis
iw1-c001,gateway:9339,rack-1,

A packet switch that speaks OpenFlow has the column `datapath`: its datapath id, as it shows it.
"""

import csv
import re
from collections.abc import Iterator
from difflib import get_close_matches
from ipaddress import ip_address
from typing import NamedTuple

from fabric_twin.core.errors import UnusableInput
from fabric_twin.inventory.json_files import LARGEST, printable, read_object, unlike
from fabric_twin.inventory.text import decoded

HEADER = ("device", "address", "target", "driver")
DATAPATH = "datapath"
#: How like the name of a column another one is that was meant to be it, from 0 to 1.
NEARLY = 0.75
_SHAPE = '{"version": 1, "addresses": {"iw1-c001": "10.0.0.7:9339", ..}}'
_DATAPATH = re.compile(r"(?:0x)?([0-9a-f]{1,16})", re.ASCII | re.IGNORECASE)
_ADDRESS = re.compile(r"([\w.-]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})", re.ASCII)


class Address(NamedTuple):
    """How one device is reached."""

    #: `host:port`
    address: str
    #: What requests call the device, where its address serves many; empty at one of its own.
    target: str = ""
    #: The driver of a switch; the usual one where this is empty.
    driver: str = ""
    #: The datapath id of a packet switch, as it is written.
    datapath: str = ""


def read_addresses(data: bytes, source: str) -> dict[str, Address]:
    """Read the addresses of devices, by device, or refuse the file."""
    found: dict[str, Address] = {}
    for where, device, address in _rows(data, source):
        if not device:
            raise UnusableInput("it names no device", where=where, remedy="Name one in each row")
        if device in found:
            raise UnusableInput(
                f"{device} has an address already", where=where, remedy="Give each device one"
            )
        for cell in (device, *address):
            printable(cell, "a cell", where)
        check_address(address.address, where)
        found[device] = address
    return found


def check_address(text: str, where: str) -> str:
    """An address that can be spoken to, or a refusal."""
    found = _ADDRESS.fullmatch(text)
    if not found or not 0 < int(found[2]) < 2**16:
        raise UnusableInput(
            f"{text[:80]!r} is not an address",
            where=where,
            remedy="Write host:port, like gateway:9339 or [2001:db8::7]:9339",
        )
    return text


def canonical_address(text: str, where: str) -> str:
    """The one way to write an address: two that are alike are one.

    >>> canonical_address("GATEWAY:09339", "x"), canonical_address("[2001:DB8:0::7]:1", "x")
    ('gateway:9339', '[2001:db8::7]:1')
    """
    host, _, port = check_address(text, where).rpartition(":")
    try:
        ip = ip_address(host.strip("[]"))
    except ValueError:
        # 127.1 and 2130706433 are addresses to some, and names to nobody.
        if re.search(r"(^|\.)(\d+|0x[\da-f]*)\.?$", host, re.IGNORECASE):
            raise UnusableInput(
                f"{host} is not an address that is written in full",
                where=where,
                remedy="Write it like 10.7.0.9",
            ) from None
        return f"{host.lower().rstrip('.')}:{int(port)}"
    plain = (ip.version == 6 and ip.ipv4_mapped) or ip
    return f"[{plain}]:{int(port)}" if plain.version == 6 else f"{plain}:{int(port)}"


def canonical_datapath(text: str, where: str) -> str:
    """The one way to write a datapath id: its 16 digits.

    >>> canonical_datapath("0xA1", "x")
    '00000000000000a1'
    """
    written = _DATAPATH.fullmatch(text)
    if not written:
        raise UnusableInput(
            f"{text[:40]!r} is no datapath id",
            where=where,
            remedy="Write up to 16 hexadecimal digits, as the switch shows them",
        )
    return written[1].lower().rjust(16, "0")


def _rows(data: bytes, source: str) -> Iterator[tuple[str, str, Address]]:
    """Where each row is, its device and its address."""
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        addresses = read_object(data, source, _SHAPE).get("addresses")
        texts = isinstance(addresses, dict) and all(isinstance(a, str) for a in addresses.values())
        if not isinstance(addresses, dict) or not texts:
            raise unlike('"addresses" is not an object of texts', source, _SHAPE)
        for device, address in addresses.items():
            yield f"{source}, {device[:60]}", device, Address(address)
        return
    text = decoded(data, source, LARGEST, "Give one pod's file at a time")
    reader = csv.DictReader(text.splitlines(keepends=True), restval="", strict=True)
    try:
        yield from _of_sheet(reader, source)
    except csv.Error as error:
        raise UnusableInput(
            f"it cannot be read as CSV ({error})",
            where=f"{source}, line {reader.line_num}",
            remedy="Save it as CSV",
        ) from None


def _of_sheet(reader: "csv.DictReader[str]", source: str) -> Iterator[tuple[str, str, Address]]:
    header = [*(reader.fieldnames or ())]
    for number, name in enumerate((*HEADER, DATAPATH)):
        if header.count(name) > 1 or (name not in header and number < 2):
            raise UnusableInput(
                f"there is no column {name!r}" if name not in header else f"there are two {name!r}",
                where=f"{source}, line 1",
                remedy=f"Write a header with {HEADER[0]} and {HEADER[1]}, and each column once",
            )
    for name in header:
        written = (name or "").strip().casefold()
        for meant in get_close_matches(written, (*HEADER, DATAPATH), 1, NEARLY):
            if meant != name:
                raise UnusableInput(
                    f"the column {name!r} is nearly {meant!r}",
                    where=f"{source}, line 1",
                    remedy=f"Write {meant}, or another name",
                )
    for row in reader:
        if any(cell.strip() for cell in row.get(None) or ()):
            raise UnusableInput(
                "it has more cells than the header",
                where=f"{source}, line {reader.line_num}",
                remedy="Give each row a cell for each column",
            )
        cells = [(row.get(name) or "").strip() for name in (*HEADER, DATAPATH)]
        yield f"{source}, line {reader.line_num}", cells[0], Address(*cells[1:])
