"""What the cables of a static plant are made of: copper to a neighbour, optical to close a ring."""

from enum import StrEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.design import Design
from fabric_twin.core.pods.grid import closes_ring


class CableKind(StrEnum):
    """What a cable is made of, where its design tells its cables apart."""

    COPPER = "copper"
    OPTICAL = "optical"


@lru_cache(maxsize=32)
def _optical(design: Design) -> NDArray[np.bool_]:
    """By port of a cube: whether the cable of the rule is optical."""
    layout = design.layout
    optical = np.zeros(layout.cube_ports, np.bool_)
    closing = closes_ring(layout, layout.cable_a, layout.cable_b)
    optical[layout.cable_a[closing]] = optical[layout.cable_b[closing]] = True
    return optical


def cable_kind(design: Design, *ends: int) -> CableKind | None:
    """What the cable is made of that the rule puts into the first of some ports that is known.

    None where the design does not tell its cables apart; a port below 0 is not known.
    """
    if not design.optical_wraps:
        return None
    port = next((end for end in ends if 0 <= end < design.layout.cube_ports), -1)
    return CableKind.OPTICAL if port >= 0 and _optical(design)[port] else CableKind.COPPER
