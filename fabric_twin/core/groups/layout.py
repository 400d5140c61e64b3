"""Every port of a cluster as a number, and what the rule joins: groups, tier 0, then tier 1.

A group has what a cube has in a pod, so ports are numbered alike (`pods/layout.py`). The keys of
its fabric are its own: a cable keeps to its dimension, its tier, its plane and its edge.
"""

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.cube import SIGNS
from fabric_twin.core.fabric.columns import NO_PORT, Column
from fabric_twin.core.fabric.fabric import Bundle, Fabric, Key
from fabric_twin.core.fabric.medium import Medium
from fabric_twin.core.groups.cluster import CROSS, RADIX, Cluster
from fabric_twin.core.groups.labels import group_label, switch_label
from fabric_twin.core.groups.wiring import (
    between_switches,
    group_rule,
    numbers_of,
    tier_1_switches,
)
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.rule import Plant


@dataclass(frozen=True, eq=False)
class GroupFabric(Fabric):
    """A fabric whose switches are joined to each other, and have ports that nothing needs."""

    @cached_property
    def switches(self) -> Bundle:
        """The switches, by the cables that the rule puts there; a single one is no bundle."""
        of = np.where(self.unit == 0, self.device, -1)
        there = (of >= 0) & (self.mate != NO_PORT)
        size = np.bincount(of[there], minlength=int(self.device.max()) + 1)
        return Bundle("switch", "switches", of, np.where(size == 1, 2, size))


