"""What a part's loss costs: slices, owners, links, and what is left for others."""

from dataclasses import dataclass, replace
from typing import Any

from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import largest_shapes
from fabric_twin.core.slots import format_slots


@dataclass(frozen=True)
class Capacity:
    """What of a pod is left for slices to come."""

    #: Slots whose cube a slice of whole cubes may take.
    free: tuple[int, ...]
    #: How many cubes may be used at all, free or not.
    healthy: int
    #: The largest slices of whole cubes that the free ones would make, one shape of each kind.
    shapes: tuple[str, ...]
    #: How many cubes a slice has that bears so many switches; none where that is not asked.
    bear: int = 0
    bearing: int = 0

    def __str__(self) -> str:
        more = ""
        if self.bearing > len(self.free):
            more = f" ({self.bearing} if a slice bears {self.bear} switch{'es' * (self.bear != 1)})"
        if not self.free:
            return f"no free cube of {self.healthy} that are healthy{more}"
        many = len(self.free)
        largest = f"; largest shapes: {', '.join(self.shapes[:2])}" if self.shapes else ""
        cubes = f"{many} free cube{'s' * (many != 1)} of {self.healthy} that are healthy"
        return cubes + more + largest

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "free_cubes": len(self.free),
            "free_slots": format_slots(self.free),
            "healthy_cubes": self.healthy,
            "shapes": list(self.shapes),
        } | ({"bear": self.bear, "bearing_cubes": self.bearing} if self.bear else {})


def capacity_of(occupancy: Occupancy, bear: int = 0) -> Capacity:
    """What is left of a pod as it is used now, also for slices that bear so many switches."""
    free = tuple(sorted(occupancy.free))
    of_any = occupancy.design.medium.is_switched
    shapes = tuple(largest_shapes(occupancy.design.cube, len(free))) if free and of_any else ()
    bearing = 0
    if bear and of_any:
        cubes = replace(occupancy.bearing_cubes, held_back=0)  # these are free, too
        bearing = len(cubes.usable(bear))
    return Capacity(free, occupancy.healthy, shapes, bear, bearing)


@dataclass(frozen=True)
class Blast:
    """Whom a change concerns, or what is touched by it."""

    #: Slices that lose a cube or a link, be it that they move or that they cannot.
    slices: tuple[str, ...]
    #: Those of them that stay and bear it: they are slower, and do not stand still.
    bearing: tuple[str, ...]
    #: Owners of circuits that go; empty is nobody.
    owners: tuple[str, ...]
    #: Links of the torus that go dark, for a while or for good.
    links: int
    before: Capacity
    #: When all is done, and for as long as something is out of service.
    after: Capacity

    def as_json(self) -> dict[str, Any]:
        """For programs, and for a ticket's record."""
        return {
            "slices": list(self.slices),
            "bearing": list(self.bearing),
            "owners": list(self.owners),
            "links": self.links,
            "capacity_before": self.before.as_json(),
            "capacity_left": self.after.as_json(),
        }
