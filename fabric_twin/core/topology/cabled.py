"""Circuits by the ports of the rule, and by those on which the strands are: spares among them.

place 7, side A of switch 3      7A by the rule      135A where a spare has its place
"""

from dataclasses import dataclass
from functools import cached_property

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.topology.network import SIDES, Network


@dataclass(frozen=True, eq=False)
class CabledPorts:
    """The ports of a network's switches, by the names of its record."""

    network: Network
    #: Of all places, in service or not.
    intended: Intended

    def by_rule(self, circuit: Circuit) -> Circuit | None:
        """A circuit by the ports of the rule; None where it does not join two blocks.

        A port whose place a spare has taken joins none.
        """
        switch = self._numbers.get(circuit.switch)
        if switch is None:
            return None
        places = [self._place(switch, side, port) for side, port in enumerate(_ports(circuit))]
        blocks = [int(self.network.block_at[place]) for place in places]
        if -1 in blocks or blocks[0] == blocks[1]:
            return None
        name = self.network.switch_name(switch + 1)
        return Circuit(name, f"{places[0]}A", f"{places[1]}B", circuit.owner, circuit.where)

    def cabled(self, circuit: Circuit) -> Circuit:
        """A circuit of the rule by the ports on which its strands are."""
        switch = self._by_rule[circuit.switch]
        a, b = (
            f"{self._port(switch, side, place)}{SIDES[side]}"
            for side, place in enumerate(_ports(circuit))
        )
        return Circuit(self.switch(circuit.switch), a, b, circuit.owner, circuit.where)

    def strands(self, circuit: Circuit) -> tuple[str, str]:
        """What is behind a circuit's A and B port: the block's device and its port."""
        names, switch = self.intended.names, self._numbers[circuit.switch]
        mates = (
            int(self.intended.mate[self._first(switch, side) + port])
            for side, port in enumerate(_ports(circuit))
        )
        a, b = ("" if mate == NO_PORT else " ".join(names.port(mate)) for mate in mates)
        return a, b

    def switch(self, name: str) -> str:
        """What the record calls a switch of the rule."""
        return self.intended.names.switches[self._by_rule[name]]

    @cached_property
    def _by_rule(self) -> dict[str, int]:
        return {self.network.switch_name(n + 1): n for n in range(self.network.switches)}

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.intended.names.switches)}

    def _first(self, switch: int, side: int) -> int:
        layout = self.intended.names.layout
        return layout.cube_ports + switch * layout.ports_per_switch + side * layout.radix - 1

    def _place(self, switch: int, side: int, port: int) -> int:
        """The place whose strand belongs at a port; 0 is none."""
        layout = self.intended.names.layout
        if not 1 <= port <= layout.radix:
            return 0
        strand = int(self.intended.mate[self._first(switch, side) + port])
        return 0 if strand == NO_PORT else int(layout.slot[strand])

    def _port(self, switch: int, side: int, place: int) -> int:
        layout = self.intended.names.layout
        strand = (place - 1) * layout.ports_per_cube + side * self.network.switches + switch
        return int(self.intended.mate[strand]) - self._first(switch, side)


def _ports(circuit: Circuit) -> tuple[int, int]:
    return int(circuit.a[:-1]), int(circuit.b[:-1])
