"""Slices of a static plant: cables join each cube to fixed neighbours, so cubes are not free.

Only where the cables themselves close every ring of the shape is its torus there.

    1 -> 2 -> 3 -> 4 -> 1      four cubes along X: a ring; two of them: no ring, and no slice
"""

from collections.abc import Set as AbstractSet
from itertools import product

import numpy as np

from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.slices.blocks import Sides


def neighbour_slots(layout: Layout) -> list[Column]:
    """For each axis the slot that every slot's `+` is cabled to; 0 where its cables disagree."""
    ends = []
    for axis in range(layout.cube.dimensions):
        plus, minus = (np.flatnonzero((layout.axis == axis) & (layout.sign == s)) for s in (0, 1))
        first = np.arange(layout.slots)[:, None] * layout.ports_per_cube
        far = layout.mate[first + plus]
        slot = layout.slot[far]
        alike = (far % layout.ports_per_cube == minus).all(axis=1) & (slot == slot[:, :1]).all(1)
        ends.append(np.concatenate([[0], np.where(alike, slot[:, 0], 0)]).astype(np.int32))
    return ends


def cabled_cubes(layout: Layout, grid: Sides, usable: AbstractSet[int]) -> tuple[int, ...] | None:
    """The first cubes whose cables make the torus of this grid, in the order of their places."""
    after = [column.tolist() for column in neighbour_slots(layout)]
    places = list(product(*map(range, grid)))
    for origin in sorted(usable):
        slots: dict[tuple[int, ...], int] = {}
        for place in places:
            axis = next((a for a, at in enumerate(place) if at), None)
            before = place if axis is None else _moved(place, axis, grid, -1)
            slots[place] = origin if axis is None else after[axis][slots[before]]
        if (
            set(slots.values()) <= usable
            and len(set(slots.values())) == len(places)
            and all(
                after[axis][slots[place]] == slots[_moved(place, axis, grid, 1)]
                for place in places
                for axis in range(len(grid))
            )
        ):
            return tuple(slots.values())
    return None


def _moved(place: Sides, axis: int, grid: Sides, step: int) -> Sides:
    return tuple((at + step) % grid[a] if a == axis else at for a, at in enumerate(place))
