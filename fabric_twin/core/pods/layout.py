"""Every port of a pod as a number, and what the rule joins.

    0 ................. C ............................ P
    | cube 1 | cube 2 | ... | switch 1 | switch 2 | ... |
      a cube: face by face, index by index, lane by lane
      a switch: 1A 2A .. 1B 2B ..  (split)   or   1 2 3 ..  (paired)

A pod is one maker of a fabric: what the audit needs of it are columns over these numbers. Names are
made at the edges.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.cube import SIGNS, Cube
from fabric_twin.core.errors import DesignRefused
from fabric_twin.core.fabric.columns import NO_PORT, Column
from fabric_twin.core.fabric.fabric import Bundle, Fabric, Key
from fabric_twin.core.fabric.medium import Medium
from fabric_twin.core.pods.wiring import (
    SwitchName,
    cube_port_labels,
    neighbours,
    ports_of_a_cube,
    switch_ports,
    trays_of_ports,
)
from fabric_twin.core.rule import CubePorts, Plant, Rule, SwitchPorts


@dataclass(frozen=True, eq=False)
class Layout:
    """The ports of a pod of one design; all columns are indexed by port unless said otherwise."""

    cube: Cube
    slots: int
    lanes: int
    plant: Plant
    radix: int
    #: (axis, numbers of its name) of every switch.
    switches: tuple[SwitchName, ...]
    #: The other end of the cable that the rule puts here, or NO_PORT.
    mate: Column
    #: Both ends of every cable of the rule; the first end is a cube's and names the cable.
    cable_a: Column
    cable_b: Column
    #: Trays come first (slot by slot), then switches.
    device: Column
    #: The slot of a cube port; 0 for a switch port.
    slot: Column
    #: Neighbours on a panel (a face, a side of a switch) differ by one, other ports by more;
    #: a panel's positions begin at a multiple of the stride.
    position: Column
    stride: int
    spare: NDArray[np.bool_]
    #: Columns over the ports of one cube: axis, sign, index (counted from 0) and lane (from 1).
    axis: Column
    sign: Column
    index: Column
    lane: Column
    #: 2 where each strand of a fibre pair is a cable of its own (see cabling/strand_plant.py).
    strands: int = 1

    @property
    def joins_switches(self) -> bool:
        """Whether cables may begin at switches, and not only at cubes."""
        return False

    def place_of(self, _port: int) -> str:
        """Where a port is, for a layout that says so in words of its own."""
        return ""

    @property
    def medium(self) -> Medium:
        """What joins its cables: its switches, where there are some."""
        return Medium.OPTICAL if self.switches else Medium.NONE

    @cached_property
    def ports_per_cube(self) -> int:
        """How many cables leave one cube."""
        return len(self.axis)

    @cached_property
    def cube_ports(self) -> int:
        """How many of the ports are cubes'; the switches' follow."""
        return self.slots * self.ports_per_cube

    @cached_property
    def ports_per_switch(self) -> int:
        """How many ports one switch has, all sides together."""
        return self.radix * self.plant.sides * self.strands

    def ports_of_switch(self, switch: int) -> range:
        """The numbers of the ports of a switch."""
        first = self.cube_ports + switch * self.ports_per_switch
        return range(first, first + self.ports_per_switch)

    @cached_property
    def port_names(self) -> list[str]:
        """The names of one cube's ports, then of one switch's."""
        cube = cube_port_labels(self.cube, self.lanes)
        if self.strands > 1:
            cube = [f"{port}:{strand}" for port in cube for strand in (1, 2)]
        letters = "AB" if self.plant is Plant.SPLIT or self.strands > 1 else ("",)
        return cube + [f"{n}{side}" for side in letters for n in range(1, self.radix + 1)]

    @cached_property
    def fabric(self) -> Fabric:
        """The pod as a fabric: faces and sides of switches as panels, cubes as units."""
        cubes = np.arange(len(self.mate), dtype=np.int32) < self.cube_ports
        sign = self._everywhere(self.sign)
        of_cube = self._everywhere(self.axis * len(SIGNS) + self.sign)
        face = np.where(cubes, (self.slot - 1) * len(self.cube.faces) + of_cube, -1)
        return Fabric(
            device=self.device,
            unit=self.slot,
            panel=self.position // self.stride,
            position=self.position % self.stride,
            mate=self.mate,
            spare=self.spare,
            # Between two cubes the `+` end is near.
            level=np.where(cubes, sign, len(SIGNS)),
            keys=(
                Key("wrong-axis", "which serves another axis", self._everywhere(self.axis)),
                Key("wrong-index", "which serves another index", self._everywhere(self.index)),
                Key("wrong-lane", "which serves the other lane", self._everywhere(self.lane)),
                Key("wrong-side", "which is for the other sign", sign, of_side=True),
            ),
            bundles=(
                Bundle.whole("cube", "cubes", np.where(cubes, self.slot, -1)),
                Bundle.whole("face", "faces", face),
            ),
        )

    def _everywhere(self, of_a_cube: Column) -> Column:
        """A column over the ports of one cube as one over all ports: -1 for those of switches."""
        switches = np.full(len(self.mate) - self.cube_ports, -1, dtype=np.int32)
        return np.concatenate([np.tile(of_a_cube, self.slots), switches])

    @classmethod
    def build(
        cls,
        *,
        cube: Cube,
        slots: int,
        lanes: int,
        plant: Plant,
        radix: int,
        spares: tuple[int, ...],
        rule: Rule,
    ) -> Self:
        """Ask the rule about every cube port; refuse what no pod could be built from."""
        if slots < 1 or lanes < 1:
            raise DesignRefused(
                f"{slots} slots with {lanes} cables a port leave nothing to wire",
                remedy="Give at least one slot and one cable a port",
            )
        local = ports_of_a_cube(cube, lanes)
        asked = CubePorts(
            slot=np.repeat(np.arange(1, slots + 1, dtype=np.int32), len(local.axis)),
            axis=np.tile(local.axis, slots),
            sign=np.tile(local.sign, slots),
            index=np.tile(local.index, (slots, 1)),
            lane=np.tile(local.lane, slots),
        )
        ends = np.arange(len(asked.slot), dtype=np.int32)
        answer = rule(asked)
        if isinstance(answer, SwitchPorts):
            cube.check_equal_faces()
            switches, far = switch_ports(answer, len(ends), plant, radix, spares)
            per_switch = radix * plant.sides
            mate = np.full(len(ends) + len(switches) * per_switch, NO_PORT, dtype=np.int32)
            mate[ends], mate[far] = far, ends
            cable_a, cable_b = ends, far
        else:
            switches, per_switch = (), 0
            mate = neighbours(asked, answer, cube, lanes, plant)
            # A cable between cubes is named by its + end; where both are alike, by the first.
            first = np.where(asked.sign != asked.sign[mate], asked.sign == 0, ends < mate)
            cable_a, cable_b = ends[first], mate[first]

        on_cube = np.arange(len(local.axis), dtype=np.int32)
        on_switches = np.arange(len(mate) - len(ends), dtype=np.int32)
        face = local.axis * len(SIGNS) + local.sign
        index = (on_cube - np.searchsorted(face, face)) // lanes
        tray = trays_of_ports(cube, lanes)
        # Panels stand one after the other with a gap, so that only neighbours differ by one.
        stride = max(radix, int(index.max()) + 1) + 2
        panel = face * lanes + local.lane - 1
        panels = lanes * len(cube.faces)
        cubes = asked.slot - 1
        return cls(
            cube=cube,
            slots=slots,
            lanes=lanes,
            plant=plant,
            radix=radix,
            switches=switches,
            mate=mate,
            cable_a=cable_a,
            cable_b=cable_b,
            device=_both(
                cubes * cube.trays + np.tile(tray, slots),
                slots * cube.trays + on_switches // max(1, per_switch),
            ),
            slot=_both(asked.slot, np.zeros_like(on_switches)),
            position=_both(
                (cubes * panels + np.tile(panel, slots)) * stride + np.tile(index, slots),
                (slots * panels + on_switches // max(1, radix)) * stride
                + on_switches % max(1, radix),
            ),
            stride=stride,
            spare=_both(np.zeros_like(ends), np.isin(on_switches % max(1, radix) + 1, spares)) == 1,
            axis=local.axis,
            sign=local.sign,
            index=index,
            lane=local.lane,
        )


def _both(cubes: Column, switches: NDArray[Any]) -> Column:
    """A column over the ports of cubes and then of switches."""
    return np.concatenate([cubes, switches]).astype(np.int32)
