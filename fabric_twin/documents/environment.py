"""The Jinja environment of all documents: facts are escaped, gaps are errors, nothing gets out.

Our own templates run in the sandbox too, so that a copy of one behaves as the original does.
"""

import csv
import io
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fabric_twin.core.cells import escape

if TYPE_CHECKING:
    from jinja2.sandbox import ImmutableSandboxedEnvironment

TEMPLATES = Path(__file__).parent / "templates"
#: A template is a page of text.
LARGEST_TEMPLATE = 2**20


@cache
def environment(folder: Path | None = None) -> "ImmutableSandboxedEnvironment":
    """Load templates from a folder of the user's first, then from `templates/` at the root."""
    # Text and JSON need no Jinja, which takes as long to load as the rest of an audit does.
    from jinja2 import (
        ChoiceLoader,
        Environment,
        FileSystemLoader,
        StrictUndefined,
        select_autoescape,
    )
    from jinja2.exceptions import SecurityError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Folder(FileSystemLoader):
        """A folder that no link leads out of, with files no larger than a template is."""

        def get_source(
            self, environment: Environment, template: str
        ) -> tuple[str, str, Callable[[], bool]]:
            source, filename, current = super().get_source(environment, template)
            if not Path(filename).resolve().is_relative_to(Path(self.searchpath[0]).resolve()):
                raise SecurityError(
                    f"{template} is a link to a file outside the folder of templates"
                )
            if Path(filename).stat().st_size > LARGEST_TEMPLATE:
                raise SecurityError(f"{template} is larger than {LARGEST_TEMPLATE // 2**20} MiB")
            return source, filename, current

    class Sandbox(ImmutableSandboxedEnvironment):
        """Powers are left out: one of them can keep a machine busy for a day."""

        intercepted_binops = frozenset(["**"])

        def call_binop(self, _context: object, operator: str, *_sides: object) -> object:
            raise SecurityError(f"the operator {operator} is not for templates")

    made = Sandbox(
        loader=ChoiceLoader([*([Folder(folder)] if folder else []), FileSystemLoader(TEMPLATES)]),
        undefined=StrictUndefined,
        autoescape=select_autoescape(["html", "svg", "j2"]),
        trim_blocks=True,
        lstrip_blocks=True,
        cache_size=400,
    )
    made.filters |= {"thousands": lambda number: f"{number:,}", "csv_row": csv_row, "pad": pad}
    return made


def csv_row(cells: Sequence[object]) -> str:
    """One row of CSV; no cell runs as a formula."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow([escape(str(cell)) for cell in cells])
    return line.getvalue()


def pad(cells: Sequence[object], widths: Sequence[int]) -> str:
    """Cells in columns of these widths."""
    padded = (str(cell).ljust(width) for cell, width in zip(cells, widths, strict=True))
    return "  ".join(padded).rstrip()
