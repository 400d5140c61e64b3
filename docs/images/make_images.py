"""Draw the pictures of the documentation that are not made by the product itself.

Every picture stands on a card of its own and follows the reader's light or dark scheme. Nothing
is told by colour alone: what should be is dashed, what is wrong has a thick line.
"""

# ruff: noqa: INP001 - a script, not a package

import sys
from html import escape
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from year_pictures import pictures as year_pictures  # noqa: E402 - beside this script

sys.path.remove(str(HERE))

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


def overview() -> Picture:
    """What the product does, for the README."""
    p = Picture("overview", 720, 250, "A wiring rule and a cut sheet go in, causes come out")
    for y, title, what, plant in (
        (38, "design", "sizes and wiring rule", "intended plant"),
        (142, "cut sheet", "a row a cable, CSV", "recorded plant"),
    ):
        p.box(20, y, 160, 66)
        p.text(34, y + 27, title, "big")
        p.text(34, y + 49, what, "quiet")
        p.text(192, y + 27, plant)
        p.line(180, y + 34, 306, y + 34)
    p.path_("M306 72V176")
    p.arrow(306, 124, 334, 124)
    p.box(334, 98, 78, 52, "tint")
    p.text(373, 129, "audit", "big", "middle")
    p.arrow(412, 124, 440, 124)
    p.box(440, 20, 262, 210)
    p.text(456, 46, "swapped", "big")
    p.text(688, 46, "two cables exchanged", "quiet", "end")
    for row, cube in enumerate(("c007", "c009")):
        y = 82 + 36 * row
        p.text(500, y + 4, cube, "mono", "end")
        p.text(632, y + 4, f"port {cube[-1]}A", "mono")
        p.line(512, y, 618, y, "two")
        p.curve(512, y, 618, 200 - y, "one")
        p.dot(508, y)
        p.dot(622, y)
    p.line(456, 150, 486, 150, "one")
    p.text(494, 154, "as it is", "quiet")
    p.line(560, 150, 584, 150, "two")
    p.text(590, 154, "as it should be", "quiet")
    p.text(456, 186, "remedy: 2 cable ends, in an order")
    p.text(456, 206, "that never doubles a port")
    return p


def face_index() -> Picture:
    """From a chip on a face to the switch that serves it."""
    p = Picture("face-index", 720, 330, "Chip (4,3,2) on face X+ has index (3,2): switch ocs-x-3-2")
    side, skew, left, bottom = 34, 17, 62, 262

    def at(x: float, y: float, z: float) -> str:
        return f"{left + side * x + skew * y:g} {bottom - side * z - skew * y:g}"

    def cell(corners: list[tuple[float, float, float]], kind: str) -> None:
        p.path_("M" + "L".join(at(*corner) for corner in corners) + "Z", kind)

    for i in range(4):
        for j in range(4):
            cell([(i, 0, j), (i + 1, 0, j), (i + 1, 0, j + 1), (i, 0, j + 1)], "grid")
            cell([(i, j, 4), (i + 1, j, 4), (i + 1, j + 1, 4), (i, j + 1, 4)], "grid")
            kind = "tint" if (i, j) == (2, 1) else "grid"
            cell([(4, i, j), (4, i + 1, j), (4, i + 1, j + 1), (4, i, j + 1)], kind)
    p.text(130, 200, "Y-", "big", "middle")
    p.text(164, 97, "Z+", "big", "middle")
    p.text(276, 130, "X+", "big")
    p.text(158, 32, "hidden behind: X-  Y+  Z-", "quiet", "middle")
    p.arrow(62, 278, 152, 278)
    p.text(160, 282, "x", "bold")
    p.arrow(46, 262, 46, 172)
    p.text(42, 164, "z", "bold")
    p.line(206, 282, 254, 234)
    p.text(260, 234, "y", "bold")
    p.text(164, 312, "a cube: 4x4x4 chips, each counted from 1", "quiet", "middle")

    p.text(424, 62, "face X+, seen from outside", "bold", "middle")
    for z in range(4, 0, -1):
        for y in range(1, 5):
            x, top = 344 + 40 * (y - 1), 78 + 40 * (4 - z)
            p.box(x, top, 40, 40, "grid", 0)
    p.box(424, 158, 40, 40, "tint", 0)
    for z in range(4, 0, -1):
        for y in range(1, 5):
            p.text(364 + 40 * (y - 1), 102 + 40 * (4 - z), f"{y},{z}", "mono", "middle")
    p.text(424, 260, "index = (y,z)", "", "middle")
    p.text(424, 282, "chip (4,3,2) has index (3,2)", "quiet", "middle")

    p.line(504, 178, 556, 178, "one")
    p.box(556, 140, 144, 76)
    p.text(628, 174, "ocs-x-3-2", "mono bold", "middle")
    p.text(628, 196, "its switch", "quiet", "middle")
    p.text(628, 238, "X axis, index 3,2:", "quiet", "middle")
    p.text(628, 256, "the same for every cube", "quiet", "middle")
    return p


