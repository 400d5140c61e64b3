"""The pictures of clusters: groups, their switches, and what joins these."""

# ruff: noqa: INP001 - beside a script, not a package

from picture import Picture

#: Where groups stand: the column, and the left of its box.
GROUPS = ((1, 24), (2, 174), (24, 374))
SIDE, TOP = 104, 104


def cluster() -> Picture:
    """A row of groups on one switch of a row, one of a column, and tier 1."""
    p = Picture(
        "groups", 720, 400, "Groups of 4x4 processors; W and E of row 1, lane 1, on one switch"
    )
    for column, left in GROUPS:
        _group(p, left, f"r01c{column:02d}")
    p.text(331, TOP + 58, "...", "big", "middle")
    p.box(24, 304, 496, 54)
    p.text(36, 350, "row-01-1-1", "mono bold")
    p.text(488, 350, "tier 0: row 1, lane 1", "quiet", "end")
    for column, left in GROUPS:
        port = 2 * column - 1
        for x, which in ((left + 22, port), (left + SIDE - 22, port + 1)):
            p.dot(x, 304)
            p.text(x, 324, str(which), "mono", "middle")
        y = TOP + 17
        p.path_(f"M{left + 8} {y}H{left - 9}V270H{left + 22}V304", "one")
        right = left + SIDE
        p.path_(f"M{right} {y}H{right + 9}V270H{right - 22}V304", "one")
    p.text(24, 388, "48 ports for groups: W of column C on 2C-1, E on 2C", "quiet")

    p.box(24, 26, 104, 40)
    p.text(76, 50, "col-01-1-1", "mono bold", "middle")
    p.line(41, 66, 41, TOP + 8, "one")
    p.dot(41, 66)
    p.text(48, 84, "1", "mono")
    p.text(140, 42, "a switch of column 1:", "quiet")
    p.text(140, 60, "N of row R on 2R-1, S on 2R", "quiet")

    for number, y in ((1, 190), (2, 250)):
        p.box(560, y, 140, 42)
        p.text(630, y + 26, f"row-t1-1-1-{number}", "mono bold", "middle")
        p.dot(520, 303 + 16 * number)
        p.text(510, 308 + 16 * number, str(48 + number), "mono", "end")
        p.dot(560, y + 21)
        p.curve(520, 303 + 16 * number, 560, y + 21, "one")
        p.text(572, y + 26, "1", "mono")
    p.text(560, 176, "tier 1, form a", "quiet")
    p.text(560, 318, "row switch q on port q", "quiet")
    p.text(560, 336, "of both; form b: 8 of", "quiet")
    p.text(560, 354, "them, 16 uplinks", "quiet")
    return p


def _group(p: Picture, left: int, name: str) -> None:
    """4x4 processors and the copper between them."""
    step = 26
    p.text(left + SIDE / 2, TOP + SIDE + 20, name, "mono", "middle")
    for row in range(4):
        for column in range(4):
            x, y = left + 8 + step * column, TOP + 8 + step * row
            if column < 3:
                p.line(x + 18, y + 9, x + step, y + 9)
            if row < 3:
                p.line(x + 9, y + 18, x + 9, y + step)
            p.box(x, y, 18, 18, "tint" if row == 0 and column in {0, 3} else "grid", 2)


PICTURES = (cluster,)
