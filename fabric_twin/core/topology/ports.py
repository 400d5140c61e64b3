"""Circuits between ports: those that stay keep theirs, each other takes the lowest free ones."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from fabric_twin.core.topology.joined import Joined, Spread, blocks_of, is_out
from fabric_twin.core.topology.network import Network, SwitchEnd


def with_ports(
    network: Network,
    wanted: Spread,
    present: Sequence[Joined] = (),
    out: Collection[SwitchEnd] = (),
) -> Iterator[Joined]:
    """Circuits for what is wanted of each switch, in the order of their A ports.

    A port that is out is taken last: where there are others, links do without it.
    """
    there: dict[tuple[int, int, int], list[Joined]] = defaultdict(list)
    for circuit in sorted(present, key=lambda one: (is_out(one, out), one)):
        there[circuit.switch - 1, *blocks_of(network, circuit)].append(circuit)
    for switch in range(network.switches):
        yield from sorted(_of_switch(network, switch, wanted[switch], there, out))


def _of_switch(
    network: Network,
    switch: int,
    wanted: np.ndarray,
    there: dict[tuple[int, int, int], list[Joined]],
    out: Collection[SwitchEnd],
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
                free = [port for port in own if (side, port) not in taken]
                good = (port for port in free if SwitchEnd(switch + 1, port, side) not in out)
                port = next(good, free[0])
                taken.add((side, port))
                ends.append(port)
            made.append(Joined(switch + 1, *ends))
    return made
