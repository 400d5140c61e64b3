"""Where racks stand, for a phone: row and place as the paper of the same order has them.

A phone asks again every few seconds, and racks are hardly ever moved: they are read once a minute.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.core.cache import cache

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.orders.floor import Spot
from fabric_twin.models import Pod
from fabric_twin.repositories.floor import floor_of
from fabric_twin.repositories.pod_record import PodRecord

#: Seconds for which places are kept.
KEPT = 60


@dataclass(frozen=True)
class RackPlaces:
    """Where racks stand, and which rack each device is in, by name."""

    spots: Mapping[str, Spot] = field(default_factory=dict)
    rack_of: Mapping[str, str] = field(default_factory=dict)

    def rack(self, device: str) -> str:
        """The rack of a device; empty where nobody knows."""
        return self.rack_of.get(device, "")


def rack_places(pod: Pod) -> RackPlaces:
    """Where the racks of a pod stand; a technician goes on without a pod whose design is gone."""
    key = f"fabric_twin.rack_places.{pod.pk}"
    places = cache.get(key)
    if not isinstance(places, RackPlaces):
        try:
            floor = floor_of(PodRecord(pod))
        except FabricTwinError:
            return RackPlaces()
        places = RackPlaces(dict(floor.spots), dict(floor.rack_of))
        cache.set(key, places, KEPT)
    return places
