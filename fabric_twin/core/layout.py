"""Every port of a pod as a number, and what the rule joins.

    0 ................. C ............................ P
    | cube 1 | cube 2 | ... | switch 1 | switch 2 | ... |
      a cube: face by face, index by index, lane by lane
      a switch: 1A 2A .. 1B 2B ..  (split)   or   1 2 3 ..  (paired)

Everything the audit needs is a column over these numbers; names are made at the edges.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.cube import Cube
from fabric_twin.core.errors import DesignRefused
from fabric_twin.core.rule import Column, CubePorts, Plant, Rule, SwitchPorts
from fabric_twin.core.wiring import SwitchName, neighbours, ports_of_a_cube, switch_ports

#: What a column of ports holds where there is none. The three never equal each other or a port.
NOT_OF_DESIGN, NOT_KNOWN, NO_PORT = -1, -2, -3


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

    @property
    def ports_per_cube(self) -> int:
        """How many cables leave one cube."""
        return len(self.axis)

    @property
    def cube_ports(self) -> int:
        """How many of the ports are cubes'; the switches' follow."""
        return self.slots * self.ports_per_cube

    @property
    def sides(self) -> str:
        """The letters of a switch's sides: "AB", or "" where a port is both."""
        return "AB" if self.plant is Plant.SPLIT else ""

    @property
    def ports_per_switch(self) -> int:
        """How many ports one switch has, all sides together."""
        return self.radix * max(1, len(self.sides))

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
        per_cube = len(local.axis)
        cube_ports = slots * per_cube
        asked = CubePorts(
            slot=np.repeat(np.arange(1, slots + 1, dtype=np.int32), per_cube),
            axis=np.tile(local.axis, slots),
            sign=np.tile(local.sign, slots),
            index=np.tile(local.index, (slots, 1)),
            lane=np.tile(local.lane, slots),
        )
        answer = rule(asked)
        number = np.arange(per_cube, dtype=np.int32)
        index = (number // lanes) % len(cube.indices(0))
        if isinstance(answer, SwitchPorts):
            if plant is Plant.STATIC:
                raise DesignRefused(
                    "the plant is static, but its rule names switches",
                    remedy="Make the plant split or paired, or let the rule name neighbours",
                )
            switches, far, spare = switch_ports(answer, cube_ports, plant, radix, spares)
            total = cube_ports + len(switches) * radix * (2 if plant is Plant.SPLIT else 1)
            mate = np.full(total, NO_PORT, dtype=np.int32)
            near = np.arange(cube_ports, dtype=np.int32)
            mate[near], mate[far] = far, near
            cable_a, cable_b = near, far
        else:
            if plant is not Plant.STATIC:
                raise DesignRefused(
                    f"the plant is {plant.value}, but its rule names neighbours and no switch",
                    remedy="Make the plant static, or let the rule name switch ports",
                )
            switches, spare = (), np.zeros(cube_ports, dtype=np.bool_)
            mate = neighbours(answer, cube, slots, lanes)
            # A cable between cubes is named by its + end; where both are alike, by the first.
            ends = np.arange(cube_ports, dtype=np.int32)
            first = np.where(asked.sign != asked.sign[mate], asked.sign == 0, ends < mate)
            cable_a, cable_b = ends[first], mate[first]

        trays = np.array(
            [
                cube.tray_of(cube.chip(face, place)) - 1
                for face in cube.faces
                for place in cube.indices(face.axis)
                for _ in range(lanes)
            ],
            dtype=np.int32,
        )
        per_switch = radix * (2 if plant is Plant.SPLIT else 1)
        on_switches = np.arange(len(mate) - cube_ports, dtype=np.int32)
        switch = on_switches // max(1, per_switch)
        panel = on_switches // max(1, radix)
        # Panels stand one after the other with a gap, so that only neighbours differ by one.
        stride = max(radix, len(cube.indices(0))) + 2
        face_panel = np.tile(
            number // (lanes * len(cube.indices(0))) * lanes + local.lane - 1, slots
        )
        face_panel += (
            np.repeat(np.arange(slots, dtype=np.int32), per_cube) * lanes * len(cube.faces)
        )
        panels = slots * lanes * len(cube.faces)
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
            device=np.concatenate(
                [(asked.slot - 1) * cube.trays + np.tile(trays, slots), slots * cube.trays + switch]
            ).astype(np.int32),
            slot=np.concatenate([asked.slot, np.zeros_like(on_switches)]),
            position=np.concatenate(
                [
                    face_panel * stride + np.tile(index, slots),
                    (panels + panel) * stride + on_switches % max(1, radix),
                ]
            ).astype(np.int32),
            stride=stride,
            spare=spare,
            axis=local.axis,
            sign=local.sign,
            index=index,
            lane=local.lane,
        )
