"""The cut sheet of the small pod."""

import csv
import io
from typing import Any

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.inventory.cutsheet import HEADER, write_cut_sheet
from tests.nautobot.bases.pods.small import SMALL


def sheet(design: Any = SMALL, **changed: dict[str, str]) -> bytes:
    """The sheet of the pod `s`; cells of some rows changed, by the cable's name."""
    out = io.StringIO()
    write_cut_sheet(intended_plant(design, "s"), out)
    rows = list(csv.DictReader(io.StringIO(out.getvalue())))
    for row in rows:
        row.update(changed.get(row["cable"], {}))
    text = io.StringIO()
    writer = csv.DictWriter(text, HEADER, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()
