"""A document's facts: a title, lines that sum it up, and tables. Templates make the looks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Cells = tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """Rows of text under a heading."""

    title: str
    columns: Cells
    rows: Sequence[Cells]
    #: The page where this is done; on paper a code beside the rows opens it.
    address: str = ""
    #: On paper its rows stand in several columns beside each other.
    dense: bool = False

    @cached_property
    def widths(self) -> tuple[int, ...]:
        """How many characters each column takes."""
        columns = list(zip(*self.rows, strict=True)) if self.rows else [()] * len(self.columns)
        return tuple(
            max(len(name), max(map(len, cells), default=0))
            for name, cells in zip(self.columns, columns, strict=True)
        )


@dataclass(frozen=True)
class Document:
    """One file's facts, whatever its format."""

    kind: str
    #: The device, or the pod, that names the file.
    name: str
    title: str
    lines: Cells
    tables: tuple[Table, ...]
    #: What a template draws, where a document is a drawing too.
    drawing: Any = None
    #: Those of the lines that a drawing says too: what is not in it.
    gaps: Cells = ()
    #: The page where all of it is done; on paper a code opens it.
    address: str = ""
    #: Tables on paper where they are others: short ones, beside a drawing that has the rest.
    paper: tuple[Table, ...] = ()


def table(
    title: str, columns: str, rows: Iterable[Sequence[str | int]], address: str = ""
) -> Table:
    """A table of anything that can be written; columns are parted by commas."""
    cells = [tuple(str(cell) for cell in row) for row in rows]
    return Table(title, tuple(columns.split(",")), cells, address)
