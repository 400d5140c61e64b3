"""A pod back out as a cut sheet: what is recorded, mistakes too, as `load_pod` reads it."""

from collections.abc import Iterable
from typing import Any, TextIO

from fabric_twin.core.names import Names
from fabric_twin.inventory.cutsheet import write_rows
from fabric_twin.repositories.cable_reading import CableRecord, End
from fabric_twin.repositories.permissions import require_of
from fabric_twin.repositories.reading import PodRecord


def export_cut_sheet(record: PodRecord, out: TextIO, user: Any = None) -> int:
    """Write the sheet of a pod's cables, of every status; say how many rows it has.

    A sheet of some cables would be read as the others being missing: who may not see all of them,
    and what they join, gets none. Nobody is the system itself.
    """
    require_of(user, "view", record.behind_cables)
    rows = [row for cable in record.cables for row in _rows(record.names, cable)]
    write_rows(rows, out)
    return len(rows)


def _rows(names: Names, cable: CableRecord) -> Iterable[tuple[str, ...]]:
    """One row, or a row for each strand of a pair whose strands are exchanged."""
    a, b = (_as_text(names, end) for end in (cable.a, cable.b))
    about = (cable.status.lower(), cable.length_m, cable.printed)
    if not cable.crossed:
        yield (cable.name, *a, *b, *about)
        return
    for strand in (1, 2):
        ends = (part for end in (a, b) for part in (end[0], _strand(end[1], strand)))
        yield (f"{cable.name}:{strand}", *ends, *about)


def _strand(port: str, strand: int) -> str:
    """Strand 1 is on B and 2 on A: `4.3.2/X+:1` to `7B`."""
    return f"{port}:{strand}" if "/" in port else f"{port}{'BA'[strand - 1]}"


def _as_text(names: Names, end: End) -> tuple[str, str]:
    return names.port(end) if isinstance(end, int) else end
