"""Owners told apart by a letter first, then by colour and hatching: grey paper loses nothing."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

#: How many colours and hatchings the templates draw. The colours are Okabe and Ito's; black and
#: vermilion are not among them: those mean that something is wrong.
COLOURS, HATCHES = 6, 4
#: No A and B, which are sides of a switch, no X, Y, Z, which are axes, and no I and O, which look
#: like numbers.
LETTERS = "CDEFGHJKLMNPQRSTUVW"
NOBODY = "no owner"


@dataclass(frozen=True)
class Owner:
    """Whose a circuit is, and how that is drawn."""

    name: str
    letter: str
    colour: int
    hatch: int


def owners(names: Iterable[str]) -> dict[str, Owner]:
    """Give every owner of a pod its letter: the same on each of its sheets.

    >>> [owner.letter for owner in owners(["train-2", "train-10", ""]).values()]
    ['-', 'C', 'D']
    """
    known = sorted(set(names) - {""}, key=_natural)
    nobody = {"": Owner(NOBODY, "-", 0, 0)}
    return nobody | {
        name: Owner(name, _letters(n), 1 + n % COLOURS, n // COLOURS % HATCHES)
        for n, name in enumerate(known)
    }


def _letters(number: int) -> str:
    """C to W, then CC, CD, as columns of a spreadsheet."""
    text = ""
    while number >= 0:
        text = LETTERS[number % len(LETTERS)] + text
        number = number // len(LETTERS) - 1
    return text


def _natural(name: str) -> list[tuple[int, int | str]]:
    parts = re.split(r"([0-9]+)", name)
    return [(0, int(part)) if n % 2 else (1, part) for n, part in enumerate(parts)]