@dataclass(frozen=True, eq=False)
class GroupLayout(Layout):
    """The ports of a cluster; a group stands for a cube."""

    cluster: Cluster = field(kw_only=True)

    @classmethod
    def of(cls, cluster: Cluster) -> "GroupLayout":
        """Lay out groups over tier 0 as cubes over switches, then add what joins switches."""
        base = Layout.build(
            cube=cluster.group,
            slots=cluster.groups,
            lanes=cluster.group.lanes,
            plant=Plant.PACKET,
            radix=RADIX,
            spares=(),
            rule=group_rule(cluster),
        )
        more = tier_1_switches(cluster)
        added = np.arange(len(more) * RADIX, dtype=np.int32)
        mate = _and(base.mate, np.full_like(added, NO_PORT))
        joins = [
            (numbers_of(base.cube_ports, near), numbers_of(base.cube_ports, far))
            for near, far in between_switches(cluster)
        ]
        for near, far in joins:
            mate[near], mate[far] = far, near
        panel = int(base.position[-1]) // base.stride + 1 + added // RADIX
        longer = {
            "switches": (*base.switches, *more),
            "mate": mate,
            "cable_a": _and(base.cable_a, *(near for near, _ in joins)),
            "cable_b": _and(base.cable_b, *(far for _, far in joins)),
            "device": _and(base.device, int(base.device[-1]) + 1 + added // RADIX),
            "slot": _and(base.slot, np.zeros_like(added)),
            "position": _and(base.position, panel * base.stride + added % RADIX),
            "spare": np.concatenate([base.spare, np.zeros(len(added), np.bool_)]),
        }
        same = {known.name: getattr(base, known.name) for known in fields(Layout)}
        return cls(**(same | longer), cluster=cluster)

    @property
    def joins_switches(self) -> bool:
        """Uplinks and cross links begin at switches."""
        return True

    def place_of(self, port: int) -> str:
        """Where a port is, whatever its owner calls it.

        >>> from fabric_twin.core.designs import find_design
        >>> layout = find_design("groups-a").layout
        >>> layout.place_of(0), layout.place_of(layout.cube_ports + 48)
        ('1.4/E1 of group r01c01', 'port 49 of row-01-1-1')
        """
        if port >= self.cube_ports:
            switch, at = divmod(port - self.cube_ports, RADIX)
            return f"port {at + 1} of {switch_label(self.switches[switch])}"
        group, at = divmod(port, self.ports_per_cube)
        return f"{self.port_names[at]} of group {group_label(group, self.cluster.columns)}"

    @property
    def medium(self) -> Medium:
        """Packet switches."""
        return Medium.PACKET

    @cached_property
    def grid(self) -> NDArray[np.int32]:
        """The slot at each column and row of groups."""
        slots = np.arange(1, self.slots + 1, dtype=np.int32)
        return slots.reshape(self.cluster.rows, self.cluster.columns).T

    @cached_property
    def port_names(self) -> list[str]:
        """The names of one group's ports, then of one switch's."""
        return [*self.cluster.group.edge_ports, *map(str, range(1, RADIX + 1))]

    @cached_property
    def fabric(self) -> Fabric:
        """The cluster as a fabric: edges and switches as panels, groups as units."""
        groups = np.arange(len(self.mate)) < self.cube_ports
        edge = self._everywhere(self.axis * len(SIGNS) + self.sign)
        edge = np.where(groups, (self.slot - 1) * len(self.cube.faces) + edge, -1)
        bundles = [Bundle.whole("group", "groups", np.where(groups, self.slot, -1))]
        if not self.cluster.group.is_chain:
            bundles.append(Bundle.whole("edge", "edges", edge))
        if self.cluster.uplinks > 1:
            trunk = np.where(self._is_uplink, self.device, -1)
            bundles.append(Bundle.whole("trunk", "trunks", trunk.astype(np.int32)))
        axis, tier, index, lane, side = self._switch_columns
        return GroupFabric(
            device=self.device,
            unit=self.slot,
            panel=self.position // self.stride,
            position=self.position % self.stride,
            mate=self.mate,
            spare=self.spare,
            level=_and(np.zeros(self.cube_ports), self._level),
            keys=(
                Key("wrong-axis", "which serves the other dimension", self._with(self.axis, axis)),
                Key(
                    "wrong-tier",
                    "which is for cables of another tier",
                    self._with(np.zeros_like(self.axis), tier),
                ),
                Key(
                    "wrong-index",
                    "which serves another row or column of processors",
                    self._with(self.index + 1, index),
                ),
                Key("crossed-lane", "which serves another lane", self._with(self.lane, lane)),
                Key("wrong-side", "which is for the other edge", self._with(self.sign, side)),
            ),
            bundles=tuple(bundles),
        )

    def _with(self, of_a_group: Column, of_switches: NDArray[Any]) -> Column:
        return _and(np.tile(of_a_group, self.slots), of_switches)

    @cached_property
    def _port(self) -> Column:
        """By port of a switch: its number there, from 1."""
        return np.tile(np.arange(1, RADIX + 1, dtype=np.int32), len(self.switches))

    @cached_property
    def _level(self) -> NDArray[Any]:
        """By port of a switch: 1 on tier 0, 2 on tier 1."""
        return np.repeat([1 + numbers[0] for _, numbers in self.switches], RADIX)

    @cached_property
    def _is_uplink(self) -> NDArray[np.bool_]:
        """The ports of tier 0 that go to tier 1."""
        up = self._port - self.cluster.first_up
        is_up = (self._level == 1) & (up > 0) & (up <= self.cluster.uplinks)
        return np.concatenate([np.zeros(self.cube_ports, np.bool_), is_up])

    @cached_property
    def _switch_columns(self) -> tuple[NDArray[Any], ...]:
        """By port of a switch: dimension, tier of its cable, row or column, lane and edge."""
        rows = [
            (axis, *(numbers[1:3] if numbers[0] else numbers[2:4]))
            for axis, numbers in self.switches
        ]
        axis, index, lane = (np.repeat(column, RADIX) for column in zip(*rows, strict=True))
        down = (self._level == 1) & (self._port <= self.cluster.first_up)
        crosses = (self._level == 1) & (self._port > RADIX - CROSS) & self.cluster.cross_links
        tier = np.where(down, 0, np.where(crosses, 2, 1))
        # A cross link is of both dimensions. Odd ports are for W and N: those of the sign `-`.
        return np.where(crosses, -1, axis), tier, index, lane, np.where(down, self._port % 2, -1)


def _and(*columns: NDArray[Any]) -> Column:
    return np.concatenate(columns).astype(np.int32)
