"""Recorded cables as rows of a cut sheet."""

from collections.abc import Iterator
from typing import NamedTuple

#: A device and a port, both empty where an end is not known.
Named = tuple[str, str]


class SheetCable(NamedTuple):
    """A cable as a sheet has it; its status in small letters, its length in metres."""

    name: str
    a: Named
    b: Named
    status: str
    length_m: str = ""
    printed: str = ""
    #: The strands of the pair are exchanged.
    crossed: bool = False

    def rows(self) -> Iterator[tuple[str, ...]]:
        """One row, or a row for each strand of a pair whose strands are exchanged."""
        about = (self.status, self.length_m, self.printed)
        if not self.crossed:
            yield (self.name, *self.a, *self.b, *about)
            return
        for strand in (1, 2):
            ends = (part for end in (self.a, self.b) for part in (end[0], _strand(end[1], strand)))
            yield (f"{self.name}:{strand}", *ends, *about)


def _strand(port: str, strand: int) -> str:
    """Strand 1 is on B and 2 on A: `4.3.2/X+:1` to `7B`."""
    return f"{port}:{strand}" if "/" in port else f"{port}{'BA'[strand - 1]}"
