"""The torus of a slice as it follows from the order of its cubes alone.

Along each axis every cube is joined to the next one, the last to the first. A twisted torus
shifts along its long axes where it closes a short one (here 4x4x8: one cube wide, two long):

    plain                   twisted
    +-> 1 -> 2 -+   Z       +-> 1 -> 2 -+   Z
    +-----------+           +-----------+
    1 -> 1, 2 -> 2  X, Y    1 -> 2, 2 -> 1  X, Y    shifted by one cube, half of the long side
"""

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.slices.blocks import Sides
from fabric_twin.core.slices.shapes import twist


def next_cubes(order: NDArray[np.int32], *, twisted: bool) -> list[NDArray[np.int32]]:
    """For each axis: what each cube's `+` faces, in the same places as the cubes in `order`."""
    shifts = twist(order.shape) if twisted else {}
    after = []
    for axis in range(order.ndim):
        step = np.roll(order, -1, axis)
        if axis in shifts:
            last = tuple(slice(-1, None) if a == axis else slice(None) for a in range(order.ndim))
            step[last] = np.roll(step[last], [-s for s in shifts[axis]], range(order.ndim))
        after.append(step)
    return after


def rings_of(grid: Sides, *, twisted: bool) -> list[list[int]]:
    """For each axis, the place that follows each place of a grid of cubes.

    >>> rings_of((1, 1, 2), twisted=False)
    [[0, 1], [0, 1], [1, 0]]
    """
    order = np.arange(prod(grid), dtype=np.int32).reshape(grid)
    return [after.ravel().tolist() for after in next_cubes(order, twisted=twisted)]


def backwards(ring: Sequence[int]) -> list[int]:
    """The place before each place, from the place after each.

    >>> backwards([1, 2, 0])
    [2, 0, 1]
    """
    before = [0] * len(ring)
    for place, after in enumerate(ring):
        before[after] = place
    return before
