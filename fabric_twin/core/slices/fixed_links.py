"""The cables that join the cubes of a slice of a static plant."""

from collections.abc import Iterator

import numpy as np

from fabric_twin.core.design import Design
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.pods.grid import unit_grid
from fabric_twin.core.slices.slice import Slice


def cables_of(design: Design, made: Slice) -> Iterator[tuple[int, Column, Column]]:
    """The cables that join the units of a box, axis by axis: the ports of `+` and of `-`.

    A row for each two neighbours, a column for each cable between them.
    """
    layout, grid = design.layout, made.shape.grid(design.cube)
    whole = unit_grid(layout)
    if made.chips or not grid or whole is None:
        return
    order = np.array(made.slots, np.int32).reshape(grid)
    for axis in range(order.ndim):
        closed = order.shape[axis] == whole.shape[axis]
        near = order if closed else np.delete(order, -1, axis)
        plus = np.flatnonzero((layout.axis == axis) & (layout.sign == 0))
        ports = (near.ravel()[:, None] - 1) * layout.ports_per_cube + plus
        yield axis, ports, layout.mate[ports]
