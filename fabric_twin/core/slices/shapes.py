"""Shapes of slices: which there are, which can be twisted, and which fit into so many cubes."""

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import islice
from math import prod
from typing import NamedTuple

from fabric_twin.core.cube import Cube
from fabric_twin.core.design import Design
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.kinds import Verb, why_not
from fabric_twin.core.slices.blocks import Sides, blocks_of
from fabric_twin.core.slices.boxes import pod_sides

_SHAPE = re.compile(r"[0-9]{1,4}(?:x[0-9]{1,4}){1,2}")
#: How many shapes a refusal names.
NAMED = 4


class Shape(NamedTuple):
    """The sides of a slice in chips.

    >>> str(Shape((8, 8, 16), twisted=True)), Shape((8, 8, 16)).chips
    ('8x8x16 twisted', 1024)
    """

    sides: Sides
    twisted: bool = False

    def __str__(self) -> str:
        return self.text + (" twisted" if self.twisted else "")

    @property
    def text(self) -> str:
        """The sides as people write them."""
        return "x".join(map(str, self.sides))

    @property
    def chips(self) -> int:
        """How many chips the slice has."""
        return prod(self.sides)

    def grid(self, cube: Cube) -> Sides:
        """The sides in cubes; nothing for a part of one cube."""
        return _grid(self.sides, cube.chips)

    def cubes(self, cube: Cube) -> int:
        """How many whole cubes the slice takes; 0 under a cube."""
        grid = self.grid(cube)
        return prod(grid) if grid else 0


