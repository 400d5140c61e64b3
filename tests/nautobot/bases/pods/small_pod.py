"""Pods with a few cubes, made at once: what the tests of filters, API and slices stand on."""

from collections.abc import Iterable

from django.contrib.contenttypes.models import ContentType
from django.utils import timezone
from nautobot.dcim.models import (
    Cable,
    Device,
    DeviceType,
    Interface,
    Location,
    LocationType,
    Manufacturer,
    Rack,
)
from nautobot.extras.models import Role, Status

from fabric_twin.core.pods.names import Names
from fabric_twin.models import AgreedCable, Cube, LightAgreement, Pod, Port, Switch, WrittenEnd


def status_of(model: type, name: str = "Active") -> Status:
    """A status that the model may have."""
    return Status.objects.get_for_model(model).get(name=name)


def make_location(name: str, parent: Location | None = None) -> Location:
    """A hall, or what stands in one."""
    kind, _ = LocationType.objects.get_or_create(name="Hall", nestable=True)
    kind.content_types.set(ContentType.objects.get_for_models(Rack, Device).values())
    return Location.objects.create(
        name=name, location_type=kind, parent=parent, status=status_of(Location)
    )


def make_pod(
    name: str,
    *,
    design: str = "tpu-v4",
    slots: Iterable[int] = range(1, 9),
    location: Location | None = None,
) -> Pod:
    """A pod with all of its switches, and a cube in each of these slots."""
    location = location or make_location(f"Hall of {name}")
    pod = Pod.objects.create(name=name, design=design, location=location, status=status_of(Pod))
    names = Names(pod.to_core().layout, name)
    racks = Rack.objects.bulk_create(
        Rack(name=names.cube(slot), location=location, status=status_of(Rack)) for slot in slots
    )
    active = status_of(Cube)
    Cube.objects.bulk_create(
        Cube(pod=pod, slot=slot, rack=rack, status=active)
        for slot, rack in zip(slots, racks, strict=True)
    )
    _make_switches(pod, names)
    return pod


def make_devices(pod: Pod, names: Iterable[str]) -> list[Device]:
    """Devices where the pod stands."""
    maker, _ = Manufacturer.objects.get_or_create(name="Maker")
    kind, _ = DeviceType.objects.get_or_create(model="Box", manufacturer=maker)
    role = Role.objects.get(name="Tray")
    status = status_of(Device)
    return Device.objects.bulk_create(
        Device(name=name, device_type=kind, role=role, status=status, location=pod.location)
        for name in names
    )


def _make_switches(pod: Pod, names: Names) -> None:
    active, switches = status_of(Switch), []
    for number, device in enumerate(make_devices(pod, names.switches)):
        switch = Switch(pod=pod, number=number, device=device, status=active)
        switch.place(*names.layout.switches[number])
        switches.append(switch)
    Switch.objects.bulk_create(switches)


def add_ports(pod: Pod, numbers: Iterable[int]) -> list[Port]:
    """Interfaces for some of the pod's ports, and the devices that carry them."""
    names, layout = Names(pod.to_core().layout, pod.name), pod.to_core().layout
    cubes = {cube.slot: cube for cube in pod.cubes.all()}
    switches = {switch.device.name: switch for switch in pod.switches.select_related("device")}
    devices = {name: switch.device for name, switch in switches.items()}
    ends = {number: names.port(number) for number in numbers}
    missing = sorted({device for device, _ in ends.values()} - devices.keys())
    devices |= {device.name: device for device in make_devices(pod, missing)}
    active, ports = status_of(Interface), []
    interfaces = Interface.objects.bulk_create(
        Interface(device=devices[device], name=port, type="other", status=active)
        for device, port in ends.values()
    )
    for (number, (device, _)), interface in zip(ends.items(), interfaces, strict=True):
        cube = cubes[int(layout.slot[number])] if number < layout.cube_ports else None
        ports.append(
            Port(
                pod=pod,
                number=number,
                interface=interface,
                cube=cube,
                switch=None if cube else switches[device],
            )
        )
    return Port.objects.bulk_create(ports)


def cable_together(interfaces: list[Interface]) -> None:
    """A cable from each first interface to each second."""
    connected = status_of(Cable, "Connected")
    for a, b in zip(interfaces[::2], interfaces[1::2], strict=True):
        Cable(status=connected, termination_a=a, termination_b=b).save()


def add_written_ends(pod: Pod, many: int = 3) -> list[WrittenEnd]:
    """Cables of which nobody has the port at one end."""
    connected = status_of(Cable, "Connected")
    cables = Cable.objects.bulk_create(
        Cable(label=f"{pod.name} {number}", status=connected) for number in range(many)
    )
    return WrittenEnd.objects.bulk_create(
        WrittenEnd(pod=pod, cable=cable, cable_end="B", device="panel 4", port=str(number))
        for number, cable in enumerate(cables)
    )


def add_agreed_cables(pod: Pod, many: int = 3) -> list[AgreedCable]:
    """Cables that light agreed with, each at a moment of its own."""
    connected, now = status_of(Cable, "Connected"), timezone.now()
    cables = Cable.objects.bulk_create(
        Cable(label=f"{pod.name} lit {number}", status=connected) for number in range(many)
    )
    agreements = LightAgreement.objects.bulk_create(LightAgreement(pod=pod, at=now) for _ in cables)
    return AgreedCable.objects.bulk_create(
        AgreedCable(cable=cable, agreement=agreement, a=number, b=number)
        for number, (cable, agreement) in enumerate(zip(cables, agreements, strict=True))
    )
