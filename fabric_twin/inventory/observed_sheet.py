"""The observed plant as a cut sheet, with columns of its own that nothing reads back."""

import csv
from typing import TextIO

from fabric_twin.core.csv_cells import escape
from fabric_twin.core.discovery.report import Report
from fabric_twin.inventory.cutsheet import CONNECTED, HEADER

#: How a cable's place is known; its light at the cube; what the switch loses of it.
OBSERVED = ("seen", "rx_dbm", "switch_loss_db")


def write_observed_sheet(report: Report, out: TextIO) -> None:
    """Write what discovery saw; both cells of an end that is not known are empty."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*HEADER, *OBSERVED])
    for cable, level in zip(report.cables, report.levels, strict=True):
        cells = map(escape, (cable.cable, *cable.a, *cable.b, CONNECTED, "", "", cable.seen))
        writer.writerow([*cells, _number(level.received), _number(level.loss)])


def _number(level: float | None) -> str:
    return "" if level is None else f"{level:.2f}"
