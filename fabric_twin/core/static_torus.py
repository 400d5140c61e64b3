"""Units in a grid, each cabled to its neighbours, the last of a row back to the first: no switches.

       X+ ->                 slot = 1 + gx + Gx (gy + Gy gz), counted from 0
   +-- 1 -- 2 -- 3 -- 4 --+  X+ goes to X- of the next unit along X, Y+ to Y- along Y;
Y+ |   |    |    |    |   |  an index never changes.
 | +-- 5 -- 6 -- 7 -- 8 --+
 v     |    |    |    |
"""

import numpy as np

from fabric_twin.core.cube import Cube
from fabric_twin.core.design import Design
from fabric_twin.core.rule import CubePorts, Plant, Rule


def neighbour_rule(grid: tuple[int, ...]) -> Rule:
    """The rule of a grid: one step along the axis, the other sign, the same index."""

    def rule(port: CubePorts) -> CubePorts:
        step = 1 - 2 * port.sign
        at = [
            np.where(port.axis == axis, (place + step) % side, place)
            for axis, (place, side) in enumerate(
                zip(np.unravel_index(port.slot - 1, grid, order="F"), grid, strict=True)
            )
        ]
        return CubePorts(
            slot=(1 + np.ravel_multi_index(at, grid, order="F")).astype(np.int32),
            axis=port.axis,
            sign=1 - port.sign,
            index=port.index,
            lane=port.lane,
        )

    return rule


def static_torus(
    name: str, title: str, grid: tuple[int, ...], cube: Cube, assumptions: tuple[str, ...] = ()
) -> Design:
    """A pod of equal units in a grid."""
    sides = "x".join(map(str, grid))
    return Design(
        name=name,
        title=title,
        slots=int(np.prod(grid)),
        cube=cube,
        plant=Plant.STATIC,
        transceiver="direct cables",
        optical_wraps=True,
        rule=neighbour_rule(grid),
        assumptions=(
            f"units stand in a grid of {sides} slots, X first",
            f"a unit of {'x'.join(map(str, cube.chips))} chips is one rack or half of one",
            "a cable that closes a ring between units is optical, the others are copper",
            *assumptions,
        ),
    )
