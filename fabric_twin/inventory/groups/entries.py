"""Flow entries as CSV: `switch,in,out`, a row each; other columns are left alone."""

import csv

from fabric_twin.core.csv_cells import unescape
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.groups.cluster import RADIX
from fabric_twin.core.rings.ring import Entry
from fabric_twin.core.rings.state import State
from fabric_twin.inventory.groups.state import device_numbers
from fabric_twin.inventory.text import decoded

HEADER = ("switch", "in", "out")
LARGEST = 64 * 2**20


def read_entries(data: bytes, source: str, state: State) -> list[Entry]:
    """Read entries of a cluster, or refuse them whole."""
    text = decoded(data, source, LARGEST, "Give the entries of one cluster", "list of entries")
    devices = device_numbers(state)
    found: dict[Entry, None] = {}
    rows = csv.reader(text.splitlines(keepends=True), strict=True)
    try:
        header = [cell.strip() for cell in next(rows, [])]
        if missing := [name for name in HEADER if header.count(name) != 1]:
            raise UnusableInput(
                f"there is not one column {missing[0]}",
                where=f"{source}, line 1",
                remedy="Write switch,in,out, and a row for each entry",
            )
        at = [header.index(name) for name in HEADER]
        for row in rows:
            if any(row):
                where = f"{source}, line {rows.line_num}"
                if len(row) != len(header):
                    raise UnusableInput(
                        f"the row has {len(row)} cells, the header {len(header)}",
                        where=where,
                        remedy="Write a cell for each column",
                    )
                switch, into, out = (unescape(row[place].strip()) for place in at)
                number = devices.get(switch, -1)
                if number < state.wiring.cluster.groups:
                    raise UnusableInput(
                        f"there is no switch {switch[:40]!r}",
                        where=where,
                        remedy="Name a switch of the cluster, like row-01-1-1",
                    )
                entry = Entry(number, _port(into, where), _port(out, where))
                if entry in found:
                    raise UnusableInput(
                        f"{switch} {into}->{out} is there already",
                        where=where,
                        remedy="Give each entry once",
                    )
                found[entry] = None
    except csv.Error as error:
        raise UnusableInput(
            f"the row is not CSV ({error})",
            where=f"{source}, line {rows.line_num}",
            remedy="Write switch,in,out",
        ) from None
    return list(found)


def _port(cell: str, where: str) -> int:
    if not (cell.isascii() and cell.isdigit() and len(cell) < 3 and 1 <= int(cell) <= RADIX):
        raise UnusableInput(
            f"{cell[:40]!r} is no port", where=where, remedy=f"Write ports from 1 to {RADIX}"
        )
    return int(cell)
