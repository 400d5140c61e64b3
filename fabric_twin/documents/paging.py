"""Tables cut into pages: what fits on a sheet of paper, and where each column begins."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fabric_twin.documents.pdf import ADVANCE
from fabric_twin.documents.sheet import Cells, Document, Table

#: The page that templates draw on: A4 landscape at 96 dots an inch.
WIDTH, HEIGHT, MARGIN = 1122, 794, 40
#: Heights of a heading, of a row, and of the lines at the top of each page.
HEADING, ROW, TOP = 34, 15, 112
LARGEST_TYPE, SMALLEST_TYPE = 11.0, 6.0
GAP = 2
#: A code beside a table, and what is left free around it.
CODE, QUIET = 84, 12
ELLIPSIS = "…"


@dataclass(frozen=True)
class Part:
    """Some rows of a table on one page."""

    title: str
    y: int
    size: float
    #: Where each column begins.
    at: tuple[float, ...]
    columns: Cells
    rows: tuple[Cells, ...]
    #: Where its rows end, and what the code beside them opens.
    right: int = WIDTH - MARGIN
    address: str = ""


@dataclass(frozen=True)
class Page:
    """One sheet of paper."""

    number: int
    parts: tuple[Part, ...]


def pages(document: Document) -> tuple[Page, ...]:
    """Cut a document's tables into pages; there is always one."""
    found: list[list[Part]] = [[]]
    y = TOP
    for table in document.tables:
        size, at, widths = _columns(table)
        left: Sequence[Cells] = table.rows
        title = table.title
        while left or title == table.title:
            room = (HEIGHT - MARGIN - y - HEADING) // ROW
            tall = CODE + QUIET if table.address and title == table.title else 0
            if room < min(4, len(left)) or y + tall > HEIGHT - MARGIN:
                found.append([])
                y = TOP
                continue
            shown, left = left[:room], left[room:]
            rows = tuple(tuple(_cut(row, widths)) for row in shown)
            right = WIDTH - MARGIN - (CODE + QUIET if table.address else 0)
            address = table.address if tall else ""
            found[-1].append(Part(title, y, size, at, table.columns, rows, right, address))
            y += max(HEADING + ROW * (len(rows) + 1), tall)
            title = f"{table.title} (continued)"
    return tuple(Page(number, tuple(parts)) for number, parts in enumerate(found, 1))


def _columns(table: Table) -> tuple[float, tuple[float, ...], list[int]]:
    """The size of type, where columns begin, and how many characters each may hold."""
    room = WIDTH - 2 * MARGIN - (CODE + QUIET if table.address else 0)
    widths = list(table.widths)
    most = int(room / (SMALLEST_TYPE * ADVANCE))
    while sum(widths) + GAP * len(widths) > most:
        widest = widths.index(max(widths))
        widths[widest] -= 1
    size = min(LARGEST_TYPE, room / (ADVANCE * (sum(widths) + GAP * len(widths))))
    at, x = [], float(MARGIN)
    for width in widths:
        at.append(round(x, 1))
        x += (width + GAP) * size * ADVANCE
    return round(size, 2), tuple(at), widths


def _cut(row: Cells, widths: list[int]) -> Iterator[str]:
    for cell, width in zip(row, widths, strict=True):
        yield cell if len(cell) <= width else cell[: width - 1] + ELLIPSIS
