"""What the parts of a network are called, and its plant as the rule wants it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType

import numpy as np

from fabric_twin.core.cabling.lengths import Lengths, unknown
from fabric_twin.core.cabling.plant import Intended, Substitution, intended_plant
from fabric_twin.core.fabric.fabric import Bundle, Fabric, Key
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.pods.own_names import OwnNames, PortNames
from fabric_twin.core.topology.design import network_design
from fabric_twin.core.topology.network import STRANDS_A_MODULE, Network


class BlockNames(OwnNames):
    """Names of a network: places are those of the block that holds them."""

    noun, part = "network", "block"
    cables_a_module = STRANDS_A_MODULE

    def __init__(
        self,
        layout: Layout,
        network: str,
        blocks: Sequence[tuple[str, range]],
        switches: Mapping[int, str],
        ports: PortNames,
    ) -> None:
        """`blocks` has the device of each, and its places; ports that are not named are called as
        the rule does."""
        self.blocks = blocks
        held = {place: device for device, places in blocks for place in places}
        per_place = layout.ports_per_cube
        by_rule = {
            (places.start - 1) * per_place + strand: (device, Network.port_name(strand + 1))
            for device, places in blocks
            for strand in range(len(places) * per_place)
        }
        super().__init__(layout, network, held, switches, by_rule | dict(ports))

    @cached_property
    def fabric(self) -> Fabric:
        """The ports: a block is one device, one unit, and one row of strands."""
        layout, whole = self.layout, self.layout.fabric
        first = np.arange(layout.slots + 1, dtype=np.int32)
        for _, places in self.blocks:
            first[places.start : places.stop] = places.start
        block = first[layout.slot]
        of_block = block > 0
        ports = np.arange(len(block), dtype=np.int32)
        strand = ports - (block - 1) * layout.ports_per_cube
        _, index, _, side = whole.keys
        return replace(
            whole,
            device=np.where(of_block, block - 1, whole.device),
            unit=block,
            panel=np.where(of_block, block - 1, whole.panel),
            position=np.where(of_block, strand, whole.position),
            keys=(
                Key("wrong-switch", "which serves another switch", index.value),
                Key("wrong-side", "which is for the other side", side.value, of_side=True),
            ),
            bundles=(Bundle.whole("block", "blocks", np.where(of_block, block, -1)),),
        )

    @cached_property
    def answering(self) -> Mapping[str, range]:
        """Blocks, and the places of each."""
        return dict(self.blocks)

    @cached_property
    def told_ports(self) -> Sequence[str]:
        """Strands by module, as many as the largest block has."""
        most = max((len(places) for _, places in self.blocks), default=0)
        strands = most * self.layout.ports_per_cube
        return [Network.port_name(strand + 1) for strand in range(strands)]

    def short(self, slot: int) -> str:
        """The block of a place, within the network."""
        return self.cube(slot).removeprefix(f"{self.pod}-")

    def in_words(self, slots: Sequence[int]) -> str:
        """The blocks of some places: `block ab05`."""
        names = dict.fromkeys(map(self.short, slots))
        return f"block{'s' * (len(names) > 1)} {', '.join(names)}"

    def bundled(self, _noun: str, numbers: Sequence[int]) -> Sequence[str]:
        """Blocks, by their first place."""
        return [self.cube(number) for number in numbers]


def names_by_rule(network: Network) -> BlockNames:
    """`dc1-ab01`, `m02/1`; or `dc1-ocs-05`, `7A`."""
    layout = network_design(network.switches).layout
    ports: dict[int, tuple[str, str]] = {}
    sides = layout.port_names[layout.ports_per_cube :]
    switches = {number: network.switch_name(number + 1) for number in range(network.switches)}
    for number, name in switches.items():
        ports.update(
            zip(layout.ports_of_switch(number), ((name, own) for own in sides), strict=True)
        )
    blocks = [(network.device_name(block), network.places_of(block)) for block in network.blocks]
    return BlockNames(layout, network.name, blocks, switches, ports)


def intended_network(
    network: Network,
    substitutions: Iterable[Substitution] = (),
    cable_m: Mapping[str, float] = MappingProxyType({}),
) -> Intended:
    """The plant of a network as its rule wants it, with spares in place of bad ports.

    `cable_m` says by block how long its cables are, where somebody does.
    """
    places = [place for block in network.blocks for place in network.places_of(block)]
    design = network_design(network.switches)
    intended = intended_plant(design, network.name, places, substitutions)
    rates = {network.device_name(block): block.rate_gbps for block in network.blocks}
    lengths = _lengths(network, cable_m) if cable_m else unknown()
    return replace(intended, names=names_by_rule(network), rates=rates, lengths=lengths)


def _lengths(network: Network, cable_m: Mapping[str, float]) -> Lengths:
    layout = network_design(network.switches).layout
    lengths = np.zeros(layout.cube_ports)
    for block in network.blocks:
        first = (block.first_port - 1) * layout.ports_per_cube
        lengths[first : first + block.strands] = cable_m.get(block.name, 0.0)
    return lengths