def same_switch() -> Picture:
    """Every cube's port at an axis and index meets on one switch; `+` on A, `-` on B."""
    p = Picture(
        "same-switch", 720, 316, "Port X+ 3,2 of every cube on the A side, X- on the B side"
    )
    p.box(262, 46, 196, 232)
    p.text(360, 34, "switch ocs-x-3-2", "bold", "middle")
    p.text(276, 68, "A side", "quiet")
    p.text(444, 68, "B side", "quiet", "end")
    p.text(95, 34, "the + faces", "quiet", "middle")
    p.text(625, 34, "their - faces", "quiet", "middle")
    rows = ((1, 100), (7, 170), (144, 240))
    for slot, y in rows:
        p.box(20, y - 26, 150, 52)
        p.text(34, y - 5, f"cube {slot}", "bold")
        p.text(34, y + 15, "4.3.2/X+", "mono")
        p.box(550, y - 26, 150, 52)
        p.text(564, y - 5, f"cube {slot}", "bold")
        p.text(564, y + 15, "1.3.2/X-", "mono")
        p.line(170, y, 258, y, "one")
        p.line(462, y, 550, y, "one")
    for (_, y), (_, to) in zip(rows, (*rows[1:], rows[0]), strict=True):
        p.curve(310, y, 408, to, "two")
    for slot, y in rows:
        p.dot(262, y)
        p.dot(458, y)
        p.text(272, y + 4, f"{slot}A", "mono")
        p.text(448, y + 4, f"{slot}B", "mono", "end")
    p.text(214, 92, "cable", "quiet", "middle")
    p.text(360, 301, "dashed: circuits; here they join three cubes into a ring", "quiet", "middle")
    return p


def plants() -> Picture:
    """Split, paired, static."""
    p = Picture("plants", 720, 340, "A split, a paired and a static plant")
    for x, title, where in (
        (16, "split", "ironwood, tpu-v5p, -cwdm8"),
        (256, "paired", "tpu-v4, tpu-v4-duplex"),
        (496, "static", "no switches"),
    ):
        p.text(x, 34, title, "big")
        p.text(x, 54, where, "quiet")
    for x in (244, 484):
        p.line(x, 20, x, 320)
    for x in (16, 256):
        p.box(x, 76, 84, 190)
        p.text(x + 12, 100, "cube 7", "bold")
        p.text(x + 12, 136, "X+ 3,2", "mono")
        p.text(x + 12, 236, "X- 3,2", "mono")
    p.box(152, 76, 78, 190)
    p.text(191, 100, "switch", "bold", "middle")
    p.line(100, 132, 152, 132, "one")
    p.line(100, 232, 152, 232, "one")
    p.dot(152, 132)
    p.dot(152, 232)
    p.text(164, 136, "7A", "mono")
    p.text(164, 236, "7B", "mono")
    p.text(216, 136, "A", "quiet", "middle")
    p.text(216, 236, "B", "quiet", "middle")
    p.line(152, 184, 230, 184)
    p.text(16, 290, "One strand a cable.", "")
    p.text(16, 310, "+ of slot k on kA, - on kB.", "")

    p.box(392, 76, 78, 190)
    p.text(431, 100, "switch", "bold", "middle")
    for y in (129, 135):
        p.line(340, y, 392, y, "one")
        p.line(340, y + 100, 392, y + 100, "one")
    p.dot(392, 132)
    p.dot(392, 232)
    p.text(404, 136, "7", "mono")
    p.text(404, 236, "71", "mono")
    p.text(404, 154, "7A+7B", "quiet")
    p.text(404, 254, "71A+71B", "quiet")
    p.text(400, 188, "129..136", "mono")
    p.text(404, 206, "spares", "quiet")
    p.text(256, 290, "A fibre pair a cable.", "")
    p.text(256, 310, "+ of slot k on k, - on 64+k.", "")

    for row, slot in enumerate((1, 2)):
        y = 76 + 110 * row
        p.box(540, y, 120, 76)
        p.text(552, y + 24, f"cube {slot}", "bold")
    p.text(552, 142, "Y+ 1", "mono")
    p.text(552, 246, "Y- 1", "mono")
    p.path_("M660 138C700 138 700 242 660 242", "one")
    p.text(496, 290, "A cable joins two cubes.", "")
    p.text(496, 310, "The rule names the neighbour.", "")
    return p


