"""The letter of a slice: one for as long as it exists, on every screen and paper.

    C D E .. W    then CC CD ..    as columns of a spreadsheet

A letter that was given rests until the others had their turn, so that yesterday's paper does not
name another slice today.
"""

from collections.abc import Collection

#: No A and B, which are sides of a switch, no X, Y, Z, which are axes, and no I and O, which look
#: like numbers.
LETTERS = "CDEFGHJKLMNPQRSTUVW"


def letter_of(number: int) -> str:
    """The letter at a place, from 0.

    >>> letter_of(0), letter_of(18), letter_of(19), letter_of(38)
    ('C', 'W', 'CC', 'DC')
    """
    text = ""
    while number >= 0:
        text = LETTERS[number % len(LETTERS)] + text
        number = number // len(LETTERS) - 1
    return text


def number_of(letter: str) -> int:
    """The place of a letter, which decides its colour.

    >>> [number_of(letter) for letter in ("C", "W", "CC", "DC")]
    [0, 18, 19, 38]
    """
    number = -1
    for one in letter:
        number = (number + 1) * len(LETTERS) + LETTERS.index(one)
    return number


def next_letter(taken: Collection[str], last: str = "") -> str:
    """The letter of a new slice: the next after the one given last that no slice has.

    >>> next_letter([]), next_letter(["C", "E"], "D"), next_letter(["C"], "W")
    ('C', 'F', 'D')
    """
    in_use = {number_of(letter) for letter in taken}
    begin = number_of(last) + 1
    round_of = len(LETTERS)
    while in_use.issuperset(range(round_of)):  # no letter is left: longer ones join the round
        round_of += len(LETTERS) ** len(letter_of(round_of))
    turns = ((begin + step) % round_of for step in range(round_of))
    return letter_of(next(number for number in turns if number not in in_use))
