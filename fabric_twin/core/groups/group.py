"""A group of processors: what it has inside, and its ports to switches.

         N   N   N   N              a processor has lanes to each side: W, E, N and S
    W - 1.1 1.2 1.3 1.4 - E         row 1
    W - 2.1 2.2 2.3 2.4 - E         copper inside, the edge ports to switches:
    W - 3.1 3.2 3.3 3.4 - E         W and E to those of the row, N and S to those of the column
    W - 4.1 4.2 4.3 4.4 - E
         S   S   S   S              a chain is one row: W - 1.1 1.2 1.3 1.4 - E

It has the faces of a cube: E is X+, W is X-, S is Y+ and N is Y-, since columns are counted to the
right and rows downwards.
"""

from dataclasses import dataclass
from functools import cached_property

from fabric_twin.core.cube import Cube, Face

#: What a face is called, by axis and sign.
EDGES = (("E", "W"), ("S", "N"))
#: The most processors of a chain, and of a side of a square.
LONGEST_CHAIN, LONGEST_SIDE = 64, 8


@dataclass(frozen=True)
class Group(Cube):
    """Processors in a square, or in a chain: `chips` has columns, then rows.

    >>> square, chain = Group.of(4, lanes=3), Group.of(5, lanes=1, chain=True)
    >>> square.size, len(square.copper_links), len(square.edge_ports)
    (16, 72, 48)
    >>> chain.size, chain.copper_links, chain.edge_ports
    (5, ('1.1/E1', '1.2/E1', '1.3/E1', '1.4/E1'), ('1.5/E1', '1.1/W1'))
    """

    lanes: int

    @classmethod
    def of(cls, side: int, *, lanes: int, chain: bool = False) -> "Group":
        """A group by its side, or a chain by its length."""
        sides = (side,) if chain else (side, side)
        return cls(chips=sides, tray=sides, lanes=lanes)

    def __post_init__(self) -> None:
        """A chain is a group too; `Cluster` refuses sizes that there cannot be."""

    @property
    def is_chain(self) -> bool:
        """Whether it has a single row, and so no ports to switches of columns."""
        return self.dimensions == 1

    def indices(self, axis: int) -> tuple[tuple[int, ...], ...]:
        """The rows of the edges W and E, or the columns of N and S."""
        rows = 1 if self.is_chain else self.chips[1 - axis]
        return tuple((at,) for at in range(1, rows + 1))

    def tray_of(self, _chip: tuple[int, ...]) -> int:
        """A group is one device."""
        return 1

    @cached_property
    def copper_links(self) -> tuple[str, ...]:
        """The links inside, named by a processor and its port: `1.1/E1` goes to `1.2/W1`."""
        columns, rows = (*self.chips, 1)[:2]
        return tuple(
            port_name((column, row), Face(axis, 0), lane)
            for axis in range(self.dimensions)
            for row in range(1, rows + 1)
            for column in range(1, columns + 1)
            for lane in range(1, self.lanes + 1)
            if (column, row)[axis] < (columns, rows)[axis]
        )

    def copper_link(self, name: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The two processors that a link joins, each by column and row.

        >>> Group.of(4, lanes=3).copper_link("1.2/S3")
        ((2, 1), (2, 2))
        """
        place, _, port = name.partition("/")
        row, column = map(int, place.split("."))
        step = (1, 0) if port[0] == EDGES[0][0] else (0, 1)
        return (column, row), (column + step[0], row + step[1])

    @cached_property
    def edge_ports(self) -> tuple[str, ...]:
        """The names of its ports to switches: edge by edge, row by row, lane by lane."""
        return tuple(
            port_name(self.chip(face, index), face, lane)
            for face in self.faces
            for index in self.indices(face.axis)
            for lane in range(1, self.lanes + 1)
        )


def port_name(place: tuple[int, ...], face: Face, lane: int) -> str:
    """A port of the processor at a column and row: there its row comes first.

    >>> port_name((4, 1), Face(0, 0), 2)
    '1.4/E2'
    """
    column, row = place
    return f"{row}.{column}/{EDGES[face.axis][face.sign]}{lane}"
