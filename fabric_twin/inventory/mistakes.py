"""All mistakes of a file at once, each with its line."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from fabric_twin.core.errors import UnusableInput

#: So many are looked for, and so many are listed in a refusal.
MOST, LISTED = 1000, 20


@dataclass(frozen=True)
class Mistake:
    """What cannot be used in a file, by the line on which it, or its row, begins."""

    line: int
    column: str
    what: str
    remedy: str

    def __str__(self) -> str:
        """With its place in the file."""
        column = f", column {self.column}" if self.column else ""
        return f"line {self.line}{column}: {self.what}. {self.remedy}."


class MistakesInFile(UnusableInput):
    """A file that is refused whole; one mistake reads like any other refusal."""

    def __init__(self, source: str, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = tuple(mistakes)
        if len(mistakes) == 1:
            [one] = mistakes
            column = f", column {one.column}" if one.column else ""
            where = f"{source}, line {one.line}{column}"
            super().__init__(one.what, where=where, remedy=one.remedy)
            return
        many = f"{len(mistakes):,}" if len(mistakes) < MOST else f"at least {MOST:,}"
        self.details = tuple(str(one) for one in mistakes[:LISTED])
        if len(mistakes) > LISTED:
            self.details += (f"and {len(mistakes) - LISTED:,} more",)
        super().__init__(f"it has {many} mistakes", where=source, remedy="Correct them all")

    def as_json(self) -> dict[str, Any]:
        """With every mistake."""
        return {**super().as_json(), "mistakes": [asdict(one) for one in self.mistakes]}
