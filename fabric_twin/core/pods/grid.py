"""The grid of a static plant, read from its cables: whose design it is does not matter.

X+ of 1 -> 2 -> 3 -> 4 -> 1,  Y+ of 1 -> 5 -> 9 -> 13 -> 1      a grid of 4x4 units
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.pods.layout import Layout


def _neighbours(layout: Layout) -> list[Column]:
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


@lru_cache(maxsize=32)
def unit_grid(layout: Layout) -> NDArray[np.int32] | None:
    """The slot at every place of the grid; none where the cables make no torus of all units."""
    if layout.switches:
        return None
    after = _neighbours(layout)
    grid = np.array(1, dtype=np.int32)
    for step in after:
        ring = [grid]
        while (ring[-1] > 0).all():
            ring.append(step[ring[-1]])
            if (ring[-1] == grid).all():
                break
            if len(ring) * grid.size > layout.slots:
                return None
        grid = np.stack(ring[:-1], axis=-1)
    closed = all((step[grid] == np.roll(grid, -1, axis)).all() for axis, step in enumerate(after))
    return grid if closed and len(np.unique(grid)) == grid.size == layout.slots else None


def closes_ring(layout: Layout, near: Column, far: Column) -> NDArray[np.bool_]:
    """Which cables, by their `+` ends, lead from the last unit of a row back to the first one."""
    grid = unit_grid(layout)
    if grid is None:
        return np.zeros(len(near), np.bool_)
    is_last = np.zeros((grid.ndim, layout.slots + 1), np.bool_)
    for axis in range(grid.ndim):
        is_last[axis, grid.take(-1, axis).ravel()] = True
    along, slot = layout.axis[near % layout.ports_per_cube], layout.slot
    return np.asarray(is_last[along, slot[near]] & (slot[near] != slot[far]), np.bool_)
