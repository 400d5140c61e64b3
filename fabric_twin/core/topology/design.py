"""A network of blocks as a design: ports, switches and a wiring rule, as a pod has them.

What a block has at one port number of all switches is a *place*: a strand to side A and one to side
B of each. Places stand to a network as cubes do to a pod, and a block holds some that follow each
other. So the rule is that of a pod, with one axis:

    place 4, A, 2 ---- 4A [ ocs-02 ] 4B ---- place 4, B, 2

and a number of a port hangs on no block but its own: those that come later move none.
"""

import re
from dataclasses import dataclass
from functools import cache, cached_property

from fabric_twin.core.cube import Cube, Face
from fabric_twin.core.design import Design
from fabric_twin.core.kinds import Kind
from fabric_twin.core.rule import CubePorts, SwitchPorts
from fabric_twin.core.topology.network import MOST_SWITCHES, RADIX, USED

_NAME = re.compile(r"network-([1-9]\d{0,2})", re.ASCII)


@dataclass(frozen=True)
class Place(Cube):
    """A strand to each side of every switch: two faces, and no chips."""

    @cached_property
    def faces(self) -> tuple[Face, ...]:
        """To side A, and to side B."""
        return Face(0, 0), Face(0, 1)

    @property
    def dimensions(self) -> int:
        """One: a link joins any place to any other."""
        return 1

    @property
    def size(self) -> int:
        """No chips."""
        return 0

    @cached_property
    def trays(self) -> int:
        """A part of the device of its block."""
        return 1

    @cached_property
    def copper_links(self) -> tuple[str, ...]:
        """None."""
        return ()

    def check_equal_faces(self) -> None:
        """They are."""


class NetworkDesign(Design):
    """Blocks over so many switches."""

    @property
    def kind(self) -> Kind:
        """Not a pod: topologies instead of slices."""
        return Kind.NETWORK


def rule(port: CubePorts) -> SwitchPorts:
    """Port = place, on the switch and the side of the strand."""
    return SwitchPorts(axis=port.axis, number=port.index, side=port.sign, port=port.slot)


@cache
def network_design(switches: int) -> NetworkDesign:
    """The design of a network over so many switches.

    >>> network_design(2).name, network_design(2).cables
    ('network-2', 512)
    """
    return NetworkDesign(
        name=f"network-{switches}",
        title=f"Blocks over {switches} optical switches",
        slots=USED,
        cube=Place(chips=(1, switches), tray=(1, switches)),
        radix=RADIX,
        spares=tuple(range(USED + 1, RADIX + 1)),
        rule=rule,
        assumptions=("half of a block's strands are on side A of each switch, half on side B",),
    )


def network_design_named(name: str) -> NetworkDesign | None:
    """The design of a network by its name; None where it is no such name.

    >>> network_design_named("network-16").name, network_design_named("network-1")
    ('network-16', None)
    """
    match = _NAME.fullmatch(name)
    switches = int(match[1]) if match else 0
    return network_design(switches) if 2 <= switches <= MOST_SWITCHES else None
