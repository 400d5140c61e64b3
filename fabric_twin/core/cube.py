"""The shape of a cube: its faces, the ports on them, and the trays that carry its chips.

chip (x,y,z), each from 1          a face is where one coordinate ends;
                                   the index of a port on it is the others
        Z+
        |   Y+                     chip (4,3,2) on X+  ->  index (3,2)
        |  /                       chip (1,3,2) on X-  ->  index (3,2)
   X- --+-- X+
       /|
     Y- |
        Z-
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import NamedTuple

from fabric_twin.core.errors import DesignRefused

AXES = "XYZ"
SIGNS = "+-"
#: The names of the faces, in the order that holds everywhere.
FACES = tuple(f"{axis}{sign}" for axis in AXES for sign in SIGNS)


class Face(NamedTuple):
    """One side of a cube: an axis (0 is X) and a sign (0 is `+`, where the coordinate is last)."""

    axis: int
    sign: int

    def __str__(self) -> str:
        return f"{AXES[self.axis]}{SIGNS[self.sign]}"


@dataclass(frozen=True)
class Cube:
    """Chips in a box of two or three dimensions, cut into trays.

    >>> ironwood = Cube(chips=(4, 4, 4), tray=(2, 2, 1))
    >>> len(ironwood.faces), len(ironwood.indices(0)), ironwood.trays
    (6, 16, 16)
    """

    chips: tuple[int, ...]
    tray: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse a box that has no faces, or that trays do not fill."""
        if not 2 <= len(self.chips) <= len(AXES) or len(self.tray) != len(self.chips):
            raise DesignRefused(
                f"a cube of {self.chips} chips with trays of {self.tray} has no faces to wire",
                remedy="Give two or three sides for both, such as (4, 4, 4) and (2, 2, 1)",
            )
        if any(side < 1 or side % part for side, part in zip(self.chips, self.tray, strict=True)):
            raise DesignRefused(
                f"trays of {self.tray} chips do not fill a cube of {self.chips}",
                remedy="Make every side of the cube a multiple of the tray's",
            )

    def check_equal_faces(self) -> None:
        """Refuse what is no cube of a pod with switches, where links are counted by face."""
        if len(set(self.chips)) > 1:
            raise DesignRefused(
                f"the faces of a cube of {self.chips} chips differ in size; "
                "only in a static plant may they",
                remedy="Make all sides of the cube equal or the plant static",
            )

    @property
    def dimensions(self) -> int:
        """How many axes the cube has."""
        return len(self.chips)

    @property
    def size(self) -> int:
        """How many chips the cube has."""
        return prod(self.chips)

    @cached_property
    def trays(self) -> int:
        """How many trays the cube has."""
        return self.size // prod(self.tray)

    @cached_property
    def copper_links(self) -> tuple[str, ...]:
        """The links inside the cube, named by a chip and the way each leads.

        >>> Cube((2, 1), (1, 1)).copper_links
        ('1.1/X+',)
        """
        return tuple(
            f"{'.'.join(str(at + 1) for at in place)}/{AXES[axis]}{SIGNS[0]}"
            for axis in range(self.dimensions)
            for place in product(*map(range, self.chips))
            if place[axis] + 1 < self.chips[axis]
        )

    @cached_property
    def faces(self) -> tuple[Face, ...]:
        """X+ X- Y+ Y- Z+ Z-, in this order everywhere."""
        return tuple(Face(axis, sign) for axis in range(self.dimensions) for sign in (0, 1))

    def indices(self, axis: int) -> tuple[tuple[int, ...], ...]:
        """The places on a face: the other coordinates, in axis order."""
        others = [side for other, side in enumerate(self.chips) if other != axis]
        return tuple(product(*(range(1, side + 1) for side in others)))

    def chip(self, face: Face, index: tuple[int, ...]) -> tuple[int, ...]:
        """The chip behind a place on a face.

        >>> Cube((4, 4, 4), (2, 2, 1)).chip(Face(0, 0), (3, 2))
        (4, 3, 2)
        """
        end = self.chips[face.axis] if face.sign == 0 else 1
        return (*index[: face.axis], end, *index[face.axis :])

    def copper_link(self, name: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The two chips that a copper link joins.

        >>> Cube((4, 4, 4), (2, 2, 1)).copper_link("4.1.1/Y+")
        ((4, 1, 1), (4, 2, 1))
        """
        place, _, way = name.partition("/")
        chip = tuple(int(at) for at in place.split("."))
        step, along = 1 - 2 * SIGNS.index(way[1]), AXES.index(way[0])
        return chip, tuple(at + step * (axis == along) for axis, at in enumerate(chip))

    def tray_of(self, chip: tuple[int, ...]) -> int:
        """The tray, from 1, that carries a chip: t = 1 + (hx-1) + 2(hy-1) + 4(z-1) in a pod cube.

        >>> Cube((4, 4, 4), (2, 2, 1)).tray_of((4, 3, 2))
        8
        """
        tray, step = 1, 1
        for at, side, part in zip(chip, self.chips, self.tray, strict=True):
            tray += step * ((at - 1) // part)
            step *= side // part
        return tray


#: 4x4x4 chips on trays of 2x2x1: the cube of every design with switches.
STANDARD_CUBE = Cube(chips=(4, 4, 4), tray=(2, 2, 1))
