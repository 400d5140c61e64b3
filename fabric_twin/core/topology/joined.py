"""Circuits that are there, by numbers: which blocks each joins."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.circuits.plans import Circuit, shared_ports
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.topology.network import RADIX, SIDES, USED, Network, SwitchEnd

#: By switch: how many circuits join an A port of a block (row) to a B port of another (column).
Spread = NDArray[np.int64]


class Joined(NamedTuple):
    """A circuit of one switch, by its A and its B port; all numbers count from 1."""

    switch: int
    a: int
    b: int


def working(circuits: Iterable[Joined], out: Collection[SwitchEnd]) -> list[Joined]:
    """Those of which no end is out."""
    return [one for one in circuits if not is_out(one, out)]


def is_out(one: Joined, out: Collection[SwitchEnd]) -> bool:
    """Whether it carries nothing: an end of it is out."""
    return SwitchEnd(one.switch, one.a, 0) in out or SwitchEnd(one.switch, one.b, 1) in out


def spread_of(network: Network, circuits: Iterable[Joined]) -> Spread:
    """How many circuits join each two blocks on each switch; a port of no block is refused."""
    there, blocks = list(circuits), len(network.blocks)
    found = np.zeros((network.switches, blocks, blocks), np.int64)
    if not there:
        return found
    switch, a, b = np.array(there, np.int64).T
    inside = (switch >= 1) & (switch <= network.switches)
    ends = [network.block_at[np.where((end >= 1) & (end <= RADIX), end, 0)] for end in (a, b)]
    strange = np.flatnonzero(~inside | (ends[0] < 0) | (ends[1] < 0))
    if len(strange):
        blocks_of(network, there[strange[0]])
    np.add.at(found, (switch - 1, *ends), 1)
    return found


def blocks_of(network: Network, circuit: Joined) -> tuple[int, int]:
    """The blocks that a circuit joins, by number: that of its A port, and that of its B port."""
    ends = (SwitchEnd(circuit.switch, circuit.a, 0), SwitchEnd(circuit.switch, circuit.b, 1))
    found = []
    for end in ends:
        at = network.strand_at(end)
        if at is None or not 1 <= circuit.switch <= network.switches:
            what = f"no block is at port {end.port}{SIDES[end.side]}"
            remedy = "Name circuits between ports of the network's blocks"
            if USED < end.port <= RADIX:
                what += ": it is a spare, and no substitution says which port it stands in for"
                remedy = (
                    "Name that port; or load the network into Nautobot without circuits, record "
                    "the substitution there, and load it again with them"
                )
            where = f"switch {network.switch_name(circuit.switch)}"
            raise UnusableInput(what, where=where, remedy=remedy)
        found.append(int(network.block_at[end.port]))
    return found[0], found[1]


def all_joined(
    network: Network,
    present: Sequence[Circuit],
    stands_in: Mapping[SwitchEnd, SwitchEnd] = MappingProxyType({}),
) -> list[Joined]:
    """The circuits that are there, by number; what no switch or no block can have is refused.

    `stands_in` has the spares and the ports whose place they take: circuits get these.
    """
    for first, circuit in shared_ports(present):
        port = next(port for _, port in circuit.ports if port in {first.a, first.b})
        raise UnusableInput(
            f"{port} on {circuit.switch} is in two circuits, {first.a} to {first.b} and "
            f"{circuit.a} to {circuit.b}",
            where=circuit.where,
            remedy="Leave one of the two out",
        )
    there = [_by_rule(joined(network, circuit), stands_in) for circuit in present]
    for circuit, numbers in zip(present, there, strict=True):
        one, other = blocks_of(network, numbers)
        if one == other:
            raise UnusableInput(
                f"{circuit} joins {network.blocks[one].name} with itself",
                where=circuit.where,
                remedy="Name circuits between two blocks, and the block file of these blocks",
            )
    return there


def _by_rule(one: Joined, stands_in: Mapping[SwitchEnd, SwitchEnd]) -> Joined:
    a, b = (SwitchEnd(one.switch, port, side) for side, port in enumerate((one.a, one.b)))
    return Joined(one.switch, stands_in.get(a, a).port, stands_in.get(b, b).port)


def joined(network: Network, circuit: Circuit) -> Joined:
    """A circuit of a file by its numbers."""
    names = {network.switch_name(number): number for number in range(1, network.switches + 1)}
    if circuit.switch not in names:
        raise UnusableInput(
            f"there is no switch {circuit.switch[:40]!r} in network {network.name}",
            where=circuit.where,
            remedy=f"Name switches {network.switch_name(1)} to "
            f"{network.switch_name(network.switches)}",
        )
    if circuit.a[-1:] != "A" or circuit.b[-1:] != "B":
        raise UnusableInput(
            f"{circuit.a} to {circuit.b} does not join an A to a B port",
            where=circuit.where,
            remedy="Write the A port first",
        )
    return Joined(names[circuit.switch], int(circuit.a[:-1]), int(circuit.b[:-1]))
