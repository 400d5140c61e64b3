"""The block that an order brings into a network, or takes out of it: what it is, and its records.

A block that is recorded as planned is taken as it is; a new one is written by the writers of
*Load network*, without cables. So an order makes what a planned block lacks, also of one that was
entered by hand. A block goes once no link joins it.
"""

from collections.abc import Mapping
from dataclasses import replace

from django.db.models import Q
from nautobot.dcim.models import Device, Location, Rack
from nautobot.users.models import User

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.orders.floor import Floor
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.topology.joining import NewBlock, beside, unknown_block
from fabric_twin.core.topology.network import Block as CoreBlock
from fabric_twin.core.topology.network import Network
from fabric_twin.models import Block, OpticalCircuit, Pod, WorkOrder
from fabric_twin.operations.networks.buildings import find_location
from fabric_twin.operations.networks.write_blocks import (
    check_no_interfaces,
    write_blocks,
    write_strands,
)
from fabric_twin.operations.orders.record import core_of
from fabric_twin.operations.pods.load import check_names
from fabric_twin.repositories.bulk_insert import Writer
from fabric_twin.repositories.floor import Buildings, Elsewhere
from fabric_twin.repositories.hardware_types import find_parts, status
from fabric_twin.repositories.permissions import require, require_kinds
from fabric_twin.repositories.pod_record import PLANNED, PodRecord

_MADE = (Block, Rack, Device)
#: What a block is that may be taken away.
_GOING = frozenset({"Draining", "Out", "Installing"})


def require_block_seen(pod: Pod, new: NewBlock, kind: str, user: User) -> None:
    """Refuse who may not view the block that is recorded under this name, or where it stands.

    A block that the user may not view is refused as one that is not there.
    """
    named, leaves = pod.blocks.filter(name=new.name), kind == Kind.DECOMMISSION
    if named.exists() and not named.restrict(user, "view").exists():
        if leaves or None in (new.strands, new.rate_gbps):
            raise unknown_block(pod.name, new, leaves=leaves)
        raise NotPossible(
            "this name cannot be given to it",
            where=f"block {new.name[:60]}",
            remedy="Give it another name",
        )
    if leaves:
        require(user, "change", Block, named.values_list("pk", flat=True))
    if new.location:
        find_location(new.location, user)


def coming_into(pod: Pod, new: NewBlock) -> dict[str, Elsewhere]:
    """By device: into which other building the block comes, if it does."""
    row = pod.blocks.filter(name=new.name).select_related("device__rack").first()
    block, network = _told(pod, new)
    if row:
        device, place = row.device.name, row.device.location_id
    else:
        device, place = network.device_name(block), _location(pod, new).pk
    if building := Buildings(pod).name(place):
        return {device: Elsewhere(building, new.cable_m or 0.0)}
    if new.cable_m is not None:
        raise UnusableInput(
            "it stands where its switches do: how long its cables are follows from the floor",
            where=f"block {new.name}",
            remedy="Leave the length out, or name the location of another building",
        )
    return {}


def read_coming(pod: Pod, new: NewBlock) -> tuple[PodRecord, range]:
    """The records of a network beside which a block comes, and its places; nothing is written."""
    block, network = _told(pod, new)
    places = network.places_of(block)
    if pod.blocks.filter(name=block.name).exists():
        return PodRecord(pod), places
    device = network.device_name(block)
    check_names(
        pod, [device], [device], "Give the block another name", others=[_location(pod, new)]
    )
    return PodRecord(pod, {device: places}), places


def check_length_known(floor: Floor, coming: Mapping[str, Elsewhere]) -> None:
    """Refuse cables to another building of which nobody says how long they are.

    Their light would be held to that of short ones, and no bundle would pass.
    """
    for device, at in coming.items():
        if at.building not in floor.away_m:
            raise UnusableInput(
                f"how long its cables to {at.building} are is neither asked for nor recorded",
                where=f"block {device}",
                remedy="Give metres of its cables",
            )


