"""The cables of a cluster: those of groups, uplinks to tier 1, and cross links.

group (R,C)  W i,p -- port 2C-1 of row-R-i-p       N j,p -- port 2R-1 of col-C-j-p
             E i,p -- port 2C                      S j,p -- port 2R
form a       uplink u of tier-0 switch q, port 48+u -- port q of tier-1 switch u
form b                                              -- port 2(q-1) + 1 + (u-1) mod 2
                                                       of tier-1 switch (u+1) div 2
cross links  port 63 of row-R-i-p -- port 63 of col-R-i-p
             port 64              -- port 64 of the next column's, the last one's of column 1's
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.groups.cluster import CROSS, RADIX, Cluster, Joined
from fabric_twin.core.pods.wiring import SwitchName
from fabric_twin.core.rule import CubePorts, Rule, SwitchPorts

#: A switch by number and a port of it, from 1: many of them.
Ports = tuple[NDArray[np.intp], NDArray[np.intp]]


class Cables(NamedTuple):
    """Cables between switches, by both their ends."""

    near: Ports
    far: Ports


def group_rule(cluster: Cluster) -> Rule:
    """Where the edge ports of groups go: to tier 0."""

    def rule(port: CubePorts) -> SwitchPorts:
        row, column = np.divmod(port.slot - 1, cluster.columns)
        along_row = port.axis == 0
        tier_0 = np.zeros_like(port.slot)
        serves = np.where(along_row, row, column) + 1
        place = np.where(along_row, column, row) + 1
        return SwitchPorts(
            axis=port.axis,
            number=np.column_stack([tier_0, serves, port.index[:, 0], port.lane]),
            side=np.zeros_like(port.slot),
            port=(2 * place - port.sign).astype(np.int32),
        )

    return rule


def tier_1_switches(cluster: Cluster) -> list[SwitchName]:
    """The names of tier-1 switches, in the order of their numbers: they follow all of tier 0."""
    rows, lanes = len(cluster.group.indices(0)), cluster.group.lanes
    return [
        (axis, (1, row, lane, number))
        for axis in range(cluster.dimensions)
        for row in range(1, rows + 1)
        for lane in range(1, lanes + 1)
        for number in range(1, cluster.tier_1 + 1)
    ]


def between_switches(cluster: Cluster) -> list[Cables]:
    """The cables that join switches: plane by plane, then across."""
    found: list[Cables] = []
    for axis in range(cluster.dimensions):
        if cluster.joined is Joined.EACH_OTHER:
            found.append(_each_other(cluster, axis))
        elif cluster.tier_1:
            found.append(_uplinks(cluster, axis))
    return [*found, _cross_links(cluster)] if cluster.cross_links else found


def _tier_0(cluster: Cluster, axis: int) -> int:
    """The number of the first tier-0 switch of a dimension."""
    return axis * cluster.rows * cluster.planes


def _uplinks(cluster: Cluster, axis: int) -> Cables:
    many = (cluster.tier_0(axis), cluster.planes, cluster.uplinks)
    switch, plane, uplink = (column.ravel() for column in np.indices(many))
    near = _tier_0(cluster, axis) + switch * cluster.planes + plane, cluster.first_up + 1 + uplink
    # In form b a pair of uplinks follows each other on a switch.
    pair = 2 if cluster.joined is Joined.EIGHT else 1
    tier_0 = sum(cluster.tier_0(which) for which in range(cluster.dimensions)) * cluster.planes
    first = tier_0 + axis * cluster.planes * cluster.tier_1
    far = first + plane * cluster.tier_1 + uplink // pair, pair * switch + 1 + uplink % pair
    return Cables(near, far)


def _each_other(cluster: Cluster, axis: int) -> Cables:
    """Ports to the others, in the order of their numbers."""
    one, other = np.triu_indices(cluster.tier_0(axis), 1)
    plane = np.repeat(np.arange(cluster.planes), len(one))
    one, other = np.tile(one, cluster.planes), np.tile(other, cluster.planes)
    first, up = _tier_0(cluster, axis), cluster.first_up + 1
    near = first + one * cluster.planes + plane, up + other - 1
    return Cables(near, (first + other * cluster.planes + plane, up + one))


def _cross_links(cluster: Cluster) -> Cables:
    row, plane, turn = (
        column.ravel() for column in np.indices((cluster.rows, cluster.planes, CROSS))
    )
    column = (row + turn) % cluster.columns
    port = RADIX - CROSS + 1 + turn
    near = row * cluster.planes + plane
    return Cables((near, port), (_tier_0(cluster, 1) + column * cluster.planes + plane, port))


def numbers_of(first: int, ports: Ports) -> Column:
    """Number ports of switches; `first` is the first port of the first switch."""
    switch, port = ports
    return (first + switch * RADIX + port - 1).astype(np.int32)
