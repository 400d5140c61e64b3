"""A picture that is drawn line by line, as SVG.

Every picture stands on a card of its own and follows the reader's light or dark scheme. Nothing
is told by colour alone: what should be is dashed, what is wrong has a thick line.
"""

# ruff: noqa: INP001 - beside a script, not a package

from html import escape
from pathlib import Path

HERE = Path(__file__).parent
STYLE = (HERE / "pictures.css").read_text(encoding="utf-8")


class Picture:
    """An SVG that grows line by line."""

    def __init__(self, name: str, width: int, height: int, title: str) -> None:
        self.path = HERE / f"{name}.svg"
        size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>\n{STYLE}</style>",
            f'<rect width="{width}" height="{height}" rx="10" fill="var(--card)"/>',
        ]

    def text(self, x: float, y: float, said: str, kind: str = "", anchor: str = "start") -> None:
        self._parts.append(
            f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{escape(said)}</text>'
        )

    def box(self, x: float, y: float, w: float, h: float, kind: str = "box", r: int = 6) -> None:
        self._parts.append(
            f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{r}"/>'
        )

    def dot(self, x: float, y: float) -> None:
        self._parts.append(f'<circle class="dot" cx="{x:g}" cy="{y:g}" r="4"/>')

    def path_(self, d: str, kind: str = "line") -> None:
        self._parts.append(f'<path class="{kind}" d="{d}"/>')

    def line(self, x: float, y: float, to_x: float, to_y: float, kind: str = "line") -> None:
        self.path_(f"M{x:g} {y:g}L{to_x:g} {to_y:g}", kind)

    def curve(self, x: float, y: float, to_x: float, to_y: float, kind: str) -> None:
        """A cable from left to right."""
        middle = (x + to_x) / 2
        self.path_(f"M{x:g} {y:g}C{middle:g} {y:g} {middle:g} {to_y:g} {to_x:g} {to_y:g}", kind)

    def arrow(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """A straight arrow, level or upright."""
        self.line(x, y, to_x, to_y)
        dx, dy = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
        a, b = to_x - 8 * dx, to_y - 8 * dy
        self.path_(
            f"M{to_x:g} {to_y:g}L{a + 5 * dy:g} {b + 5 * dx:g}L{a - 5 * dy:g} {b - 5 * dx:g}Z",
            "tip",
        )

    def svg(self) -> str:
        """The whole file."""
        return "\n".join([*self._parts, "</svg>", ""])
