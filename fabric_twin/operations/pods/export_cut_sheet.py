"""A pod back out as a cut sheet: what is recorded, mistakes too, as `load_pod` reads it."""

from typing import TextIO

from nautobot.users.models import User

from fabric_twin.core.pods.names import Names
from fabric_twin.inventory.cutsheet import write_rows
from fabric_twin.inventory.recorded_cables import SheetCable
from fabric_twin.repositories.cable_reading import CableRecord, as_text
from fabric_twin.repositories.permissions import require_of
from fabric_twin.repositories.pod_record import PodRecord


def export_cut_sheet(record: PodRecord, out: TextIO, user: User | None = None) -> int:
    """Write the sheet of a pod's cables, of every status; say how many rows it has.

    A sheet of some cables would be read as the others being missing: who may not see all of them,
    and what they join, gets none. Nobody is the system itself.
    """
    require_of(user, "view", record.behind_cables)
    rows = [row for cable in record.cables for row in _cable(record.names, cable).rows()]
    write_rows(rows, out)
    return len(rows)


def _cable(names: Names, cable: CableRecord) -> SheetCable:
    a, b = (as_text(names, end) for end in (cable.a, cable.b))
    return SheetCable(
        cable.name, a, b, cable.status.lower(), cable.length_m, cable.printed, cable.crossed
    )
