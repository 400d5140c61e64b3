"""Tables cut into pages: what fits on a sheet of paper, and where each column begins."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from fabric_twin.documents.folding import fold
from fabric_twin.documents.pdf import ADVANCE
from fabric_twin.documents.sheet import Cells, Document, Table

#: The page that templates draw on: A4 landscape at 96 dots an inch.
WIDTH, HEIGHT, MARGIN, LOWEST = 1122, 794, 32, 772
#: Type in units of the page; the smallest is 7.05 points on paper.
LARGEST_TYPE, SMALLEST_TYPE, TITLE_TYPE = 11.0, 9.4, 20.0
#: Where the title is, and how far below each other its lines and the lines below it are.
TITLE_AT, TITLE_LINE, LINE = 44, 22, 13
#: What a heading with the names of columns takes, and what a row takes besides its lines.
HEADING, BETWEEN = 34, 2
GAP = 2
#: Characters of a line that reads well; longer cells wrap before type gets smaller.
WIDEST = 60
#: Room for "page 12 of 34" beside the title.
NUMBERED = 100
#: A code beside a table, and what is left free around it.
CODE, QUIET = 84, 12
#: A dense table: how far apart its rows are, and the characters between its columns.
DENSE, APART = 10.8, 2


@dataclass(frozen=True)
class Line:
    """A line of text, and how far down it is."""

    y: int
    text: str


@dataclass(frozen=True)
class Column:
    """Rows of a dense table below each other: a line a row."""

    x: float
    head: str
    lines: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Part:
    """Some rows of a table on one page."""

    title: str
    y: int
    size: float
    #: Where each column begins.
    at: tuple[float, ...] = ()
    columns: Cells = ()
    #: Lines below each other; a row with a long cell takes several.
    rows: tuple[Cells, ...] = ()
    #: How far down each line is, and each rule below a row.
    down: tuple[int, ...] = ()
    rules: tuple[int, ...] = ()
    #: Where its rows end, and what the code beside them opens.
    right: int = WIDTH - MARGIN
    address: str = ""
    #: What a dense table has in place of rows.
    dense: tuple[Column, ...] = ()


@dataclass(frozen=True)
class Page:
    """One sheet of paper."""

    number: int
    parts: tuple[Part, ...]
    titles: tuple[Line, ...]
    #: What sums the document up, on the first page.
    lines: tuple[Line, ...]


@dataclass
class _Sheets:
    """Pages that fill up."""

    y: int
    #: Where parts begin on every page but the first.
    top: int
    parts: list[list[Part]]

    def turn(self) -> None:
        """Go on with the next page."""
        self.parts.append([])
        self.y = self.top

    def add(self, part: Part, height: float) -> None:
        """Put a part below the others."""
        self.parts[-1].append(part)
        self.y += round(height)

    @property
    def fresh(self) -> bool:
        """Whether turning the page would leave no more room."""
        return not self.parts[-1] and len(self.parts) > 1


def pages(document: Document) -> tuple[Page, ...]:
    """Cut a document's tables into pages; there is always one."""
    titles = _lines([document.title], TITLE_AT, TITLE_TYPE, TITLE_LINE, NUMBERED)
    lines = _lines(document.lines, titles[-1].y + 18, LARGEST_TYPE, LINE)
    below = titles[-1].y + 16
    sheets = _Sheets(lines[-1].y + 11 if lines else below, below, [[]])
    for table in document.paper or document.tables:
        (_set_dense if table.dense else _set)(table, sheets)
    return tuple(
        Page(number, tuple(parts), titles, lines if number == 1 else ())
        for number, parts in enumerate(sheets.parts, 1)
    )


def _lines(
    texts: Sequence[str], first: int, size: float, apart: int, beside: int = 0
) -> tuple[Line, ...]:
    """Texts folded to the width of a page."""
    width = int((WIDTH - 2 * MARGIN - beside) / (size * ADVANCE))
    folded = [line for text in texts for line in fold(text, width)]
    return tuple(Line(first + apart * number, line) for number, line in enumerate(folded))