def variants() -> Picture:
    """What CWDM8 and duplex optics change."""
    p = Picture("variants", 720, 270, "tpu-v4-cwdm8 and tpu-v4-duplex")
    p.text(16, 34, "tpu-v4-cwdm8", "big")
    p.text(344, 34, "two indices a switch", "quiet", "end")
    p.text(376, 34, "tpu-v4-duplex", "big")
    p.text(704, 34, "two cables a port", "quiet", "end")
    p.line(360, 20, 360, 250)
    p.box(16, 56, 110, 156)
    p.text(28, 80, "cube 7, X+", "bold")
    p.box(210, 56, 134, 156)
    p.text(277, 80, "ocs-x-3-1", "mono bold", "middle")
    for y, index, port, lies in (
        (118, "3,1", "7A", "ports 1..64"),
        (176, "3,2", "71A", "ports 65..128"),
    ):
        p.text(28, y + 4, f"index {index}", "mono")
        p.line(126, y, 210, y, "one")
        p.dot(210, y)
        p.text(222, y + 4, port, "mono")
        p.text(222, y + 22, lies, "quiet")
    p.text(16, 240, "Odd j on port k, even j on 64+k. 24 switches.")
    p.box(376, 56, 110, 156)
    p.text(388, 80, "cube 7, X+", "bold")
    p.text(388, 150, "4.3.2", "mono")
    for y, lane in ((104, 1), (176, 2)):
        p.box(572, y - 28, 132, 56)
        p.text(638, y - 8, f"ocs-x-3-2-{lane}", "mono bold", "middle")
        p.text(584, y + 16, "7", "mono")
        p.curve(486, 138 + 12 * (lane - 1), 572, y + 8, "one")
        p.curve(486, 142 + 12 * (lane - 1), 572, y + 12, "one")
        p.dot(572, y + 10)
        p.text(508, 108 + 84 * (lane - 1), f"/{lane}", "mono", "middle")
    p.text(376, 240, "A switch for each lane. 96 switches.")
    return p


def layers() -> Picture:
    """Who may import whom."""
    p = Picture("layers", 720, 406, "Layers of fabric_twin: imports go down only")
    rows = (
        (("cli", "commands on files"), ("tasks", "Nautobot jobs: to come")),
        (("services", "use cases, one verb a file"),),
        (
            ("documents", "text, SVG, .."),
            ("inventory", "reads files"),
            ("switches", "speaks gNMI"),
            ("simulator", "answers it"),
        ),
        (("dialects", "what the field calls things on the wire: names only"),),
        (("core", "designs, plants, audit: Python and NumPy, no I/O"),),
    )
    for number, row in enumerate(rows):
        gap = 20 if len(row) < 4 else 8
        y, wide = 20 + 76 * number, (490 - gap * (len(row) - 1)) / len(row)
        for at, (name, what) in enumerate(row):
            x = 20 + at * (wide + gap)
            p.box(x, y, wide, 56, "tint" if name == "core" else "box")
            p.text(x + 16, y + 24, name, "mono bold")
            p.text(x + 16, y + 44, what, "quiet")
    for y in (76, 152, 228, 304):
        p.arrow(265, y + 2, 265, y + 19)
    p.text(536, 44, "Imports go down only.", "bold")
    for row, said in enumerate(("Two boxes side by side", "do not know each other.")):
        p.text(536, 70 + 18 * row, said)
    for row, said in enumerate(("make check refuses", "a folder that is not", "in this picture.")):
        p.text(536, 124 + 18 * row, said, "quiet")
    return p


