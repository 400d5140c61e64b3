"""PDF from the same SVG that a screen shows, page by page.

Typst places the pages: its wheel holds compiler and fonts and needs no system library, text stays
text, and it reads nothing but the pages it is handed (fpdf2 and svglib each know only some of SVG
and CSS; browsers and Cairo are not a wheel).
"""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from fabric_twin.core.errors import TemplateRefused
from fabric_twin.core.extras import require_extra

if TYPE_CHECKING:
    import typst

#: DejaVu Sans Mono: what drawings reckon with is that a character is 0.602 of its size wide.
ADVANCE = 0.602


class Paper(NamedTuple):
    """A sheet of paper, in millimetres."""

    width: int
    height: int


LANDSCAPE, PORTRAIT = Paper(297, 210), Paper(210, 297)


def pdf(pages: Sequence[str], title: str, paper: Paper, made: datetime | None = None) -> bytes:
    """Bind SVG pages of one size."""
    require_extra("pdf", "typst", where=title)
    import typst

    files = {f"{number}.svg": page.encode() for number, page in enumerate(pages, 1)}
    main = [
        "#set document(title: sys.inputs.title)",
        f"#set page(width: {paper.width}mm, height: {paper.height}mm, margin: 0mm)",
        *(f'#image("{name}", width: 100%, height: 100%, fit: "contain")' for name in files),
    ]
    try:
        bound = typst.compile(
            {"main.typ": "\n".join(main).encode(), **files},  # type: ignore[call-overload]
            font_paths=_fonts(),
            ignore_system_fonts=True,
            sys_inputs={"title": title},
            timestamp=made,
        )
    except typst.TypstError as error:
        raise TemplateRefused(
            f"the page cannot be put on paper: {error.message}",
            where=title,
            remedy="Let the template write SVG that holds all it shows",
        ) from error
    if not isinstance(bound, bytes):  # typst makes lists for other formats
        raise TypeError(type(bound))
    return bound


@cache
def _fonts() -> "typst.Fonts":
    """The fonts of the wheel, read once and not for each document."""
    import typst

    return typst.Fonts(include_system_fonts=False)
