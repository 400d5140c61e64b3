"""The pictures of the wiring rule: faces, switches, plants, and a pod that is joined."""

# ruff: noqa: INP001 - beside a script, not a package

from picture import Picture


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


def detour() -> Picture:
    """A lost index, and the neighbour by which its traffic goes."""
    p = Picture("detour", 720, 326, "Index 3,2 of X is lost between cubes 7 and 9, and goes by 4,2")
    top, side = 66, 44
    for left, title, face, chips in (
        (30, "cube 7", "face X+", ("4.3.2", "4.4.2")),
        (514, "cube 9", "face X-", ("1.3.2", "1.4.2")),
    ):
        p.text(left, 32, title, "bold")
        p.text(left + 4 * side, 32, face, "quiet", "end")
        for i in range(4):
            p.text(left - 8, top + side * i + 27, str(i + 1), "quiet", "end")
            p.text(left + side * i + 22, 56, str(i + 1), "quiet", "middle")
            for j in range(4):
                kind = "tint" if (i, j) == (3, 1) else "grid"
                p.box(left + side * j, top + side * i, side, side, kind, 0)
        p.text(left + 2 * side - 22, top + 2 * side + 20, chips[0], "mono", "middle")
        p.text(left + 2 * side - 22, top + 3 * side + 34, chips[1], "mono", "middle")
    p.box(284, 128, 152, 56)
    p.text(360, 152, "ocs-x-3-2", "mono bold", "middle")
    p.text(360, 172, "out", "quiet", "middle")
    p.box(284, 204, 152, 56, "tint")
    p.text(360, 223, "ocs-x-4-2", "mono bold", "middle")
    p.text(360, 252, "7A to 9B", "mono", "middle")
    p.path_("M118 160L284 150", "two")
    p.path_("M436 150L558 160", "two")
    p.line(118, 226, 284, 232, "one")
    p.line(284, 232, 436, 232, "one")
    p.line(436, 232, 558, 226, "one")
    p.arrow(96, 180, 96, 208)
    p.arrow(580, 216, 580, 188)
    p.text(30, 276, "down by copper", "quiet")
    p.text(690, 276, "and back to the same index", "quiet", "end")
    p.text(30, 306, "rows: Y, columns: Z, as in 4.Y.Z", "quiet")
    p.text(690, 306, "dashed: the circuit that is lost", "quiet", "end")
    return p


PICTURES = (face_index, same_switch, plants, variants, torus, detour)