@lru_cache(maxsize=4096)
def _grid(sides: Sides, cube: Sides) -> Sides:
    if any(side % part for side, part in zip(sides, cube, strict=True)):
        return ()
    return tuple(side // part for side, part in zip(sides, cube, strict=True))


def parse_shape(text: str, design: Design, *, twisted: bool = False, where: str = "shape") -> Shape:
    """Read a shape of a design, whether or not it can be."""
    dimensions = design.cube.dimensions
    sides = tuple(map(int, text.split("x"))) if _SHAPE.fullmatch(text) else ()
    if len(sides) != dimensions or 0 in sides:
        example = "x".join(str(2 * side) for side in design.cube.chips)
        raise UnusableInput(
            f"{text[:40]!r} is not a shape",
            where=where,
            remedy=f"Write {dimensions} sides in chips, such as {example}",
        )
    return Shape(sides, twisted)


def twist(grid: Sides) -> dict[int, tuple[int, ...]]:
    """Which axes a twisted torus shifts as it closes them, and by how many cubes along each axis.

    n x n x 2n: both short axes shift along the long one. n x 2n x 2n: the short axis shifts along
    both long ones. Always by half the long side, so n cubes; `{}` where no twist is defined.

    >>> twist((1, 1, 2)), twist((4, 2, 4)), twist((2, 2, 3))
    ({0: (0, 0, 1), 1: (0, 0, 1)}, {1: (2, 0, 2)}, {})
    """
    short, long = min(grid, default=0), max(grid, default=0)
    if len(grid) != 3 or long != 2 * short or set(grid) != {short, long}:
        return {}
    shift = tuple(short if side == long else 0 for side in grid)
    return {axis: shift for axis, side in enumerate(grid) if side == short}


def check_shape(design: Design, shape: Shape) -> None:
    """Refuse a shape that no pod of this design can have, whatever is free."""
    grid = shape.grid(design.cube)
    if not grid and blocks_of(design.cube).box_of(shape.sides) is None:
        chips = design.cube.chips
        each = f"every side a multiple of {chips[0]}"
        if len(set(chips)) > 1:
            each = f"the sides multiples of {Shape(chips).text} in this order"
        parts = ", ".join(under_a_cube(design.cube))
        raise NotPossible(
            f"{shape.text} is neither whole cubes nor a part of one",
            where=f"shape of {design.name}",
            remedy=f"Make {each}" + f", or take one of {parts} in any order of axes" * bool(parts),
        )
    if shape.twisted and (no := why_not(design.kind, Verb.TWIST)):
        raise NotPossible(
            f"{shape.text} cannot be twisted: {no.why}",
            where=f"shape of {design.name}",
            remedy=no.remedy,
        )
    if shape.twisted and not twist(grid):
        raise NotPossible(
            f"{shape.text} cannot be twisted",
            where=f"shape of {design.name}",
            remedy="Twisted are n x n x 2n and n x 2n x 2n of whole cubes in any order of axes, "
            "such as 4x4x8 and 4x8x8",
        )
    _check_box(design, shape, grid)
    if (need := shape.cubes(design.cube)) > design.slots:
        raise NotPossible(
            f"{shape.text} takes {need} cubes and the pod has {design.slots} slots",
            where=f"shape of {design.name}",
            remedy=f"The largest shapes are {', '.join(largest_shapes(design.cube, design.slots))}",
        )


def _check_box(design: Design, shape: Shape, grid: Sides) -> None:
    """Refuse what is no box of a static plant."""
    if not grid or design.medium.is_switched:
        return
    whole = pod_sides(design)
    if not whole:
        raise NotPossible(
            "the cables of this static plant make no grid of its cubes, so there are no boxes",
            where=f"shape of {design.name}",
            remedy=f"Take one of {', '.join(under_a_cube(design.cube))}",
        )
    if any(side > most for side, most in zip(shape.sides, whole, strict=True)):
        raise NotPossible(
            f"{shape.text} is no box of a pod of {Shape(whole).text} chips",
            where=f"shape of {design.name}",
            remedy="Make no side longer than the pod's; X comes first",
        )


def warning(design: Design, shape: Shape) -> str:
    """What to know of a shape that can be, or nothing."""
    if design.largest_offer and shape.chips > design.largest_offer:
        return (
            f"{shape.text} has {shape.chips:,} chips; slices of {design.name} are offered up to "
            f"{design.largest_offer:,} chips today"
        )
    return ""


def under_a_cube(cube: Cube) -> list[str]:
    """The shapes of parts of a cube, smallest first.

    >>> from fabric_twin.core.cube import STANDARD_CUBE
    >>> under_a_cube(STANDARD_CUBE)
    ['1x1x1', '1x1x2', '1x2x2', '2x2x2', '2x2x4', '2x4x4']
    """
    return [Shape(tuple(sorted(box))).text for box in blocks_of(cube).boxes[:0:-1]]


@cache
def largest_shapes(cube: Cube, cubes: int) -> tuple[str, ...]:
    """The largest shapes that so many cubes can make, from the largest to the most compact.

    Each one is the largest whose longest side is no longer than its own.

    >>> from fabric_twin.core.cube import STANDARD_CUBE
    >>> largest_shapes(STANDARD_CUBE, 12)
    ('8x8x12', '8x8x8', '4x4x4')
    >>> largest_shapes(STANDARD_CUBE, 11)
    ('4x4x44', '4x8x20', '4x12x12', '8x8x8')
    """
    return largest_shapes_that(cube, cubes, lambda _shape: True)


def largest_shapes_that(cube: Cube, cubes: int, fits: Callable[[Shape], bool]) -> tuple[str, ...]:
    """The same, of the shapes that fit where not every shape of so many cubes does."""
    return tuple(islice(_fronts(cube, cubes, fits), NAMED))


def _fronts(cube: Cube, cubes: int, fits: Callable[[Shape], bool]) -> Iterator[str]:
    longest = cubes + 1
    for count in range(cubes, 0, -1):
        for grid in sorted(_grids(count, cube.dimensions), key=max):
            if max(grid) >= longest:
                break
            shape = Shape(tuple(side * of for side, of in zip(grid, cube.chips, strict=True)))
            if fits(shape):
                longest = max(grid)
                yield shape.text
                break


def _grids(count: int, dimensions: int, least: int = 1) -> Iterator[Sides]:
    """All ways to lay so many cubes, sides in rising order."""
    if dimensions == 1:
        yield (count,)
        return
    for side in range(least, count + 1):
        if side**dimensions > count:
            return
        if count % side == 0:
            for rest in _grids(count // side, dimensions - 1, side):
                yield (side, *rest)