def pipeline() -> Picture:
    """How the audit goes from differences to causes."""
    p = Picture("audit-pipeline", 720, 288, "compare, repairs, mistakes, findings")
    steps = (
        ("compare", "wrong cables,", "unmet pairs"),
        ("repairs", "each part mended", "with fewest ends"),
        ("mistakes", "runs and bundles", "become one"),
        ("findings", "code, cause, id,", "remedy in order"),
    )
    for number, (name, one, two) in enumerate(steps):
        x = 16 + 178 * number
        p.box(x, 20, 154, 86, "tint" if number == 3 else "box")
        p.text(x + 12, 46, name, "big")
        p.text(x + 12, 70, one, "quiet")
        p.text(x + 12, 90, two, "quiet")
        if number:
            p.arrow(x - 24, 63, x, 63)
    heights = (142, 172, 202, 232)
    for number in range(4):
        x = 16 + 178 * number
        left, right = x + 26, x + 128
        if number in (1, 2):
            p.box(x + 8, 130, 138, 54, "line")
            p.box(x + 8, 190, 138, 54, "line")
        if number == 2:
            p.box(x + 2, 124, 150, 126, "two")
        if number == 3:
            p.box(x + 2, 124, 150, 126, "tint")
        for row in (0, 1, 2, 3):
            pair = row + 1 if row % 2 == 0 else row - 1
            p.curve(left, heights[row], right, heights[pair], "one")
        for y in heights:
            p.dot(left, y)
            p.dot(right, y)
    p.text(
        360,
        274,
        "four wrong cables; two repairs of two; one mistake; one finding",
        "quiet",
        "middle",
    )
    return p


def torus() -> Picture:
    """The static design of the example package."""
    p = Picture("static-torus", 420, 320, "Sixteen cubes in a grid; every row and column is a ring")
    for row in range(4):
        y = 60 + 66 * row
        for column in range(4):
            x = 60 + 84 * column
            if column < 3:
                p.line(x + 52, y + 18, x + 84, y + 18, "one")
            if row < 3:
                p.line(x + 26, y + 36, x + 26, y + 66, "one")
    for at in range(4):
        y, x = 78 + 66 * at, 86 + 84 * at
        p.path_(f"M60 {y}H40", "two")
        p.path_(f"M364 {y}H388", "two")
        p.path_(f"M{x} 60V42", "two")
        p.path_(f"M{x} 294V310", "two")
    for row in range(4):
        for column in range(4):
            x, y = 60 + 84 * column, 60 + 66 * row
            p.box(x, y, 52, 36)
            p.text(x + 26, y + 23, str(1 + column + 4 * row), "bold", "middle")
    p.text(60, 26, "dashed: the last back to the first", "quiet")
    return p


def chains() -> Picture:
    """The two rounds of discovery, on one switch of five ports a side."""
    p = Picture("chains", 720, 420, "Two rounds make two chains of the ports of a switch")
    gap, left = 104, 130
    straight = [(k, k) for k in (1, 3, 4, 5)]
    to_next = [(k, k + 1) for k in (1, 2, 3, 4)]
    for y, title, what, rows, kind in (
        (28, "round 1", "straight through", straight, "one"),
        (132, "round 2", "to the next", to_next, "two"),
    ):
        p.text(24, y + 32, title, "bold")
        p.text(24, y + 52, what, "quiet")
        for a, b in rows:
            p.line(left + gap * (a - 1) + 30, y + 18, left + gap * (b - 1) + 30, y + 60, kind)
        for k in range(5):
            for at, side in ((y + 14, "A"), (y + 64, "B")):
                p.dot(left + gap * k + 30, at)
                p.text(left + gap * k + 40, at + 5, f"{k + 1}{side}", "mono")
    p.text(left + gap + 30, 72, "left dark", "quiet", "middle")
    p.text(24, 246, "together: two chains, each of an odd length of its own", "bold")
    for y, ports, ends in (
        (282, "1B 1A 2B", ("2", "1")),
        (338, "2A 3B 3A 4B 4A 5B 5A", ("1", "2")),
    ):
        names = ports.split()
        last = 130 + 76 * (len(names) - 1)
        for place, name in enumerate(names):
            x = 130 + 76 * place
            if x < last:
                p.line(x, y, x + 76, y, "one" if (place % 2 == 0) == (ends[0] == "2") else "two")
            p.dot(x, y)
            p.text(x, y + 22, name, "mono", "middle")
        p.text(112, y + 5, f"no round {ends[0]}", "quiet", "end")
        p.text(last + 16, y + 5, f"no round {ends[1]}", "quiet")
    p.text(24, 398, "Each reads one way only: its two ends lack different rounds.", "quiet")
    return p


PICTURES = (overview, face_index, same_switch, plants, variants, layers, pipeline, torus, chains)


def files() -> dict[Path, str]:
    """Every file that is made here, and what is in it."""
    drawn = [*(draw() for draw in PICTURES), *year_pictures(Picture)]
    return {picture.path: picture.svg() for picture in drawn}


def main() -> None:
    """Write them."""
    for path, content in files().items():
        path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
