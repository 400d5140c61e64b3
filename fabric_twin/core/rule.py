"""What a wiring rule is asked and what it answers: ports as columns, never one by one.

A rule is asked about cube ports, all at once, and answers with what each one's cable goes to:
a switch port, or the port of a neighbouring cube in a fabric that has no switches.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from fabric_twin.core.fabric.columns import Column


@dataclass(frozen=True, eq=False)
class CubePorts:
    """Optical ports of cubes, as columns; all counted from 1 but axis and sign (see `Face`)."""

    slot: Column
    axis: Column
    sign: Column
    #: One row per port: the coordinates other than the axis.
    index: Column
    #: Which cable of the port, where it has several.
    lane: Column


@dataclass(frozen=True, eq=False)
class SwitchPorts:
    """Ports of switches, as columns."""

    axis: Column
    #: One row per port: the numbers in the switch's name; (3, 2) is `ocs-x-3-2` on axis X.
    number: Column
    #: 0 is A, 1 is B; always 0 in a paired plant, where a port is both.
    side: Column
    #: From 1 to the radix.
    port: Column


Rule = Callable[[CubePorts], SwitchPorts | CubePorts]


class Plant(Enum):
    """How cables meet switches."""

    #: One strand a cable: `+` on the A side, `-` on the B side; ports `7A` and `7B`.
    SPLIT = "split"
    #: A fibre pair a cable, on a duplex port `7` that is 7A and 7B together.
    PAIRED = "paired"
    #: No switches: a cable joins two cubes.
    STATIC = "static"
    #: A full-duplex cable on a port of a packet switch, from a group or from another switch.
    PACKET = "packet"
    #: No cables: waveguides on a chip, in rings.
    RING = "ring"

    @property
    def sides(self) -> int:
        """How many sides of a switch take cables of their own."""
        return {Plant.SPLIT: 2, Plant.PAIRED: 1, Plant.PACKET: 1}.get(self, 0)
