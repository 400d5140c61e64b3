"""A QR code as one path of its dark squares, run by run, for any drawing."""

import re
from dataclasses import dataclass

_DARK = re.compile(b"\x01+")


@dataclass(frozen=True)
class Code:
    """The path, one unit a square, and how many squares are on a side of it."""

    path: str
    squares: int


def code(text: str) -> Code:
    """The code that holds a text."""
    import segno

    # The mask is fixed: trying all eight takes four times as long, and any reader reads any mask.
    rows = segno.make_qr(text, error="m", mask=2, boost_error=False).matrix
    path = [
        f"M{run.start()} {y}h{run.end() - run.start()}v1h{run.start() - run.end()}z"
        for y, squares in enumerate(rows)
        for run in _DARK.finditer(squares)
    ]
    return Code("".join(path), len(rows))
