"""Pictures of tickets: what is lost in maintenance."""

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


PICTURES = (blast_radius,)
