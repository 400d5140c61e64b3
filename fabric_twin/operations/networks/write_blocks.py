"""Blocks as rows: a rack and a device each, their strands, and a module for each two of these."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from uuid import UUID

from nautobot.dcim.models import Device, Interface, Location, Rack

from fabric_twin.core.topology.design import network_design
from fabric_twin.core.topology.network import STRANDS_A_MODULE, Network
from fabric_twin.core.topology.network import Block as CoreBlock
from fabric_twin.models import Block, Pod, Port
from fabric_twin.operations.pods.write_hardware import reached_at, write_transceivers
from fabric_twin.repositories.bulk_insert import Writer
from fabric_twin.repositories.hardware_types import RACK_UNITS, Parts, role, status
from fabric_twin.repositories.pod_lock import PodRefused


def write_blocks(
    pod: Pod,
    network: Network,
    new: Sequence[CoreBlock],
    owner: Mapping[str, str],
    block_status: str,
    parts: Parts,
    writer: Writer,
    address: str = "",
    stands: Mapping[str, Location] = MappingProxyType({}),
) -> dict[str, tuple[UUID, UUID]]:
    """New blocks, each with a rack and a device; by name the keys of block and device.

    `stands` says by name which of them are elsewhere than their switches.
    """
    if not new:
        return {}
    devices = [network.device_name(block) for block in new]
    places = [stands.get(block.name, pod.location).pk for block in new]
    racks = writer.insert(
        Rack(
            status=status(Rack, "Active"),
            role=role(Rack, "Block"),
            u_height=RACK_UNITS,
        ),
        name=devices,
        location_id=places,
    )
    device_keys = writer.insert(
        Device(
            device_type=parts.tray,
            status=status(Device, "Active"),
            role=role(Device, "Block"),
            face="front",
        ),
        name=devices,
        location_id=places,
        rack_id=racks,
        position=[1] * len(new),
    )
    blocks = writer.insert(
        reached_at(Block(pod=pod, status=status(Block, block_status)), address),
        name=[block.name for block in new],
        device_id=device_keys,
        first_port=[block.first_port for block in new],
        strands=[block.strands for block in new],
        rate_gbps=[block.rate_gbps for block in new],
        owner=[owner.get(block.name, "") for block in new],
        target=[name if address else "" for name in devices],
        called=[name if address else "" for name in devices],
    )
    names = [block.name for block in new]
    return dict(zip(names, zip(blocks, device_keys, strict=True), strict=True))


def write_strands(
    pod: Pod,
    network: Network,
    blocks: Sequence[CoreBlock],
    keys: Mapping[str, tuple[UUID, UUID]],
    parts: Parts,
    writer: Writer,
) -> None:
    """The strands of some blocks, and a transceiver in a bay for each two of them."""
    if not blocks:
        return
    per_place = network_design(network.switches).layout.ports_per_cube
    of = [keys[block.name] for block in blocks for _ in range(block.strands)]
    at = [device for _, device in of]
    labels = [network.port_name(strand) for b in blocks for strand in range(1, b.strands + 1)]
    interfaces = writer.insert(
        Interface(
            type="other",
            status=status(Interface, "Active"),
            role=role(Interface, "Optical port"),
        ),
        device_id=at,
        name=labels,
    )
    bays = write_transceivers(at, labels, STRANDS_A_MODULE, parts, writer)
    writer.insert(
        Port(pod=pod),
        number=[
            (block.first_port - 1) * per_place + strand
            for block in blocks
            for strand in range(block.strands)
        ],
        interface_id=interfaces,
        block_id=[block for block, _ in of],
        module_bay_id=bays,
    )


def check_no_interfaces(block: Block) -> None:
    """Refuse a block without ports on a device that has some: nobody knows which are which."""
    if many := block.device.interfaces.count():
        raise PodRefused(
            f"{block.device} has {many} interfaces already, and {block.name} no ports",
            where=f"network {block.pod.name}",
            remedy="Delete these interfaces with their cables first: they are made anew",
        )


def rows_of_blocks(new: Sequence[CoreBlock]) -> int:
    """How many rows some blocks are: a rack, a device and the block itself."""
    return 3 * len(new)


def rows_of_strands(blocks: Sequence[CoreBlock]) -> int:
    """How many rows their strands and modules are."""
    return sum(2 * block.strands + 2 * -(-block.strands // STRANDS_A_MODULE) for block in blocks)
