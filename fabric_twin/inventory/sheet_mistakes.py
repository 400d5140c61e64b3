"""All mistakes of a sheet at once: as a list, and as the sheet itself with a column of remarks."""

import csv
import io
from collections.abc import Iterable
from functools import cached_property

from fabric_twin.core.csv_cells import escape
from fabric_twin.inventory.mistakes import MOST, Mistake, MistakesInFile

REMARKS = "remarks"


class MistakesInSheet(MistakesInFile):
    """A sheet that is refused: it may be given back with its remarks."""


class SheetLines:
    """Where rows are; only a refusal needs to know, so lines are counted only then."""

    def __init__(self, text: str, source: str) -> None:
        self._text, self.source = text, source
        self._found: dict[tuple[int, str], tuple[str, str]] = {}

    def of(self, number: int, column: str = "") -> str:
        """The line on which a row begins, counted from 0 without the header (which is -1)."""
        column = f", column {column}" if column else ""
        return f"{self.source}, line {self._begins[number + 1]}{column}"

    def note(self, number: int, column: str, what: str, remedy: str) -> None:
        """Remember a mistake; the first one of a cell."""
        if len(self._found) < MOST:
            self._found.setdefault((number, column), (what, remedy))

    def refuse(self) -> None:
        """Refuse the sheet for all that was noted; go on where nothing was."""
        if self._found:
            raise MistakesInSheet(
                self.source,
                [
                    Mistake(self._begins[number + 1], column, *said)
                    for (number, column), said in sorted(self._found.items())
                    # Of a row that has other columns than the header, nothing else is known.
                    if not column or (number, "") not in self._found
                ],
            )

    @cached_property
    def _begins(self) -> list[int]:
        """The line of each row that is not blank."""
        return [line for line, row in rows_by_line(self._text) if any(row)]


def rows_by_line(text: str) -> Iterable[tuple[int, list[str]]]:
    """Every row, with the line on which it begins."""
    reader, begins = csv.reader(text.splitlines(keepends=True), strict=True), 1
    for row in reader:
        yield begins, row
        begins = reader.line_num + 1


def with_remarks(sheet: bytes, mistakes: Iterable[Mistake]) -> str:
    """The sheet as it is, and in its last column what is wrong with each row.

    To be corrected and loaded again: a column of remarks is not read.
    """
    said: dict[int, list[str]] = {}
    for one in mistakes:
        place = f"{one.column}: " if one.column else ""
        said.setdefault(one.line, []).append(f"{place}{one.what}. {one.remedy}.")
    rows = [(line, row) for line, row in rows_by_line(sheet.decode("utf-8-sig")) if any(row)]
    names = [cell.strip().lower() for cell in rows[0][1]]
    before = names.index(REMARKS) if REMARKS in names else len(names)
    width = len(names) - (REMARKS in names)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for number, (line, row) in enumerate(rows):
        cells = row[:before] + row[before + 1 :] if REMARKS in names else row
        remark = " ".join(said.get(line, () if number else (REMARKS,)))
        writer.writerow([*cells, *[""] * (width - len(cells)), escape(remark)])
    return out.getvalue()
