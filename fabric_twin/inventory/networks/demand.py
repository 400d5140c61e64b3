"""Demand between blocks: `from,to,gbps`, a row for each pair that has any."""

import csv

import numpy as np

from fabric_twin.core.csv_cells import unescape
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.topology.links import Demand
from fabric_twin.core.topology.network import Network
from fabric_twin.inventory.text import decoded

HEADER = ("from", "to", "gbps")
LARGEST = 4 * 2**20


def read_demand(data: bytes, source: str, network: Network) -> Demand:
    """Demand as a symmetric matrix: of both directions of a pair the greater counts.

    Links carry both directions at once, so the lesser fits where the greater does.
    """
    text = decoded(data, source, LARGEST, "Give the demand of one network")
    numbers = {block.name: number for number, block in enumerate(network.blocks)}
    demand = np.zeros((len(numbers), len(numbers)))
    seen: set[tuple[int, int]] = set()
    rows = csv.reader(text.splitlines(), strict=True)
    try:
        header = [cell.strip() for cell in next(rows, [])]
        if header != list(HEADER):
            raise UnusableInput(
                "the header is not from,to,gbps",
                where=f"{source}, line 1",
                remedy="Write from,to,gbps, and a row for each pair",
            )
        for row in rows:
            if not any(row):
                continue
            where = f"{source}, line {rows.line_num}"
            pair = _pair(row, where, numbers)
            if pair in seen:
                raise UnusableInput(
                    f"{row[0]} to {row[1]} is there already", where=where, remedy="Give it once"
                )
            seen.add(pair)
            asked = max(demand[pair], _gbps(row[2], where))
            demand[pair] = demand[pair[::-1]] = asked
    except csv.Error as error:
        raise UnusableInput(
            f"the row is not CSV ({error})",
            where=f"{source}, line {rows.line_num}",
            remedy="Write from,to,gbps",
        ) from None
    return demand


def _pair(row: list[str], where: str, numbers: dict[str, int]) -> tuple[int, int]:
    if len(row) != len(HEADER):
        raise UnusableInput(
            f"the row has {len(row)} cells, the header {len(HEADER)}",
            where=where,
            remedy="Write from,to,gbps",
        )
    names = [unescape(cell.strip()) for cell in row[:2]]
    for name in names:
        if name not in numbers:
            raise UnusableInput(
                f"there is no block {name[:40]!r}", where=where, remedy="Name blocks of the file"
            )
    if names[0] == names[1]:
        raise UnusableInput(f"{names[0]} asks for itself", where=where, remedy="Name two blocks")
    return numbers[names[0]], numbers[names[1]]


def _gbps(cell: str, where: str) -> float:
    try:
        gbps = float(cell)
    except ValueError:
        gbps = -1.0
    if not 0 <= gbps < 1e12:
        raise UnusableInput(
            f"{cell[:40]!r} is no demand", where=f"{where}, column gbps", remedy="Write Gbit/s"
        )
    return gbps
