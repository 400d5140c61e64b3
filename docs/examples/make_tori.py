"""Make a clean and a broken cut sheet of every bundled static torus, and what the audit says.

Run `make refresh-docs` after the audit's words or a design change.
"""

# ruff: noqa: INP001 - a script, not a package

import csv
import io
from pathlib import Path

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.designs import find_design
from fabric_twin.documents.audits import audit_report
from fabric_twin.inventory.cutsheet import HEADER, write_cut_sheet
from fabric_twin.services.audits.audit import audit_sheet

HERE = Path(__file__).parent / "tori"
#: The pod of each design.
PODS = {"static-3d": "s1", "tpu-v2": "t2", "tpu-v3": "t3", "tpu-v5e": "e5", "tpu-v6e": "e6"}
Rows = dict[str, dict[str, str]]


def right(design: str) -> str:
    """The sheet of a full pod."""
    out = io.StringIO()
    write_cut_sheet(intended_plant(find_design(design), PODS[design]), out)
    return out.getvalue()


def exchange(rows: Rows, one: str, other: str) -> None:
    """Put the far end of each cable where that of the other is."""
    for cell in ("b_device", "b_port"):
        rows[one][cell], rows[other][cell] = rows[other][cell], rows[one][cell]


def broken(design: str) -> str:
    """The same with five mistakes."""
    rows = {row["cable"]: row for row in csv.DictReader(io.StringIO(right(design)))}
    of = {
        (slot, face): [cable for cable in rows if f"-c{slot:03d}:" in cable and face in cable]
        for slot in (1, 2, 4, 6, 7)
        for face in ("X+", "Y+")
    }
    exchange(rows, of[1, "X+"][0], of[1, "X+"][1])  # two neighbours
    for one, other in zip(of[6, "Y+"], of[7, "Y+"], strict=True):  # all cables of two faces
        exchange(rows, one, other)
    del rows[of[4, "X+"][1]]  # never laid
    rows[of[2, "X+"][2]] |= {"b_device": "", "b_port": ""}  # nobody knows where it ends
    rows[of[2, "Y+"][3]]["b_port"] += "O"  # a slip of the pen
    out = io.StringIO()
    writer = csv.DictWriter(out, HEADER, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows.values())
    return out.getvalue()


def files() -> dict[Path, str]:
    """Every file that is made here, and what is in it."""
    made = {}
    for design, pod in PODS.items():
        sheet, text = broken(design), io.StringIO()
        report = audit_sheet(find_design(design), pod, sheet.encode(), "example").report
        if len(report.findings) != 5:
            raise SystemExit(f"5 mistakes of {design} make {len(report.findings)} findings")
        audit_report.write_text(report, text, style=lambda said, **_: said)
        made |= {
            HERE / f"{design}.csv": right(design),
            HERE / f"{design}-broken.csv": sheet,
            HERE / f"{design}-broken.txt": text.getvalue(),
        }
    return made
