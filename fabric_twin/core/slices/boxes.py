"""Slices of a static plant: boxes of its grid, for each unit is cabled to fixed neighbours.

     1 --  2 --  3 --  4 --      8x16 chips are 2x4 units: X has an end at both sides,
     5 --  6 |  7 --  8 --       Y is as long as the pod, so its cables close the ring
     9 -- 10 | 11 -- 12 --
    13 -- 14 | 15 -- 16 --

An axis wraps exactly where its side is the pod's. A box whose sides are powers of two begins at
multiples of its sides, so that boxes pack as powers of two do; others begin where they fit first.
No box lies across the cables that close a ring.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import product
from math import prod

import numpy as np

from fabric_twin.core.cube import AXES
from fabric_twin.core.design import Design
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.kinds import Verb
from fabric_twin.core.pods.grid import unit_grid
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.slices.blocks import Sides

#: How many slots a refusal names.
MOST = 8


def pod_sides(design: Design) -> Sides:
    """The sides of a static pod in chips; none where its cables make no grid."""
    grid = unit_grid(design.layout)
    if grid is None:
        return ()
    return tuple(units * side for units, side in zip(grid.shape, design.cube.chips, strict=True))


def wraps_of(design: Design, sides: Sides) -> tuple[bool, ...]:
    """For each axis of a box: whether cables close it to a ring."""
    return tuple(side == whole for side, whole in zip(sides, pod_sides(design), strict=True))


def farthest(sides: Sides, wraps: Sequence[bool]) -> int:
    """How many hops the two chips are apart that are farthest from each other.

    >>> farthest((8, 16), (False, True))
    15
    """
    return sum(side // 2 if wrap else side - 1 for side, wrap in zip(sides, wraps, strict=True))


def links(sides: Sides, wraps: Sequence[bool]) -> int:
    """How many links join the chips of a box.

    >>> links((8, 16), (False, True))
    240
    """
    return sum(
        prod(sides) // side * (side if wrap else side - 1)
        for side, wrap in zip(sides, wraps, strict=True)
    )


def places(layout: Layout, box: Sides, *, anywhere: bool = False) -> Iterator[tuple[int, ...]]:
    """The units of every box of these sides, in the order of their places; lowest corner first."""
    grid = unit_grid(layout)
    if grid is None or any(side > whole for side, whole in zip(box, grid.shape, strict=True)):
        return
    aligned = not anywhere and all(side & (side - 1) == 0 for side in box)
    begins = (
        range(0, whole - side + 1, side if aligned else 1)
        for side, whole in zip(box, grid.shape, strict=True)
    )
    for corner in sorted(product(*begins), key=lambda corner: int(grid[corner])):
        window = tuple(slice(at, at + side) for at, side in zip(corner, box, strict=True))
        yield tuple(grid[window].ravel().tolist())


def check_anywhere(design: Design, *, anywhere: bool) -> bool:
    """Whether a box may begin anywhere; refused where there are no places to choose from."""
    if anywhere:
        design.check_can(Verb.ANYWHERE)
    return anywhere


def place_box(
    layout: Layout,
    box: Sides,
    usable: AbstractSet[int],
    *,
    anywhere: bool,
    cut: Collection[AbstractSet[int]] = (),
) -> tuple[int, ...] | None:
    """The first box whose units are all usable, and no two of them are joined by a `cut` cable.

    Two units that a cable joins use it exactly where both are in the box: also one that closes a
    ring, for the box that has both its ends is as long as the pod.
    """
    for slots in places(layout, box, anywhere=anywhere):
        if usable >= (units := set(slots)) and not any(ends <= units for ends in cut):
            return slots
    return None


def check_stands(design: Design, box: Sides, slots: tuple[int, ...], where: str) -> None:
    """Refuse a slice of a static plant whose units are no box, each at its place."""
    if design.medium.is_switched or slots in places(design.layout, box, anywhere=True):
        return
    sides = "x".join(map(str, box))
    raise UnusableInput(
        f"slots {', '.join(map(str, slots[:MOST]))}{', ..' * (len(slots) > MOST)} are no box of "
        f"{sides} cubes of this static plant",
        where=where,
        remedy="Name slots that cables join, each at its place, as `slice --json` does",
    )


def largest_boxes(layout: Layout, most: int, fits: Callable[[Sides], object]) -> list[Sides]:
    """The boxes of the most units, at most so many, that have a place; the most compact first."""
    grid = unit_grid(layout)
    if grid is None:
        return []
    boxes = sorted(np.ndindex(grid.shape), key=lambda at: -prod(side + 1 for side in at))
    found: list[Sides] = []
    for at in boxes:
        box = tuple(side + 1 for side in at)
        if found and prod(box) < prod(found[0]):
            break
        if prod(box) <= most and fits(box):
            found.append(box)
    return sorted(found, key=lambda box: (max(box), box))


def shape_in_words(design: Design, sides: Sides) -> str:
    """What a box of whole units is: its rings, its farthest chips, its links and its places."""
    wraps = wraps_of(design, sides)
    rings = [AXES[axis] for axis, wrap in enumerate(wraps) if wrap]
    box = tuple(side // of for side, of in zip(sides, design.cube.chips, strict=True))
    many = sum(1 for _ in places(design.layout, box))
    return (
        f"{'Cables close ' + ' and '.join(rings) if rings else 'No axis closes'}; "
        f"{links(sides, wraps):,} links, the farthest chips {farthest(sides, wraps)} hops apart; "
        f"the pod has {many} such place{'s' * (many != 1)}."
    )
