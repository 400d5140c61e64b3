"""Owners told apart by a letter first, then by colour and hatching: grey paper loses nothing."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count

from fabric_twin.core.slices.letters import letter_of, number_of

#: How many colours and hatchings the templates draw. The colours are Okabe and Ito's; black and
#: vermilion are not among them: those mean that something is wrong.
COLOURS, HATCHES = 6, 4
NOBODY = "no owner"
#: Said where findings are left out that the user may not see.
FINDINGS_HIDDEN = "Findings may be missing here: the user who asked may not view all of them"
#: The letter of owners whose names the reader may not see.
UNNAMED = "?"


@dataclass(frozen=True)
class Owner:
    """Whose a circuit is, and how that is drawn."""

    name: str
    letter: str
    colour: int
    hatch: int


def owners(names: Iterable[str], letters: Mapping[str, str] | None = None) -> dict[str, Owner]:
    """Give every owner its letter: that of its record, else the first that is left.

    >>> [owner.letter for owner in owners(["train-2", "train-10", ""]).values()]
    ['-', 'C', 'D']
    >>> [owner.letter for owner in owners(["new", "train-2"], {"train-2": "C"}).values()]
    ['-', 'D', 'C']
    """
    recorded = letters or {}
    left = (letter for letter in map(letter_of, count()) if letter not in recorded.values())
    known = sorted(set(names) - {""}, key=_natural)
    found = {name: _owner(name, recorded.get(name) or next(left)) for name in known}
    return {"": Owner(NOBODY, "-", 0, 0)} | found


def _owner(name: str, letter: str) -> Owner:
    if letter == UNNAMED:
        return Owner(name, letter, 0, 0)
    number = number_of(letter)
    return Owner(name, letter, 1 + number % COLOURS, number // COLOURS % HATCHES)


def _natural(name: str) -> list[tuple[int, int | str]]:
    parts = re.split(r"([0-9]+)", name)
    return [(0, int(part)) if n % 2 else (1, part) for n, part in enumerate(parts)]
