"""The Jinja environment of all documents: facts are escaped, gaps are errors.

Our own templates run at full speed; with a folder of the user's everything runs in a sandbox.
"""

import csv
import io
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fabric_twin.core.csv_cells import escape
from fabric_twin.documents.code import code
from fabric_twin.documents.folding import fold

if TYPE_CHECKING:
    from jinja2 import Environment

#: What means something to Markdown within a line or at its begin.
_MARKS = re.compile(r"[\\`*_\[\]|~#!]|^[-+>]")
#: How wide a letter of a drawing is, of its size: each is as wide as any other.
LETTER = 0.602
TEMPLATES = Path(__file__).parent / "templates"


@cache
def environment(folder: Path | None = None) -> "Environment":
    """Load templates from a folder of the user's first, then from `templates/` at the root."""
    # Text and JSON need no Jinja, which takes as long to load as the rest of an audit does.
    from jinja2 import (
        ChoiceLoader,
        Environment,
        FileSystemLoader,
        StrictUndefined,
        select_autoescape,
    )

    from fabric_twin.documents.sandbox import Folder, Sandbox

    ours = FileSystemLoader(TEMPLATES)
    made = (Sandbox if folder else Environment)(
        loader=ChoiceLoader([Folder(folder), ours]) if folder else ours,
        undefined=StrictUndefined,
        autoescape=select_autoescape(["html", "svg", "j2"]),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"thousands": lambda number: f"{number:,}", "csv_row": csv_row, "pad": pad}
    made.filters |= {"md": markdown, "fit": fit, "folded": folded, "code": code}
    return made


def csv_row(cells: Sequence[object]) -> str:
    """One row of CSV; no cell runs as a formula."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow([escape(str(cell)) for cell in cells])
    return line.getvalue()


def markdown(text: object) -> str:
    """A text in which nothing is a mark of Markdown, nor a cell's end, nor HTML."""
    plain = str(text).replace("&", "&amp;").replace("<", "&lt;")
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", plain)


def fit(text: object, width: float, size: float = 11) -> str:
    """A text of a drawing, cut where its room ends: so many units wide, in letters of this size."""
    said, most = str(text), max(int(width / (size * LETTER)), 1)
    return said if len(said) <= most else f"{said[: most - 1]}…"


def folded(text: object, width: float, size: float = 11, most: int = 0) -> list[str]:
    """A text of a drawing as lines: so many units wide, in letters of this size, at most so many.

    >>> folded("iw1-ocs-x-3-2 port 7A", 90)
    ['iw1-ocs-x-3-2', 'port 7A']
    """
    return fold(str(text), int(width / (size * LETTER)), most)


def pad(cells: Sequence[object], widths: Sequence[int]) -> str:
    """Cells in columns of these widths."""
    padded = (str(cell).ljust(width) for cell, width in zip(cells, widths, strict=True))
    return "  ".join(padded).rstrip()
