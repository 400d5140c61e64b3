"""Labels for both ends of every cable: for a label printer, and as sheets with QR codes.

+------+-----------------------+
| QR   | iw1-c007:4.3.2/X+     |  the code holds the cable's name
|      | here  iw1-c007-t08 .. |
|      | there iw1-ocs-x-3-2 ..|
+------+-----------------------+
"""

from collections.abc import Iterator
from dataclasses import dataclass

from fabric_twin.core.errors import DocumentRefused
from fabric_twin.documents.code import code
from fabric_twin.documents.pods.cut_list import cables_of, label_text
from fabric_twin.documents.pods.fabric import Fabric
from fabric_twin.documents.sheet import Cells, Document, Table

COLUMNS = ("cable", "end", "text", "device", "port", "to_device", "to_port")
#: A4 in three columns of seven, 63.5 x 38.1 mm: sold by every stationer.
ACROSS, DOWN = 3, 7
PER_PAGE = ACROSS * DOWN
#: What a code of a label's size still holds so that a telephone reads it.
LONGEST_CODE = 120


@dataclass(frozen=True)
class Label:
    """One end of a cable."""

    #: As in COLUMNS.
    cells: Cells
    #: The code as a path of squares, and how many squares are on a side of it.
    path: str
    squares: int


def labels(
    fabric: Fabric, name: str, cube: int | None = None, switch: int | None = None
) -> Document:
    """The labels of a pod or a part of it, both ends of a cable after each other."""
    rows, cables = cables_of(fabric, cube, switch), fabric.to_lay
    (a_device, a_port), (b_device, b_port) = (
        fabric.names.ends(column[rows]) for column in (cables.a, cables.b)
    )
    cells = []
    for row, *ends in zip(rows, a_device, a_port, b_device, b_port, strict=True):
        cable, text = cables.name[row], label_text(cables, row)
        cells.append((cable, "a", text, *ends))
        cells.append((cable, "b", text, *ends[2:], *ends[:2]))
    return Document(
        kind="labels",
        name=name,
        title=f"Labels of {name}",
        lines=(f"{len(cells):,} labels for {len(rows):,} cables",),
        tables=(Table("Labels", COLUMNS, cells),),
    )


def label_pages(document: Document) -> Iterator[list[Label]]:
    """Labels as they lie on sheets of paper."""
    cells = document.tables[0].rows
    codes: dict[str, tuple[str, int]] = {}
    for first in range(0, max(1, len(cells)), PER_PAGE):
        page = []
        for row in cells[first : first + PER_PAGE]:
            if row[0] not in codes:
                codes = {row[0]: _code(row[0])}
            path, squares = codes[row[0]]
            page.append(Label(row, path, squares))
        yield page


def _code(text: str) -> tuple[str, int]:
    """A cable's name as a code, or a refusal."""
    if len(text.encode()) > LONGEST_CODE:
        raise DocumentRefused(
            f"the cable's name {text[:40]!r}... is too long for a code on a label",
            where="labels",
            remedy=f"Name cables in at most {LONGEST_CODE} bytes, or print --format csv",
        )
    made = code(text)
    return made.path, made.squares
