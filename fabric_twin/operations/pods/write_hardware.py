"""Racks, trays, switches and their ports, as rows.

cube rack    tray 1 at the bottom, 16 trays upwards, a bay with a transceiver for every port
group rack   the group, one device, which has neither bays nor transceivers
switch rack  eight switches from the bottom
"""

from collections.abc import Collection
from typing import Any, NamedTuple
from uuid import UUID

from django.utils import timezone
from nautobot.dcim.models import Device, DeviceType, Interface, Module, ModuleBay, Rack

from fabric_twin.core.cube import AXES
from fabric_twin.core.fabric.medium import Medium
from fabric_twin.core.identity import ConfirmedBy
from fabric_twin.core.pods.names import Names
from fabric_twin.models import Block, Cube, Pod, Port, Switch
from fabric_twin.repositories.bulk_insert import Writer
from fabric_twin.repositories.hardware_types import (
    RACK_UNITS,
    SWITCH_UNITS,
    SWITCHES_A_RACK,
    Parts,
    role,
    status,
    tray_units,
)


class Roles(NamedTuple):
    """The roles of racks, devices and ports."""

    rack: str = "Cube"
    tray: str = "Tray"
    switch: str = "Optical circuit switch"
    port: str = "Optical port"


def roles_of(names: Names) -> Roles:
    """Those of a pod, or of a cluster of groups."""
    if names.layout.medium is Medium.PACKET:
        return Roles("Group", "Group", "Packet switch", "Cluster port")
    return Roles()


def write_switches(pod: Pod, names: Names, parts: Parts, writer: Writer, address: str = "") -> None:
    """All switches of the design, in racks of their own, with all of their ports."""
    layout = names.layout
    count = len(layout.switches)
    if parts.switch is None:
        return
    called = roles_of(names)
    racks = writer.insert(
        _rack(pod, "Switch rack"),
        name=[
            f"{pod.name}-{names.switch_racks}-r{number:02d}"
            for number in range(1, -(-count // SWITCHES_A_RACK) + 1)
        ],
    )
    devices = writer.insert(
        _device(pod, called.switch, parts.switch),
        name=names.switches,
        rack_id=[racks[number // SWITCHES_A_RACK] for number in range(count)],
        position=[1 + number % SWITCHES_A_RACK * SWITCH_UNITS for number in range(count)],
    )
    switches = writer.insert(
        reached_at(Switch(pod=pod, status=status(Switch, "Active")), address),
        number=range(count),
        target=names.switches if address else [""] * count,
        called=names.switches if address else [""] * count,
        device_id=devices,
        axis=[AXES[axis].lower() for axis, _ in layout.switches],
        index=["-".join(map(str, index)) for _, index in layout.switches],
    )
    labels = layout.port_names[layout.ports_per_cube :]
    interfaces = writer.insert(
        _interface(called),
        device_id=[device for device in devices for _ in labels],
        name=labels * count,
    )
    writer.insert(
        Port(pod=pod),
        number=range(layout.cube_ports, layout.cube_ports + len(interfaces)),
        interface_id=interfaces,
        switch_id=[switch for switch in switches for _ in labels],
    )


def rows_of_switches(names: Names) -> int:
    """How many rows the switches of a pod are."""
    count, ports = len(names.layout.switches), names.layout.ports_per_switch
    return -(-count // SWITCHES_A_RACK) + count * (2 + 2 * ports)


def reached_at(record: Switch | Cube | Block, address: str) -> Any:
    """A record as its load has it: behind a gateway devices are called by their names."""
    record.address, record.is_vouched = address, True
    if address:
        record.confirmed_by, record.confirmed_at = ConfirmedBy.LOAD.value, timezone.now()
    return record


def write_cubes(
    pod: Pod,
    names: Names,
    slots: tuple[int, ...],
    cube_status: str,
    parts: Parts,
    writer: Writer,
    address: str = "",
) -> None:
    """Cubes in some slots: rack, trays, ports, and a transceiver in a bay for each."""
    if not slots:
        return
    layout = names.layout
    trays, units, called = layout.cube.trays, tray_units(pod.to_core()), roles_of(names)
    racks = writer.insert(
        _rack(pod, called.rack, max(RACK_UNITS, trays)), name=[names.cube(slot) for slot in slots]
    )
    numbers = [(slot - 1) * trays + tray for slot in slots for tray in range(trays)]
    devices = writer.insert(
        _device(pod, called.tray, parts.tray),
        name=[names.device(number) for number in numbers],
        rack_id=[rack for rack in racks for _ in range(trays)],
        position=[1 + tray * units for tray in range(trays)] * len(slots),
    )
    cubes = writer.insert(
        reached_at(Cube(pod=pod, status=status(Cube, cube_status)), address),
        slot=slots,
        rack_id=racks,
        target=[names.cube(slot) if address else "" for slot in slots],
        called=[names.cube(slot) if address else "" for slot in slots],
    )
    device_of = dict(zip(numbers, devices, strict=True))
    per_cube = layout.ports_per_cube
    ports = [(slot - 1) * per_cube + port for slot in slots for port in range(per_cube)]
    at = [device_of[device] for device in layout.device[ports].tolist()]
    labels = layout.port_names[:per_cube]
    interfaces = writer.insert(_interface(called), device_id=at, name=labels * len(slots))
    bays: list[UUID] | list[None] = [None] * len(ports)
    if parts.transceiver:
        bays = write_transceivers(at, labels * len(slots), layout.lanes, parts, writer)
    writer.insert(
        Port(pod=pod),
        number=ports,
        interface_id=interfaces,
        cube_id=[cube for cube in cubes for _ in labels],
        module_bay_id=bays,
    )


def rows_of_cubes(names: Names, slots: Collection[int]) -> int:
    """How many rows the cubes in some slots are."""
    layout = names.layout
    # An interface and a port each; a bay and a transceiver for those that share one.
    of_ports = 2 * layout.ports_per_cube
    if layout.medium is not Medium.PACKET:
        of_ports += 2 * layout.ports_per_cube // layout.lanes
    return len(slots) * (2 + layout.cube.trays + of_ports)


def write_transceivers(
    devices: list[UUID], labels: list[str], lanes: int, parts: Parts, writer: Writer
) -> list[UUID]:
    """A bay and its transceiver for every optical port; the bay of each interface.

    The cables of one port share its transceiver: `4.3.2/X+/1` and `/2` are in bay `4.3.2/X+`.
    """
    names = [label.rpartition("/")[0] if lanes > 1 else label for label in labels]
    of_port = list(zip(devices, names, strict=True))
    distinct = list(dict.fromkeys(of_port))
    bays = writer.insert(
        ModuleBay(module_family=parts.bay),
        parent_device_id=[device for device, _ in distinct],
        name=[name for _, name in distinct],
        position=[name for _, name in distinct],
    )
    writer.insert(
        Module(module_type=parts.transceiver, status=status(Module, "Active")),
        parent_module_bay_id=bays,
    )
    bay_of = dict(zip(distinct, bays, strict=True))
    return [bay_of[port] for port in of_port]


def _rack(pod: Pod, kind: str, units: int = RACK_UNITS) -> Rack:
    return Rack(
        location=pod.location,
        status=status(Rack, "Active"),
        role=role(Rack, kind),
        u_height=units,
    )


def _device(pod: Pod, kind: str, model: DeviceType) -> Device:
    return Device(
        location=pod.location,
        device_type=model,
        status=status(Device, "Active"),
        role=role(Device, kind),
        face="front",
    )


def _interface(called: Roles) -> Interface:
    return Interface(
        type="other", status=status(Interface, "Active"), role=role(Interface, called.port)
    )