def places_going(pod: Pod, wished: NewBlock) -> range:
    """The places of a block that is to be taken away, once no link uses them."""
    where = f"block {wished.name[:60]}"
    row = pod.blocks.select_related("status").filter(name=wished.name).first()
    if row is None:
        raise unknown_block(pod.name, wished, leaves=True)
    if wished.as_json().keys() - {"name"}:
        raise UnusableInput(
            "what it is, its record says", where=where, remedy="Give its name and nothing else"
        )
    if row.status.name not in _GOING:
        raise NotPossible(
            f"it is {row.status}",
            where=where,
            remedy="Set it to Draining and change the topology: then it can be taken out"
            if row.status.name not in PLANNED
            else "Delete its record: nothing was installed yet",
        )
    places: range = row.places
    at = Q(a__in=places) | Q(b__in=places)
    if OpticalCircuit.objects.filter(at, switch__pod=pod).exists():
        raise NotPossible(
            "a circuit joins it",
            where=where,
            remedy="Change the topology while it is Draining: then nothing joins it",
        )
    return places


def plan_block(pod: Pod, new: NewBlock, user: User) -> None:
    """The rack, device, strands and modules of a block that the inventory does not have yet."""
    block, network = _told(pod, new)
    there = pod.blocks.filter(name=block.name).select_related("device").first()
    if there and there.ports.exists():
        # It may have been taken out before.
        gone = Device.objects.filter(pk=there.device_id, status__name="Decommissioning")
        gone.update(status=status(Device, "Active"))
        return
    writer = Writer(lambda _what, _rows: None)
    parts = find_parts(pod.to_core(), writer)
    if there:
        require(user, "change", Block, [there.pk])
        check_no_interfaces(there)
        keys = {block.name: (there.pk, there.device_id)}
    else:
        require_kinds(user, "add", _MADE)
        stands = {block.name: _location(pod, new)}
        owner = {block.name: new.owner}
        keys = write_blocks(pod, network, [block], owner, *PLANNED, parts, writer, stands=stands)
    write_strands(pod, network, [block], keys, parts, writer)
    for model in _MADE:
        require(user, "add", model, writer.added.get(model, ()))


def without_address(order: WorkOrder) -> frozenset[str]:
    """Devices of the blocks that an order works on, where nobody can ask them what they hear."""
    if not order.pod.is_network:
        return frozenset()
    mine = Q(first_port__in=core_of(order).slots) | Q(device__in=order.steps.values("device"))
    rows = order.pod.blocks.filter(mine, address="")
    return frozenset(rows.values_list("device__name", flat=True))


def _location(pod: Pod, new: NewBlock) -> Location:
    return find_location(new.location, None) if new.location else pod.location


def _told(pod: Pod, new: NewBlock) -> tuple[CoreBlock, Network]:
    """The block that is meant, with its ports, and the network that has it."""
    switches = len(pod.to_core().layout.switches)
    rows = pod.blocks.select_related("status")
    row = next((one for one in rows if one.name == new.name), None)
    others = [one.to_core() for one in rows if one is not row]
    block = beside(pod.name, switches, others, new) if row is None else _recorded(row, new)
    return block, Network(pod.name, switches, (*others, block))


def _recorded(row: Block, new: NewBlock) -> CoreBlock:
    """A block that is recorded: it must be planned, and what is asked for must be what it is."""
    where = f"block {row.name}"
    if row.status.name not in PLANNED:
        raise NotPossible(
            f"there is one of this name, and it is {row.status}",
            where=where,
            remedy="Name one that is planned, or give a new one another name",
        )
    if row.ports.filter(interface__cable_termination__isnull=False).exists():
        raise NotPossible(
            "its cables are recorded already, so there is nothing to lay",
            where=where,
            remedy="Set it to Active once they are checked, or take the records of its cables away",
        )
    if new.location and (place := find_location(new.location, None)) != row.device.location:
        raise NotPossible(
            f"its record says that it stands in {row.device.location}, not in {place}",
            where=where,
            remedy="Leave the location out, or move the planned block's rack first",
        )
    for name, asked in replace(new, location="", cable_m=None).as_json().items():
        if asked != (held := getattr(row, name)):
            said = name.replace("_", " ")
            raise NotPossible(
                f"its record says {said} {_short(held)}, and {_short(asked)} is asked for",
                where=where,
                remedy="Leave it out, or change the planned block first",
            )
    return row.to_core()


def _short(value: object) -> str:
    """A number without a fraction that says nothing."""
    return f"{value:g}" if isinstance(value, float) else str(value or "none")
