"""How a switch answers where the protocol leaves it the choice: order and grain are its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

Names = tuple[str, ...]


@dataclass(frozen=True)
class Shape:
    """A way to tell the same."""

    name: str
    #: Answers come in another order than they were asked for, and rows in another than usual.
    shuffled: bool = False
    #: What is one update: a path as it was asked for, each row under it, or each field.
    grain: Literal["asked", "row", "leaf"] = "asked"

    def split(self, names: Names, content: Any) -> list[tuple[Names, Any]]:
        """What is at a path, by the names that lead to each part of it."""
        parts = list(self._parts(names, content))
        return parts[::-1] if self.shuffled else parts

    def _parts(self, names: Names, content: Any) -> Iterator[tuple[Names, Any]]:
        whole = self.grain == "asked" or not isinstance(content, dict) or not content
        if whole or (self.grain == "row" and not isinstance(next(iter(content.values())), dict)):
            yield names, content
            return
        for name, below in content.items():
            yield from self._parts((*names, name), below)


ASKED = Shape("asked")
SHAPES = {
    shape.name: shape
    for shape in (
        ASKED,
        Shape("shuffled", shuffled=True, grain="row"),
        Shape("by-row", grain="row"),
        Shape("by-leaf", grain="leaf"),
    )
}