def _set(table: Table, sheets: _Sheets) -> None:
    """Put a table on pages, row by row."""
    size, at, widths = _columns(table)
    right = WIDTH - MARGIN - (CODE + QUIET if table.address else 0)
    left = [_folded(row, widths) for row in table.rows]
    title, address = table.title, table.address
    while left or title == table.title:
        tall = CODE + QUIET if address else 0
        room = LOWEST - sheets.y - HEADING
        many = _that_fit(left, room)
        if (many < min(4, len(left)) or sheets.y + tall > LOWEST) and not sheets.fresh:
            sheets.turn()
            continue
        if left and not many:
            left[:1] = _split(left[0], room)
            many = 1
        rows, down, rules = _placed(left[:many], sheets.y + HEADING + 10)
        left = left[many:]
        part = Part(title, sheets.y, size, at, table.columns, rows, down, rules, right, address)
        sheets.add(part, max((rules[-1] if rules else sheets.y + HEADING) + 12 - sheets.y, tall))
        title, address = f"{table.title} (continued)", ""


def _folded(row: Cells, widths: Sequence[int]) -> list[Cells]:
    """The lines that a row takes."""
    if all(len(cell) <= width for cell, width in zip(row, widths, strict=True)):
        return [row]
    cells = [fold(cell, width) for cell, width in zip(row, widths, strict=True)]
    return list(zip_longest(*cells, fillvalue=""))


def _that_fit(rows: Sequence[list[Cells]], room: int) -> int:
    """How many of the rows have room below each other."""
    for many, lines in enumerate(rows):
        room -= LINE * len(lines) + BETWEEN
        if room < 0:
            return many
    return len(rows)


def _split(lines: list[Cells], room: int) -> tuple[list[Cells], list[Cells]]:
    """A row that is taller than a page, cut where the page ends."""
    many = max((room - BETWEEN) // LINE, 1)
    return lines[:many], lines[many:]


def _placed(
    rows: Sequence[list[Cells]], y: int
) -> tuple[tuple[Cells, ...], tuple[int, ...], tuple[int, ...]]:
    """The lines of rows, how far down each is, and where a rule ends each row."""
    shown, down, rules = [], [], []
    for lines in rows:
        for line in lines:
            shown.append(line)
            down.append(y)
            y += LINE
        rules.append(y - LINE + 4)
        y += BETWEEN
    return tuple(shown), tuple(down), tuple(rules)


def _columns(table: Table) -> tuple[float, tuple[float, ...], list[int]]:
    """The size of type, where columns begin, and how many characters each may hold."""
    room = WIDTH - 2 * MARGIN - (CODE + QUIET if table.address else 0)
    widths = list(table.widths)
    # Long text wraps first, so that type stays large; then type is smaller; then all wraps.
    for type_size, least in ((LARGEST_TYPE, WIDEST), (SMALLEST_TYPE, 1)):
        most = int(room / (type_size * ADVANCE))
        while sum(widths) + GAP * len(widths) > most and max(widths) > least:
            widths[widths.index(max(widths))] -= 1
    size = min(LARGEST_TYPE, room / (ADVANCE * (sum(widths) + GAP * len(widths))))
    at, x = [], float(MARGIN)
    for width in widths:
        at.append(round(x, 1))
        x += (width + GAP) * size * ADVANCE
    return round(size, 2), tuple(at), widths


def _set_dense(table: Table, sheets: _Sheets) -> None:
    """Put short rows in columns beside each other, down first, a line a row."""
    wide = sum(table.widths) + len(table.widths) - 1
    step = (wide + APART) * SMALLEST_TYPE * ADVANCE
    across = max(int((WIDTH - 2 * MARGIN + APART * SMALLEST_TYPE * ADVANCE + 1) / step), 1)
    left, title, head = table.rows, table.title, _line(table.columns, table.widths)
    while left:
        high = max(int((LOWEST - sheets.y - HEADING) / DENSE), 1)
        if high < min(4, len(left)) and not sheets.fresh:
            sheets.turn()
            continue
        y, columns = sheets.y + HEADING + 10, []
        for number in range(across):
            rows, left = left[:high], left[high:]
            lines = tuple(
                (round(y + DENSE * down, 1), _line(row, table.widths))
                for down, row in enumerate(rows)
            )
            if lines:
                columns.append(Column(round(MARGIN + number * step, 1), head, lines))
        sheets.add(
            Part(title, sheets.y, SMALLEST_TYPE, dense=tuple(columns)),
            HEADING + DENSE * max(len(column.lines) for column in columns) + 12,
        )
        title = f"{table.title} (continued)"


def _line(cells: Cells, widths: Sequence[int]) -> str:
    return " ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
