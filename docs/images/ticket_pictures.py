"""Pictures of what is lost: in maintenance, with a worker, and in a change of topology."""

# ruff: noqa: INP001 - beside a script, not a package

from picture import Picture


def blast_radius() -> Picture:
    """Twelve slots before a switch: what is lost with a cube, a driver board and a switch."""
    p = Picture("blast-radius", 760, 344, "What is lost with a cube, a driver board and a switch")
    left, wide, y = 150, 47, 52
    p.text(24, y + 24, "slots", "bold")
    slices = ((1, 2, "job-a"), (3, 3, "job-b"), (5, 6, "job-c"))
    for slot in range(1, 13):
        p.box(left + wide * (slot - 1), y, wide - 7, 34, "box", 4)
        p.text(left + wide * (slot - 1) + 20, y + 22, str(slot), "mono", "middle")
    for first, last, name in slices:
        start, end = left + wide * (first - 1), left + wide * last - 7
        p.line(start, y - 8, end, y - 8, "two")
        p.text((start + end) / 2, y - 14, name, "mono", "middle")
    rows = (
        ("cube 2", (2, 2), "job-a moves from 2 to 4; 7 to 12 stay free"),
        (
            "a board",
            (1, 4),
            "it drives ports 1 to 4: job-b moves to 7, job-a to 8 and 9; 10 to 12 stay free",
        ),
        ("a switch", (1, 12), "every cube has a cable on it: no slice of whole cubes can move"),
    )
    for number, (what, (first, last), said) in enumerate(rows):
        top = y + 66 + number * 66
        p.text(24, top + 15, what, "bold")
        p.box(left + wide * (first - 1), top, wide * (last - first + 1) - 7, 22, "tint", 4)
        p.text(left, top + 42, said, "quiet")
    p.text(24, 326, "Shaded: cubes short of a cable while it is out.", "quiet")
    return p


def lost_worker() -> Picture:
    """A worker that is killed in an audit, second by second: who finds it, and what goes on."""
    p = Picture("lost-worker", 760, 326, "A worker is killed in the middle of an audit")
    left, a_second = 150, 4.7

    def at(second: float) -> float:
        return left + a_second * second

    rows = {"worker 1": 62, "watch_fabric": 128, "worker 2": 194, "the pod's page": 260}
    for name, y in rows.items():
        p.text(24, y + 5, name, "bold")
        p.line(left, y, at(125), y)
    y = rows["worker 1"]
    p.box(at(0), y - 11, at(9) - left, 22, "tint", 4)
    p.text(at(9) + 12, y - 6, "killed", "bold")
    p.line(at(9), y - 15, at(9), y + 15, "one")
    p.text(at(9) + 12, y + 20, "its last \u201cI am there\u201d holds for 60 s", "quiet")
    y = rows["watch_fabric"]
    for second in range(0, 125, 10):
        p.dot(at(second), y)
    p.text(at(62), y + 24, "it ends no job that lives", "quiet")
    p.arrow(at(60), y, at(60), rows["worker 2"] - 13)
    p.text(at(60) + 8, y - 12, "ends it, calls again", "bold")
    y = rows["worker 2"]
    p.box(at(60), y - 11, at(71) - at(60), 22, "tint", 4)
    p.text(at(72), y - 12, "done", "bold")
    y = rows["the pod's page"]
    p.box(at(105), y - 11, at(125) - at(105), 22, "box", 4)
    p.text(at(115), y + 5, "Stuck", "bold", "middle")
    p.text(at(103), y - 14, "only where no worker comes: since when, why, Try now", "quiet", "end")
    for second in range(0, 121, 15):
        p.text(at(second), 306, f"{second} s", "quiet", "middle")
        p.line(at(second), 286, at(second), 292)
    return p


def topology_stages() -> Picture:
    """Three groups of switches: which links are idle while each is changed."""
    p = Picture(
        "topology-stages", 760, 300, "A topology is changed one group of switches at a time"
    )
    left, wide, y = 164, 116, 56
    columns = ("before", "stage 1", "stage 2", "stage 3", "done")
    for number, name in enumerate(columns):
        p.text(left + wide * number + 52, y - 14, name, "bold", "middle")
    for row in range(3):
        top = y + row * 44
        p.text(24, top + 21, f"switches {8 * row + 1} to {8 * row + 8}", "bold")
        for column in range(len(columns)):
            x = left + wide * column
            if column == row + 1:
                p.box(x, top, wide - 14, 32, "tint", 4)
                p.text(x + 52, top + 21, "idle", "bold", "middle")
            else:
                p.box(x, top, wide - 14, 32, "box", 4)
                said = "old links" if column <= row else "new links"
                p.text(x + 52, top + 21, said, "mono", "middle")
    top = y + 3 * 44 + 22
    p.text(24, top, "in each stage", "bold")
    steps = ("a person confirms:", "remove,", "light is good,", "links may")
    more = ("links carry nothing", "then add", "or back at once", "carry again")
    for number, (one, two) in enumerate(zip(steps, more, strict=True)):
        x = left + 148 * number
        p.text(x, top, one, "quiet")
        p.text(x, top + 18, two, "quiet")
        if number:
            p.arrow(x - 24, top + 4, x - 8, top + 4)
    last = "Only links that change are idle; those that are left carry what every pair asks for."
    p.text(24, 284, last, "quiet")
    return p


PICTURES = (blast_radius, lost_worker, topology_stages)
