"""Jobs: who has groups, and which rings run through them.

small      fits in a group, beside other small jobs; copper inside is all that it needs
sequence   groups one after the other along rows (or columns): one ring in each plane
rectangle  some rows by some columns of groups, not all adjacent: a ring for each row and column
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import groupby

from fabric_twin.core.rings.plane import Plane, Way
from fabric_twin.core.rings.ring import Ring, Wanted


class Form(StrEnum):
    """What a job's groups make up."""

    SMALL = "small"
    SEQUENCE = "sequence"
    RECTANGLE = "rectangle"


@dataclass(frozen=True)
class Axis:
    """What a job calls its rings in some planes of one dimension: `layer`, `pipeline`, `data`."""

    name: str
    planes: tuple[Plane, ...]


@dataclass(frozen=True)
class Remains:
    """Of the rings that run beside each other in the lanes of one row of processors: how many."""

    axis: str
    #: The dimension and the row or column of processors.
    dimension: int
    index: int
    groups: tuple[int, ...]
    there: int
    wanted: int


@dataclass(frozen=True)
class Job:
    """A job with its groups; its rings are all that it wants, but for those that cannot be."""

    name: str
    form: Form
    #: As asked: of a group where it is small, along one ring where it is a sequence; else 0.
    processors: int
    #: By number from 0: in the order of a sequence, row by row of a rectangle.
    groups: tuple[int, ...]
    #: How many columns of groups a rectangle has; 0 for others.
    columns: int = 0
    axes: tuple[Axis, ...] = ()
    both_ways: bool = False
    rings: tuple[Ring, ...] = ()

    @property
    def lines(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """By dimension: the groups that each of its rings runs through."""
        if self.form is Form.SMALL:
            return (), ()
        if self.form is Form.SEQUENCE:
            return (self.groups,), (self.groups,)
        rows = tuple(
            self.groups[at : at + self.columns] for at in range(0, len(self.groups), self.columns)
        )
        return rows, tuple(zip(*rows, strict=True))

    @property
    def wanted(self) -> Iterator[Wanted]:
        """Every ring that it asks for."""
        ways = tuple(Way) if self.both_ways else (Way.FORWARD,)
        lines = self.lines
        for axis in self.axes:
            for plane in axis.planes:
                for groups in lines[plane.axis]:
                    for way in ways:
                        yield Wanted(axis.name, plane, way, groups)

    @cached_property
    def by_number(self) -> dict[int, Ring]:
        """Its rings, by their numbers among those wanted: these stay when it moves."""
        there = {(ring.plane, ring.way, ring.groups): ring for ring in self.rings}
        found = {}
        for number, wanted in enumerate(self.wanted):
            if ring := there.get((wanted.plane, wanted.way, wanted.groups)):
                found[number] = ring
        return found

    @property
    def missing(self) -> list[tuple[int, Wanted]]:
        """The rings that it asks for and does not have, with their numbers."""
        there = self.by_number
        return [pair for pair in enumerate(self.wanted) if pair[0] not in there]

    @property
    def remains(self) -> list[Remains]:
        """Where lanes are missing: how many rings are left of those beside each other."""
        there = self.by_number

        def beside(pair: tuple[int, Wanted]) -> tuple[str, int, int, tuple[int, ...]]:
            wanted = pair[1]
            return wanted.axis, wanted.plane.axis, wanted.plane.index, wanted.groups

        found = []
        for key, rows in groupby(sorted(enumerate(self.wanted), key=beside), beside):
            rings = [number in there for number, _ in rows]
            if not all(rings):
                found.append(Remains(*key, sum(rings), len(rings)))
        return found

    @property
    def share(self) -> float:
        """The part of what it asked for that its weakest row of processors has left."""
        return min((row.there / row.wanted for row in self.remains), default=1.0)

    def on(self, groups: tuple[int, ...]) -> "Job":
        """The same on other groups, before links are taken."""
        return replace(self, groups=groups, rings=())

    def with_rings(self, rings: Mapping[int, Ring]) -> "Job":
        """The same with these rings, in the order of their numbers."""
        return replace(self, rings=tuple(rings[number] for number in sorted(rings)))
