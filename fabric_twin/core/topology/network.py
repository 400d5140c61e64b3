"""Blocks over a layer of switches: which switch port each strand of a block is wired to.

strand u of a block     switch 1 + (u-1) mod K,  r = (u-1) div K
                        side A where r is even, else B;  port = first port of the block + r div 2

A module holds two strands, which so lie on two switches. A block has the same ports on every
switch, half of them on each side: it can be joined to any other block, whichever side that is on.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.pods.names import check_pod_name

#: Strands of a network, and its switches.
MOST_STRANDS, MOST_SWITCHES = 32_768, 256
#: Ports of a switch on each side, and how many of them blocks use; the others are spare.
RADIX, USED = 136, 128
#: Metres of the longest cable between a block and its switches: as many as a record can hold.
LONGEST_CABLE_M = 32_767
#: Switches of one rack: those that are changed together, by default.
AT_ONCE = 8
STRANDS_A_MODULE = 2
SIDES = "AB"


class SwitchEnd(NamedTuple):
    """A port of a switch: both numbers count from 1, the side is 0 for A and 1 for B."""

    switch: int
    port: int
    side: int


@dataclass(frozen=True)
class Block:
    """An aggregation block, by its uplinks."""

    name: str
    strands: int
    #: What a strand carries, in Gbit/s.
    rate_gbps: float
    #: The first of its ports on every switch; a block that is there never moves.
    first_port: int


@dataclass(frozen=True)
class Network:
    """Blocks over their switches."""

    name: str
    switches: int
    blocks: tuple[Block, ...]

    def __post_init__(self) -> None:
        """Refuse what cannot be wired, or would put two strands on a port."""
        check_pod_name(self.name, "network")
        if not 2 <= self.switches <= MOST_SWITCHES:
            raise UnusableInput(
                f"{counted(self.switches, 'switch')} cannot be laid out: a network has 2 to "
                f"{MOST_SWITCHES}",
                where=f"network {self.name}",
                remedy=f"Give 2 to {MOST_SWITCHES} switches",
            )
        if not self.blocks:
            raise UnusableInput(
                "there are no blocks", where=f"network {self.name}", remedy="Give some"
            )
        twice = [name for name, many in Counter(b.name for b in self.blocks).items() if many > 1]
        if twice:
            raise UnusableInput(
                f"{', '.join(twice[:4])} is there twice",
                where=f"network {self.name}",
                remedy="Give each block a name of its own",
            )
        for block in self.blocks:
            self._check(block)
        self._check_ports()
        if (strands := sum(block.strands for block in self.blocks)) > MOST_STRANDS:
            raise UnusableInput(
                f"{strands:,} strands are more than {MOST_STRANDS:,}",
                where=f"network {self.name}",
                remedy="Divide it into several networks",
            )

    def _check(self, block: Block) -> None:
        if check_pod_name(block.name, "block").startswith("ocs-"):
            raise UnusableInput(
                "a name with ocs- is a switch's",
                where=f"block {block.name}",
                remedy="Choose another",
            )
        per_switch = block.strands / self.switches
        if block.strands < 1 or per_switch != int(per_switch) or int(per_switch) % 2:
            raise UnusableInput(
                f"{block.strands} strands do not spread over {self.switches} switches, as many on "
                "side A as on side B",
                where=f"block {block.name}",
                remedy=f"Give it a multiple of {2 * self.switches}",
            )
        if not block.rate_gbps > 0:
            raise UnusableInput(
                f"a rate of {block.rate_gbps:g} Gbit/s carries nothing",
                where=f"block {block.name}",
                remedy="Write the rate of a strand, such as 400",
            )
        last = block.first_port + self.ports_of(block) - 1
        if block.first_port < 1 or last > USED:
            most = USED - self.ports_of(block) + 1
            raise UnusableInput(
                f"it would have ports {block.first_port} to {last} of every switch, and blocks "
                f"have ports 1 to {USED}",
                where=f"block {block.name}",
                remedy=f"Let it begin at 1 to {most}"
                if most > 0
                else f"Give it at most {2 * self.switches * USED:,} strands",
            )

    def _check_ports(self) -> None:
        ordered = sorted(self.blocks, key=lambda block: block.first_port)
        for one, other in pairwise(ordered):
            if other.first_port < one.first_port + self.ports_of(one):
                others = [block for block in self.blocks if block is not other]
                free = free_port(others, self.switches, other.strands)
                raise UnusableInput(
                    f"port {other.first_port} of every switch is {one.name}'s too",
                    where=f"block {other.name}",
                    remedy=f"Let it begin at {free}" if free else "No place is wide enough for it",
                )

    def ports_of(self, block: Block) -> int:
        """How many ports it has on each side of every switch."""
        return ports_of(block.strands, self.switches)

    def places_of(self, block: Block) -> range:
        """The numbers of these ports."""
        return range(block.first_port, block.first_port + self.ports_of(block))

    @cached_property
    def by_name(self) -> dict[str, Block]:
        """The blocks by name."""
        return {block.name: block for block in self.blocks}

    def end_of(self, block: Block, strand: int) -> SwitchEnd:
        """The switch port of a strand, which counts from 1.

        >>> b = Block("ab02", 12, 400, first_port=4)
        >>> Network("dc1", 2, (b,)).end_of(b, 3)
        SwitchEnd(switch=1, port=4, side=1)
        """
        turn, number = divmod(strand - 1, self.switches)
        return SwitchEnd(number + 1, block.first_port + turn // 2, turn % 2)

    @cached_property
    def block_at(self) -> NDArray[np.int32]:
        """By port number, on either side of any switch: the number of its block, or -1."""
        found = np.full(RADIX + 1, -1, np.int32)
        for number, block in enumerate(self.blocks):
            places = self.places_of(block)
            found[places.start : places.stop] = number
        return found

    def strand_at(self, end: SwitchEnd) -> tuple[Block, int] | None:
        """The block and strand that belong at a switch port; None where it is free."""
        for block in self.blocks:
            place = end.port - block.first_port
            if 0 <= place < self.ports_of(block):
                return block, (2 * place + end.side) * self.switches + end.switch
        return None

    # Names

    def switch_name(self, switch: int) -> str:
        """`dc1-ocs-05`."""
        return f"{self.name}-ocs-{switch:02}"

    def device_name(self, block: Block) -> str:
        """`dc1-ab01`."""
        return f"{self.name}-{block.name}"

    @staticmethod
    def port_name(strand: int) -> str:
        """The module and the strand in it.

        >>> Network.port_name(3)
        'm02/1'
        """
        module, place = divmod(strand - 1, STRANDS_A_MODULE)
        return f"m{module + 1:02}/{place + 1}"


def ports_of(strands: int, switches: int) -> int:
    """How many ports so many strands take on each side of every switch."""
    return strands // switches // 2


def free_port(blocks: Sequence[Block], switches: int, strands: int) -> int | None:
    """The lowest port where a block of so many strands can begin beside others.

    >>> free_port([Block("a", 12, 400, 1), Block("b", 12, 400, 8)], 2, 12)
    4
    """
    first = 1
    for block in sorted(blocks, key=lambda block: block.first_port):
        if first + ports_of(strands, switches) <= block.first_port:
            break
        first = max(first, block.first_port + ports_of(block.strands, switches))
    return first if first + ports_of(strands, switches) - 1 <= USED else None


def placed(name: str, switches: int, blocks: Sequence[tuple[str, int, float]]) -> Network:
    """A network of blocks one after the other: names, strands and rates.

    >>> [block.first_port for block in placed("dc1", 2, [("a", 12, 400), ("b", 8, 400)]).blocks]
    [1, 4]
    """
    made, first = [], 1
    for block, strands, rate in blocks:
        made.append(Block(block, strands, rate, first))
        first += max(ports_of(strands, switches), 1)
    return Network(name, switches, tuple(made))
