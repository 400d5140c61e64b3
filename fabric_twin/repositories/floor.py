"""Where the racks of a pod stand, by Nautobot's racks; what nobody wrote down is as by default."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple
from uuid import UUID

from nautobot.dcim.models import Device, Location, Rack

from fabric_twin.core.cabling.lengths import Lengths
from fabric_twin.core.orders.floor import Floor, Spot, default_floor
from fabric_twin.first_records import RACK_PLACE, RACK_ROW
from fabric_twin.models import Pod
from fabric_twin.repositories.pod_record import PodRecord


class Elsewhere(NamedTuple):
    """A block that is to come into another building."""

    building: str
    #: Metres of its cables; 0 where it is not said.
    cable_m: float = 0.0


def floor_of(record: PodRecord, coming: Mapping[str, Elsewhere] = MappingProxyType({})) -> Floor:
    """The racks and devices of a pod, and those of cubes or blocks that are still to come.

    `coming` says by device which of these come into another building.
    """
    floor = default_floor(record.names)
    rack_of, unit_of = dict(floor.rack_of), dict(floor.unit_of)
    buildings = Buildings(record.pod)
    building_of: dict[str, str] = {}
    devices = _devices(record.pod)
    called = _called(devices, record.pod)
    for one in devices:
        rack_of[one.device] = rack = called[one.rack]
        unit_of[one.device] = one.unit or 0
        building_of[rack] = buildings.name(one.location)
    building_of |= {rack_of[device]: at.building for device, at in coming.items()}
    written = _written(record.pod, called, building_of)
    racks = set(rack_of.values())
    spots = {rack: spot for rack, spot in written.items() if rack in racks}
    beyond = max((spot.row for spot in spots.values() if not spot.building), default=0)
    for rack, spot in floor.spots.items():
        if rack in racks and rack not in spots and not building_of.get(rack):
            spots[rack] = Spot(beyond + spot.row, spot.place)
    spots |= _rows_of_their_own(racks - spots.keys(), spots.values(), building_of)
    away = buildings.away_m(record.lengths) | {
        at.building: at.cable_m for at in coming.values() if at.cable_m
    }
    return Floor(spots, rack_of, unit_of, away_m=away).moved({})


class Buildings:
    """Locations that are not the pod's, nor within it."""

    def __init__(self, pod: Pod) -> None:
        self._pod = pod
        within = pod.location.descendants(include_self=True)
        self._within = set(within.values_list("pk", flat=True))
        self._names: dict[UUID, str] = {}

    def name(self, location: UUID) -> str:
        """What another building is called; empty for the pod's own, where all cubes stand."""
        if location in self._within or not self._pod.is_network:
            return ""
        if location not in self._names:
            there = Location.objects.get(pk=location)
            # Two may have one name: then where each is tells them apart.
            is_there = there.name in self._names.values()
            self._names[location] = there.display if is_there else there.name
        return self._names[location]

    def away_m(self, lengths: Lengths) -> dict[str, float]:
        """By building: metres of the longest way that is recorded from a block there."""
        found: dict[str, float] = {}
        if not self._names or not len(lengths):
            return found
        each = self._pod.to_core().layout.ports_per_cube
        rows = self._pod.blocks.filter(device__rack__location__in=self._names).order_by()
        for first, strands, location in rows.values_list(
            "first_port", "strands", "device__rack__location_id"
        ):
            begins = (first - 1) * each
            longest = float(lengths[begins : begins + strands].max(initial=0.0))
            building = self._names[location]
            if longest:
                found[building] = max(found.get(building, 0.0), longest)
        return found


def racks_of(pod: Pod) -> dict[str, UUID]:
    """The racks of a pod by what its floor calls them."""
    return {name: rack for rack, name in _called(_devices(pod), pod).items()}


class _At(NamedTuple):
    """A device of a pod in its rack: which rack that is, where, and the device's lowest unit."""

    device: str
    rack: UUID
    rack_name: str
    location: UUID
    unit: int | None


def _devices(pod: Pod) -> list[_At]:
    """Every device of the pod that is in a rack."""
    trays = Device.objects.filter(rack__fabric_cube__pod=pod)
    blocks = Device.objects.filter(fabric_block__pod=pod, rack__isnull=False)
    switches = Device.objects.filter(fabric_switch__pod=pod, rack__isnull=False)
    columns = ("name", "rack_id", "rack__name", "rack__location_id", "position")
    found = (rows.order_by().values_list(*columns) for rows in (trays, blocks, switches))
    return [_At(*row) for rows in found for row in rows]


def _called(devices: Iterable[_At], pod: Pod) -> dict[UUID, str]:
    """By rack: its name; where others of one name stand elsewhere, with their location."""
    racks = {one.rack: (one.rack_name, one.location) for one in devices}
    first: dict[str, UUID] = {}
    called: dict[tuple[str, UUID], str] = {}
    for name, location in sorted({*racks.values()}, key=lambda at: (at[1] != pod.location_id, at)):
        called[name, location] = name
        if first.setdefault(name, location) != location:
            there = Location.objects.get(pk=location)
            said = f"{name} ({there.name})"
            taken = said in called.values()
            called[name, location] = f"{name} ({there.display})" if taken else said
    return {rack: called[at] for rack, at in racks.items()}


def _written(
    pod: Pod, called: Mapping[UUID, str], building_of: Mapping[str, str]
) -> Mapping[str, Spot]:
    """Where racks stand by what is written on them; two in one place are two of one default."""
    found: dict[str, Spot] = {}
    taken: dict[Spot, str] = defaultdict(str)
    for rows in (
        Rack.objects.filter(fabric_cube__pod=pod),
        Rack.objects.filter(devices__fabric_block__pod=pod).distinct(),
        Rack.objects.filter(devices__fabric_switch__pod=pod).distinct(),
    ):
        columns = rows.order_by("name").values_list("pk", "name", "_custom_field_data")
        for key, name, fields in columns:
            rack = called.get(key, name)
            row, place = fields.get(RACK_ROW), fields.get(RACK_PLACE)
            if isinstance(row, int) and isinstance(place, int):
                spot = Spot(row, place, building_of.get(rack, ""))
                if not taken[spot]:
                    found[rack] = spot
                    taken[spot] = rack
    return found


def _rows_of_their_own(
    racks: Iterable[str], placed: Iterable[Spot], building_of: Mapping[str, str]
) -> dict[str, Spot]:
    """Racks of which nobody said where they stand: a row of their own in their building."""
    last: dict[str, int] = defaultdict(int)
    for spot in placed:
        last[spot.building] = max(last[spot.building], spot.row)
    found: dict[str, Spot] = {}
    places: dict[str, int] = defaultdict(int)
    for rack in sorted(racks):
        building = building_of.get(rack, "")
        places[building] += 1
        found[rack] = Spot(last[building] + 1, places[building], building)
    return found
