"""Two switches that seem to be each other: all cables of the one are on the other, and back.

Light cannot tell whether all the cables were exchanged, or two addresses. Nobody exchanges that
many cables at once.
"""

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.discovery.observed import Observed
from fabric_twin.core.fabric.columns import NO_PORT


def exchanged_switches(intended: Intended, observed: Observed) -> list[tuple[int, int]]:
    """Pairs of switches that each hold most of the other's cables, port for port."""
    layout = intended.names.layout
    cubes = layout.cube_ports
    want, there = intended.want[:cubes], observed.end[:cubes]
    told = np.flatnonzero((want != NO_PORT) & (there >= 0))
    wanted, place = np.divmod(want[told] - cubes, layout.ports_per_switch)
    held, at = np.divmod(there[told] - cubes, layout.ports_per_switch)
    count = len(layout.switches)
    same = place == at
    went = np.bincount(wanted[same] * count + held[same], minlength=count * count)
    whole = np.bincount(wanted, minlength=count)
    most = 2 * went.reshape(count, count) > np.maximum(whole, 1)[:, None]
    one, other = np.nonzero(most & most.T)
    return [pair for pair in zip(one.tolist(), other.tolist(), strict=True) if pair[0] < pair[1]]
