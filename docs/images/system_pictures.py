"""The pictures of the product: what goes in and comes out, its layers, how it thinks."""

# ruff: noqa: INP001 - beside a script, not a package

from picture import Picture


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


def layers() -> Picture:
    """The house: who may import whom."""
    p = Picture("layers", 720, 666, "Layers of fabric_twin: imports go down only")
    rows = (
        (("app_config", "wiring"), ("change_signals", "listening"), ("management", "commands")),
        (("cli", "commands"), ("tasks", "jobs"), ("views", "pages"), ("api", "REST")),
        (("presenters", "what a page, REST and paper say of a record"),),
        (),
        (("repositories", "rows in, columns out"),),
        (("models", "records, constraints"),),
        (("services", "no Django"), ("remote", "a server"), ("stack", "a demo")),
        (("documents", ""), ("inventory", ""), ("switches", ""), ("simulator", "")),
        (("dialects", "what the field calls things on the wire: names only"),),
        (("core", "rules, plans, life tables: Python and NumPy, no I/O"),),
    )
    y, tops = 20, []
    for row in rows:
        tall = 110 if not row else 36 if row[0][1] == "" else 46
        tops.append(y)
        gap, wide = 8, (500 - 8 * (len(row) - 1)) / len(row) if row else 500
        for at, (name, what) in enumerate(row):
            x = 20 + at * (wide + gap)
            p.box(x, y, wide, tall, "tint" if name == "core" else "box")
            p.text(x + 12, y + (23 if not what else 20), name, "mono bold")
            p.text(x + 12, y + 37, what, "quiet")
        if not row:
            _operations(p, y)
        y += tall + 14
        if row is not rows[-1]:
            p.arrow(270, y - 13, 270, y - 1)
    for top, said in zip(
        tops,
        (
            ("top to bottom, no rules",),
            ("doors: parse, call one", "use case, render"),
            ("labels, links, colours;", "they write nothing"),
            ("use cases on records: each", "package knows only those", "to its right"),
            ("no decisions", "no words for people"),
            ("to_core(); no rules",),
            ("files and fabrics: no", "Django from here down"),
            ("adapters: not each other",),
            (),
            (),
        ),
        strict=True,
    ):
        for row, line in enumerate(said):
            p.text(536, top + 18 + 18 * row, line, "quiet")
    return p


def _operations(p: Picture, y: float) -> None:
    """The rooms of the use cases, from left to right, and where the right ones ask the left."""
    p.box(20, y, 500, 110, "tint")
    p.text(32, y + 20, "operations", "mono bold")
    for at, name in enumerate(("orders", "tickets", "audits", "pods", "slices")):
        x = 32 + 97 * at
        p.box(x, y + 30, 80, 28)
        p.text(x + 40, y + 48, name, "mono", "middle")
        if at:
            p.arrow(x - 16, y + 44, x - 2, y + 44)
    p.text(32, y + 80, "hooks", "mono")
    p.text(100, y + 80, "orders and tickets register here what audits must know", "quiet")
    p.text(32, y + 98, "dispatch", "mono")
    p.text(100, y + 98, "the only one that asks for jobs", "quiet")


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


PICTURES = (overview, layers, pipeline, chains)
