"""Where findings are, as rows: their names looked up in the inventory, all at once."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Q
from nautobot.dcim.models import Device, Rack

from fabric_twin.core.fabric.plant import End
from fabric_twin.models import FindingPlace, Pod
from fabric_twin.operations.audits.finding_rows import Found

_BATCH = 2000


def write_places(
    pod: Pod, keys: Mapping[str, UUID], found: Sequence[Found], cables: Mapping[str, str]
) -> None:
    """Write a row for each port and each cable that the findings name."""
    if not found:
        return
    ports, devices = _ports(pod, found), _devices(pod, found)
    rows: list[FindingPlace] = []
    for one in found:
        finding = keys[one.key]
        for number, (device, port) in enumerate(one.finding.ports):
            port_key, device_key, rack = ports.get((device, port), (None, None, None))
            if device_key is None:
                device_key, rack = devices.get(device, (None, None))
            rows.append(
                FindingPlace(
                    finding_id=finding,
                    number=number,
                    port_id=port_key,
                    device_id=device_key,
                    rack_id=rack,
                    device_name=device,
                    port_name=port,
                )
            )
        first = len(one.finding.ports)
        rows += [
            FindingPlace(
                finding_id=finding,
                number=first + number,
                cable_id=cables.get(name),
                cable_name=name,
            )
            for number, name in enumerate(one.finding.cables)
        ]
    FindingPlace.objects.bulk_create(rows, batch_size=_BATCH)


def _ports(pod: Pod, found: Sequence[Found]) -> dict[End, tuple[Any, Any, Any]]:
    """By device and port: the port, its device and its rack."""
    devices = {device for one in found for device, _ in one.finding.ports}
    rows = pod.ports.filter(interface__device__name__in=devices).order_by()
    return {
        (device, port): (pk, device_pk, rack)
        for device, port, pk, device_pk, rack in rows.values_list(
            "interface__device__name",
            "interface__name",
            "pk",
            "interface__device",
            "interface__device__rack",
        )
    }


def _devices(pod: Pod, found: Sequence[Found]) -> dict[str, tuple[Any, Any]]:
    """The pod's devices by name, for ports that they do not have; a cube is called as its rack."""
    names = {device for one in found for device, _ in one.finding.ports}
    of_pod = Q(fabric_switch__pod=pod) | Q(fabric_block__pod=pod) | Q(rack__fabric_cube__pod=pod)
    rows = Device.objects.filter(of_pod, name__in=names).order_by()
    racks = Rack.objects.filter(fabric_cube__pod=pod, name__in=names).order_by()
    cubes: dict[str, tuple[Any, Any]] = {
        name: (None, pk) for name, pk in racks.values_list("name", "pk")
    }
    return cubes | {name: (pk, rack) for name, pk, rack in rows.values_list("name", "pk", "rack")}
