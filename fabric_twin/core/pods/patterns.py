"""How an operator names ports, as a pattern: `row{any}/cube{slot}-host{any}/{chip}-{face}`.

Braces name what a part of the text means; all else stands for itself. A pattern is no regular
expression: it cannot be made to take for ever.
"""

import re
from collections.abc import Mapping
from functools import cached_property

from fabric_twin.core.errors import UnusableInput

#: What may be in braces, and what it looks like.
PARTS: Mapping[str, str] = {
    "slot": r"\d{1,6}",
    "chip": r"\d{1,3}(?:[._-]\d{1,3}){1,2}",
    "x": r"\d",
    "y": r"\d",
    "z": r"\d",
    "face": r"(?i:[XYZ](?:[+-]|[_-]?(?:plus|minus|pos|neg|[pmn])))",
    "lane": r"\d",
    "axis": r"[XYZxyz]",
    "index": r"\d{1,3}(?:[._-]\d{1,3}){0,3}",
    "row": r"\d{1,2}",
    "column": r"\d{1,2}",
    "edge": r"[WENSwens]",
    "switch": r"(?i:row|col)[._-](?i:t1|\d{1,2})(?:[._-]\d{1,2}){1,3}",
    "port": r"\d{1,4}[ABab]?",
    "any": r"[^/]{0,100}",
}
LONGEST, MOST_ANY = 200, 4
#: How operators write the face that looks along an axis; all else that a face may be looks back.
_PLUS = {"+", "p", "plus", "pos"}
_PART = re.compile(r"\{([^{}]*)\}")


class Pattern:
    """A pattern that was read; it finds the meanings of a text."""

    def __init__(self, text: str, where: str) -> None:
        self.text, self.where = text, where
        self._check()

    def _check(self) -> None:
        names = _PART.findall(self.text)
        known = [name for name in names if name != "any"]
        odd = sorted(set(names) - PARTS.keys())
        what = ""
        if odd:
            what = f"a pattern has no {{{odd[0][:20]}}}"
        elif len(set(known)) < len(known):
            what = "a part is there twice"
        elif len(self.text) > LONGEST or names.count("any") > MOST_ANY or "{any}{any}" in self.text:
            what = f"it is too long, or has more than {MOST_ANY} of {{any}}, or two side by side"
        elif re.sub(_PART, "", self.text).count("{") or "}" in re.sub(_PART, "", self.text):
            what = "a brace is not closed"
        if what:
            raise UnusableInput(
                what,
                where=self.where,
                remedy=f"Use each of {', '.join(f'{{{name}}}' for name in PARTS)} where it stands",
            )

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        pieces = _PART.split(self.text)
        made = "".join(
            re.escape(piece)
            if at % 2 == 0
            else (PARTS[piece] if piece == "any" else f"(?P<{piece}>{PARTS[piece]})")
            for at, piece in enumerate(pieces)
        )
        return re.compile(made, re.ASCII)

    def read(self, text: str) -> dict[str, str] | None:
        """What the parts of a text say, or None if the pattern is not its."""
        match = self._compiled.fullmatch(text[:1000])
        return match.groupdict() if match else None


def cube_port(parts: Mapping[str, str]) -> tuple[int, str] | None:
    """The slot and the port's name by the rule, if the parts say both.

    >>> cube_port({"slot": "07", "x": "4", "y": "3", "z": "2", "face": "x+"})
    (7, '4.3.2/X+')
    """
    if not {"slot", "face"} <= parts.keys():
        return None
    chip = re.sub("[_-]", ".", parts.get("chip", ""))
    chip = chip or ".".join(parts[name] for name in "xyz" if name in parts)
    lane = f"/{parts['lane']}" if "lane" in parts else ""
    return int(parts["slot"]), f"{chip}/{_face(parts['face'])}{lane}"


def _face(text: str) -> str:
    """A face by the rule, however it is written.

    >>> [_face(text) for text in ("x+", "Xp", "X_PLUS", "ZM", "y-neg", "Y-")]
    ['X+', 'X+', 'X+', 'Z-', 'Y-', 'Y-']
    """
    axis, sign = text[0].upper(), text[1:].lstrip("_").lower()
    sign = sign.lstrip("-") or "-"
    return axis + ("+" if sign in _PLUS else "-")


def switch_port(parts: Mapping[str, str]) -> tuple[str, str] | None:
    """The switch's and the port's name by the rule, if the parts say both.

    >>> switch_port({"axis": "X", "index": "3.2", "port": "07a"})
    ('x-3-2', '7A')
    """
    if not {"axis", "index", "port"} <= parts.keys():
        return None
    index = [str(int(number)) for number in re.split("[._-]", parts["index"])]
    return "-".join([parts["axis"].lower(), *index]), parts["port"].lstrip("0").upper()


def group_port(parts: Mapping[str, str], columns: int) -> tuple[int, str] | None:
    """The slot of a group in a cluster and its port's name by the rule, if the parts say both.

    >>> group_port({"row": "2", "column": "03", "chip": "1_4", "edge": "e", "lane": "2"}, 24)
    (27, '1.4/E2')

    Rows and columns count from 1: what counts from 0 is not read.

    >>> group_port({"row": "2", "column": "0", "chip": "1_4", "edge": "e"}, 24)
    """
    if not {"chip", "edge"} <= parts.keys():
        return None
    if {"row", "column"} <= parts.keys():
        row, column = int(parts["row"]), int(parts["column"])
        if row < 1 or not 1 <= column <= columns:
            return None
        slot = (row - 1) * columns + column
    elif "slot" in parts:
        slot = int(parts["slot"])
    else:
        return None
    chip = re.sub("[_-]", ".", parts["chip"])
    return slot, f"{chip}/{parts['edge'].upper()}{parts.get('lane', '1')}"


def packet_port(parts: Mapping[str, str]) -> tuple[str, str] | None:
    """A packet switch within its cluster and its port by the rule, if the parts say both.

    >>> packet_port({"switch": "ROW_2_1_2", "port": "07"}), packet_port({"switch": "col-t1-1-2-8"})
    (('row-02-1-2', '7'), None)
    """
    if not {"switch", "port"} <= parts.keys():
        return None
    dimension, tier, *others = re.split("[._-]", parts["switch"].lower())
    at = tier if tier == "t1" else f"{int(tier):02d}"
    numbers = [str(int(number)) for number in others]
    return "-".join([dimension, at, *numbers]), parts["port"].lstrip("0")
