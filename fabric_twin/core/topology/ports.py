"""Circuits between ports: those that stay keep theirs, each other takes the lowest free ones."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.topology.network import SIDES, Network, SwitchEnd
from fabric_twin.core.topology.spread import Spread


class Joined(NamedTuple):
    """A circuit of one switch, by its A and its B port; all numbers count from 1."""

    switch: int
    a: int
    b: int


def spread_of(network: Network, circuits: Iterable[Joined]) -> Spread:
    """How many circuits join each two blocks on each switch; a port of no block is refused."""
    blocks = len(network.blocks)
    found = np.zeros((network.switches, blocks, blocks), np.int64)
    for circuit in circuits:
        found[circuit.switch - 1][blocks_of(network, circuit)] += 1
    return found


def blocks_of(network: Network, circuit: Joined) -> tuple[int, int]:
    """The blocks that a circuit joins, by number: that of its A port, and that of its B port."""
    numbers = {block.name: number for number, block in enumerate(network.blocks)}
    ends = (SwitchEnd(circuit.switch, circuit.a, 0), SwitchEnd(circuit.switch, circuit.b, 1))
    found = []
    for end in ends:
        at = network.strand_at(end)
        if at is None or not 1 <= circuit.switch <= network.switches:
            raise UnusableInput(
                f"no block is at port {end.port}{SIDES[end.side]}",
                where=f"switch {network.switch_name(circuit.switch)}",
                remedy="Name circuits between ports of the network's blocks",
            )
        found.append(numbers[at[0].name])
    return found[0], found[1]


def with_ports(
    network: Network, wanted: Spread, present: Sequence[Joined] = ()
) -> Iterator[Joined]:
    """Circuits for what is wanted of each switch, in the order of their A ports."""
    there: dict[tuple[int, int, int], list[Joined]] = defaultdict(list)
    for circuit in sorted(present):
        there[circuit.switch - 1, *blocks_of(network, circuit)].append(circuit)
    for switch in range(network.switches):
        yield from sorted(_of_switch(network, switch, wanted[switch], there))


def _of_switch(
    network: Network,
    switch: int,
    wanted: np.ndarray,
    there: dict[tuple[int, int, int], list[Joined]],
) -> list[Joined]:
    pairs = [(int(one), int(other)) for one, other in np.argwhere(wanted)]
    stays = [circuit for pair in pairs for circuit in there[switch, *pair][: int(wanted[pair])]]
    taken = {(0, circuit.a) for circuit in stays} | {(1, circuit.b) for circuit in stays}
    made = list(stays)
    for one, other in pairs:
        for _ in range(int(wanted[one, other]) - len(there[switch, one, other])):
            ends = []
            for side, number in enumerate((one, other)):
                block = network.blocks[number]
                first = block.first_port
                own = range(first, first + network.ports_of(block))
                port = next(port for port in own if (side, port) not in taken)
                taken.add((side, port))
                ends.append(port)
            made.append(Joined(switch + 1, *ends))
    return made
