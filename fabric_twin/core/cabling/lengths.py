"""How long cables are, as it is recorded: light loses more in a cable to another building."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

#: Metres by cube port, 0 where nobody says; empty where nobody says it of any.
Lengths = NDArray[np.float64]


def unknown() -> Lengths:
    """No length is recorded."""
    return np.zeros(0)


def lengths_of(cube_ports: int, cables: Iterable[tuple[int, int, str]]) -> Lengths:
    """Lengths of cables by the ports of both of their ends; metres are as a cut sheet has them.

    >>> lengths_of(4, [(0, 9, "12.5"), (8, 2, "1500"), (1, -1, ""), (3, 7, "long")]).tolist()
    [12.5, 0.0, 1500.0, 0.0]
    """
    found = {
        end: metres
        for *ends, text in cables
        if (metres := _metres(text))
        for end in ends
        if 0 <= end < cube_ports
    }
    if not found:
        return unknown()
    lengths = np.zeros(cube_ports)
    lengths[list(found)] = list(found.values())
    return lengths


def _metres(text: str) -> float:
    """A length that can be; 0 for none."""
    try:
        metres = float(text)
    except ValueError:
        return 0.0
    return metres if 0 < metres < np.inf else 0.0
