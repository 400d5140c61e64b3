"""A network of blocks as a fabric: its ports as columns, and what they are called.

ports     strands of every block, block by block; then of every switch 1A .. 136A, 1B .. 136B
keys      the switch of a strand, then its side
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, NOT_OF_DESIGN, Column
from fabric_twin.core.fabric.fabric import Bundle, Fabric, Key
from fabric_twin.core.fabric.plant import End, IntendedPlant
from fabric_twin.core.topology.network import RADIX, SIDES, USED, Network, SwitchEnd

#: Ports of one switch.
_EACH = RADIX * len(SIDES)


@dataclass(frozen=True, eq=False)
class NetworkNames:
    """What the parts of a network are called; it is the words of its fabric."""

    network: Network

    @cached_property
    def fabric(self) -> Fabric:
        """The ports."""
        network, first = self.network, self._first_of_switches
        strands = [block.strands for block in network.blocks]
        block = np.repeat(np.arange(len(strands), dtype=np.int32), strands)
        strand = np.concatenate([np.arange(many, dtype=np.int32) for many in strands])
        switch = np.repeat(np.arange(network.switches, dtype=np.int32), _EACH)
        place = np.tile(np.arange(_EACH, dtype=np.int32), network.switches)
        near, far = np.arange(first, dtype=np.int32), self._wired
        mate = np.full(first + len(switch), NO_PORT, np.int32)
        mate[near], mate[far] = far, near
        blocks = len(strands)
        wired = far - first
        return Fabric(
            device=_column(block, blocks + switch),
            unit=_column(block + 1, np.zeros_like(switch)),
            panel=_column(block, blocks + 2 * switch + place // RADIX),
            position=_column(strand, place % RADIX),
            mate=mate,
            spare=np.concatenate([np.zeros(first, np.bool_), place % RADIX >= USED]),
            level=_column(np.zeros_like(block), np.ones_like(switch)),
            keys=(
                Key(
                    "wrong-switch",
                    "which serves another switch",
                    _column(wired // _EACH, switch),
                ),
                Key(
                    "wrong-side",
                    "which is for the other side",
                    _column(wired % _EACH // RADIX, place // RADIX),
                    of_side=True,
                ),
            ),
            bundles=(
                Bundle.whole("block", "blocks", _column(block, np.full(len(switch), -1, np.int32))),
            ),
        )

    @cached_property
    def _first_of_switches(self) -> int:
        return sum(block.strands for block in self.network.blocks)

    @cached_property
    def _wired(self) -> Column:
        """By strand: the port of a switch that the rule gives it."""
        ends = (
            self.network.end_of(block, strand)
            for block in self.network.blocks
            for strand in range(1, block.strands + 1)
        )
        return np.fromiter((self._port(end) for end in ends), np.int32, self._first_of_switches)

    def _port(self, end: SwitchEnd) -> int:
        return self._first_of_switches + (end.switch - 1) * _EACH + end.side * RADIX + end.port - 1

    @cached_property
    def devices(self) -> list[str]:
        """Blocks, then switches."""
        network = self.network
        switches = range(1, network.switches + 1)
        return [*map(network.device_name, network.blocks), *map(network.switch_name, switches)]

    def device(self, number: int) -> str:
        """A block or a switch."""
        return self.devices[number]

    def unit(self, number: int) -> str:
        """A block, which comes and goes as one."""
        return self.devices[number - 1]

    def port(self, port: int) -> End:
        """`dc1-ab01`, `m02/1`; or `dc1-ocs-05`, `7A`."""
        fabric, position = self.fabric, int(self.fabric.position[port])
        device = self.devices[int(fabric.device[port])]
        if port < self._first_of_switches:
            return device, self.network.port_name(position + 1)
        side = (port - self._first_of_switches) % _EACH // RADIX
        return device, f"{position + 1}{SIDES[side]}"

    def cable(self, port: int) -> str:
        """The cable that begins at a strand: `dc1-ab01:m02/1`."""
        return ":".join(self.port(port))

    def ends(self, ports: Column) -> tuple[list[str], list[str]]:
        """The devices of many ports, and the ports' names on them."""
        named = [self.port(port) for port in ports.tolist()]
        return [device for device, _ in named], [port for _, port in named]

    def cables(self, ports: Column) -> list[str]:
        """The cables that begin at some strands."""
        return [self.cable(port) for port in ports.tolist()]

    def bundled(self, _noun: str, numbers: Sequence[int]) -> list[str]:
        """Blocks, as bundles."""
        return [self.devices[number] for number in numbers]

    def find(self, devices: Sequence[str], ports: Sequence[str]) -> Column:
        """Number ports by name: NOT_KNOWN where both cells are empty, else NOT_OF_DESIGN."""
        known = {("", ""): NOT_KNOWN} | self._numbers
        pairs = zip(devices, ports, strict=True)
        return np.array([known.get(pair, NOT_OF_DESIGN) for pair in pairs], np.int32)

    @cached_property
    def _numbers(self) -> dict[End, int]:
        return {self.port(port): port for port in range(len(self.fabric.mate))}


@dataclass(frozen=True)
class _Kind:
    """What a report calls the design of a network."""

    name: str = "spine-free"


@dataclass(frozen=True, eq=False)
class IntendedNetwork(IntendedPlant):
    """The plant of a network as it should be."""

    names: NetworkNames

    @property
    def noun(self) -> str:
        """Not a pod."""
        return "Network"


def intended_network(network: Network) -> IntendedNetwork:
    """The plant of a network as its rule wants it."""
    names = NetworkNames(network)
    fabric = names.fabric
    near = np.flatnonzero(fabric.unit > 0).astype(np.int32)
    mate = fabric.mate
    return IntendedNetwork(_Kind(), network.name, names, mate, mate, near, mate[near])


def _column(of_blocks: np.ndarray, of_switches: np.ndarray) -> Column:
    return np.concatenate([of_blocks, of_switches]).astype(np.int32)
