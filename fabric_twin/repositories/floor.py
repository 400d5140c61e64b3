"""Where the racks of a pod stand, by Nautobot's racks; what nobody wrote down is as by default."""

from collections import defaultdict
from collections.abc import Mapping

from nautobot.dcim.models import Device, Rack

from fabric_twin.core.orders.floor import Floor, Spot, default_floor
from fabric_twin.first_records import RACK_PLACE, RACK_ROW
from fabric_twin.repositories.pod_record import PodRecord


def floor_of(record: PodRecord) -> Floor:
    """The racks and devices of a pod, and those of cubes or blocks that are still to come."""
    floor = default_floor(record.names)
    rack_of, unit_of = dict(floor.rack_of), dict(floor.unit_of)
    numbers = _devices(record)
    for name, rack, unit in numbers:
        if rack:
            rack_of[name] = rack
            unit_of[name] = unit or 0
    written = _written(record)
    racks = set(rack_of.values())
    spots = {rack: spot for rack, spot in written.items() if rack in racks}
    beyond = max((spot.row for spot in spots.values()), default=0)
    for rack, spot in floor.spots.items():
        if rack in racks and rack not in spots:
            spots[rack] = Spot(beyond + spot.row, spot.place)
    # Racks of the operator's own, of which nobody said where they stand: a row of their own.
    last = max((spot.row for spot in spots.values()), default=0) + 1
    for place, rack in enumerate(sorted(racks - spots.keys()), 1):
        spots[rack] = Spot(last, place)
    return Floor(spots, rack_of, unit_of).moved({})


def _devices(record: PodRecord) -> list[tuple[str, str, int]]:
    """Every device of the pod: its name, its rack's, and its lowest unit."""
    pod = record.pod
    trays = Device.objects.filter(rack__fabric_cube__pod=pod)
    blocks = Device.objects.filter(fabric_block__pod=pod)
    switches = Device.objects.filter(fabric_switch__pod=pod)
    columns = ("name", "rack__name", "position")
    found = (rows.order_by().values_list(*columns) for rows in (trays, blocks, switches))
    return [row for rows in found for row in rows]


def _written(record: PodRecord) -> Mapping[str, Spot]:
    """Where racks stand by what is written on them; two in one place are two of one default."""
    pod = record.pod
    found: dict[str, Spot] = {}
    taken: dict[Spot, str] = defaultdict(str)
    for rows in (
        Rack.objects.filter(fabric_cube__pod=pod),
        Rack.objects.filter(devices__fabric_block__pod=pod).distinct(),
        Rack.objects.filter(devices__fabric_switch__pod=pod).distinct(),
    ):
        for name, fields in rows.order_by("name").values_list("name", "_custom_field_data"):
            row, place = fields.get(RACK_ROW), fields.get(RACK_PLACE)
            if isinstance(row, int) and isinstance(place, int):
                spot = Spot(row, place)
                if not taken[spot]:
                    found[name] = spot
                    taken[spot] = name
    return found
