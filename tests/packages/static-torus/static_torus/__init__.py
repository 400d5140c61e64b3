"""A static 2D torus of TPU v2: 4x4 cubes of 4x4 chips, cabled cube to cube, no switches.

       X+ ->                 slot = 1 + column + 4 * row
   +-- 1 -- 2 -- 3 -- 4 --+  X+ goes to X- of the next column, Y+ to Y- of the next row,
Y+ |   |    |    |    |   |  the last back to the first; an index never changes.
 | +-- 5 -- 6 -- 7 -- 8 --+
 v     |    |    |    |
"""

import numpy as np

from fabric_twin.core.cube import Cube
from fabric_twin.core.design import Design
from fabric_twin.core.rule import CubePorts, Plant

SIDE = 4


def rule(port: CubePorts) -> CubePorts:
    """Name the neighbour: one step along the axis, the other sign, the same index."""
    step = 1 - 2 * port.sign
    row, column = np.divmod(port.slot - 1, SIDE)
    column = np.where(port.axis == 0, (column + step) % SIDE, column)
    row = np.where(port.axis == 1, (row + step) % SIDE, row)
    return CubePorts(
        slot=1 + column + SIDE * row,
        axis=port.axis,
        sign=1 - port.sign,
        index=port.index,
        lane=port.lane,
    )


DESIGN = Design(
    name="tpu-v2-static",
    title="TPU v2, a static 2D torus",
    slots=SIDE * SIDE,
    cube=Cube(chips=(4, 4), tray=(2, 2)),
    plant=Plant.STATIC,
    transceiver="direct cables",
    rule=rule,
    assumptions=("cubes stand in a grid of 4x4 slots, row by row",),
)
