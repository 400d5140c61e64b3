"""Where a strand can be plugged, as numbers: first every strand of every cube port, then every
simplex port of every switch. Packet switches are no optical ones: each port of a cluster, of a
group or of a switch, is one point.

    0 ................. C*S .............................. P
    | cube 1 | cube 2 | ... | switch 1: 1A 2A .. 1B 2B .. | switch 2 | ...
      4.3.2/X+:1 4.3.2/X+:2     (S = 2, a paired plant; S = 1 where a cable is one strand)
"""

from dataclasses import dataclass
from functools import cached_property

from fabric_twin.core.cabling.strand_plant import duplex_of, strand_of
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.fabric.medium import Medium
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.pods.names import Names
from fabric_twin.core.rule import Plant

#: What a column of points or ports holds where nothing is plugged in.
NOWHERE = -1


@dataclass(frozen=True, eq=False)
class Points:
    """The points of one pod, and what they are called."""

    names: Names

    @property
    def layout(self) -> Layout:
        """The pod's ports."""
        return self.names.layout

    @property
    def is_packet(self) -> bool:
        """Whether switches forward packets, and every device speaks OpenConfig."""
        return self.layout.medium is Medium.PACKET

    @property
    def strands(self) -> int:
        """Strands of a cable."""
        return 2 if self.layout.plant is Plant.PAIRED else 1

    @property
    def of_cubes(self) -> int:
        """How many points are no optical switch's."""
        ports = len(self.layout.mate) if self.is_packet else self.layout.cube_ports
        return ports * self.strands

    @property
    def per_switch(self) -> int:
        """Simplex ports of one switch."""
        return 2 * self.layout.radix

    @property
    def switches(self) -> int:
        """How many optical switches the pod has."""
        return len(self.switch_numbers)

    def __len__(self) -> int:
        """How many points the pod has."""
        return self.of_cubes + self.switches * self.per_switch

    def of(self, ports: Column, strand: int) -> Column:
        """The point of one strand of some ports."""
        return ports if self.strands == 1 else strand_of(self.layout, ports, strand)

    def port_of(self, points: Column) -> Column:
        """The port that some points belong to."""
        return points if self.strands == 1 else duplex_of(self.layout, points)

    @cached_property
    def simplex_names(self) -> list[str]:
        """The simplex ports of one switch, as SONiC names them."""
        return [f"{n}{side}" for side in "AB" for n in range(1, self.layout.radix + 1)]

    @cached_property
    def simplex_numbers(self) -> dict[str, int]:
        """The number of each simplex port within its switch."""
        return {name: number for number, name in enumerate(self.simplex_names)}

    @cached_property
    def switch_numbers(self) -> dict[str, int]:
        """The number of each optical switch by name."""
        switches = () if self.is_packet else self.names.switches
        return {name: number for number, name in enumerate(switches)}

    def find_port(self, device: str, port: str) -> int:
        """The number of a port by name, or a refusal; `7A` of a paired switch is on port 7."""
        if self.strands == 2 and device in self.switch_numbers and port[-1:] in ("A", "B"):
            port = port[:-1]
        number = int(self.names.find([device], [port])[0])
        if number < 0:
            raise UnusableInput(
                f"the {self.names.noun} has no port {port[:40]!r} of a device {device[:60]!r}",
                where="port",
                remedy="Name a device and a port as a cut sheet does",
            )
        return number
