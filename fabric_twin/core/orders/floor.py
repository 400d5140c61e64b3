"""Where racks stand, and how far it is from one to another.

    row 1   c001 c002 c003 ...             rows face each other over aisles; people walk
    row 2   c025 c026 ...                  along a row and change rows at its ends,
    row 3   ocs-r01 ocs-r02 ...            cables cross above all rows
    row 4   c049 ...

Racks of switches stand in the middle, so that the longest cable is short. These are defaults [A]:
a site with other places gives them. Racks in another building have rows of their own there; how far
it is, the length of cables says.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil, sqrt

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.pods.names import Names

#: Metres from rack to rack along a row, and from row to row [A].
RACK_M, ROW_M = 0.6, 2.4
#: Metres on foot to another building, where nobody knows how far it is [A].
AWAY_M = 500.0
#: Units of a rack, and of one switch in it [A]; trays fill theirs.
RACK_UNITS, SWITCH_UNITS = 48, 6
SWITCHES_A_RACK = RACK_UNITS // SWITCH_UNITS


@dataclass(frozen=True, order=True)
class Spot:
    """Where a rack stands: row and place counted from 1."""

    row: int
    place: int
    #: The building, where it is not that of the pod.
    building: str = ""

    def __str__(self) -> str:
        within = f"{self.building}, " if self.building else ""
        return f"{within}row {self.row}, place {self.place}"


#: Where people come in.
DOOR = Spot(1, 0)


@dataclass(frozen=True, eq=False)
class Floor:
    """Racks on a grid, and what is mounted in them."""

    #: Where each rack stands, by name.
    spots: Mapping[str, Spot]
    #: The rack of every device, and the lowest unit that it takes, by name.
    rack_of: Mapping[str, str]
    unit_of: Mapping[str, int] = field(default_factory=dict)
    rack_m: float = RACK_M
    row_m: float = ROW_M
    door: Spot = DOOR
    #: By building: metres to it, where somebody knows.
    away_m: Mapping[str, float] = field(default_factory=dict)

    def rack(self, device: str) -> str:
        """The rack of a device, or a refusal; a rack stands in itself."""
        rack = self.rack_of.get(device, device)
        if rack not in self.spots:
            raise UnusableInput(
                f"the place of {device[:60]} is not known",
                where="floor",
                remedy="Give its rack a row and a place",
            )
        return rack

    def knows(self, device: str) -> bool:
        """Whether it is known where a device stands."""
        return self.rack_of.get(device, device) in self.spots

    def spot(self, rack: str) -> Spot:
        """Where a rack stands."""
        return self.spots[self.rack(rack)]

    @cached_property
    def _last(self) -> Mapping[str, int]:
        """By building the place after the longest row: there the far aisle is."""
        last: dict[str, int] = defaultdict(lambda: 1)
        for spot in self.spots.values():
            last[spot.building] = max(last[spot.building], spot.place + 1)
        return last

    def walk_m(self, start: Spot, end: Spot) -> float:
        """Metres on foot: along a row, or round its nearer end; or to another building."""
        if start.building != end.building:
            return self.between_m(start, end) or AWAY_M
        if start.row == end.row:
            return abs(start.place - end.place) * self.rack_m
        places = start.place + end.place
        round_an_end = min(places, 2 * self._last[start.building] - places)
        return round_an_end * self.rack_m + abs(start.row - end.row) * self.row_m

    def between_m(self, start: Spot, end: Spot) -> float:
        """Metres from building to building; 0 where nobody knows."""
        return sum(self.away_m.get(spot.building, 0.0) for spot in (start, end))

    def cable_m(self, start: Spot, end: Spot) -> float:
        """Metres above the racks: along and across."""
        along = abs(start.place - end.place) * self.rack_m
        return along + abs(start.row - end.row) * self.row_m

    def in_turn(self, racks: Iterable[str]) -> list[str]:
        """Racks as one walks past them: up one row, down the next."""

        def turn(rack: str) -> tuple[str, int, int, str]:
            spot = self.spot(rack)
            return spot.building, spot.row, spot.place if spot.row % 2 else -spot.place, rack

        return sorted(set(racks), key=turn)

    def measured(self, rack_m: float, row_m: float) -> "Floor":
        """The same floor in other metres."""
        return replace(self, rack_m=rack_m, row_m=row_m)

    def moved(self, spots: Mapping[str, Spot]) -> "Floor":
        """The same racks, some of them in other places."""
        if unknown := sorted(spots.keys() - self.spots.keys()):
            raise UnusableInput(
                f"the pod has no rack {unknown[0][:60]!r}",
                where="floor",
                remedy=f"Name one like {next(iter(self.spots), 'iw1-c001')}",
            )
        placed = {**self.spots, **spots}
        taken: dict[Spot, str] = {}
        for rack, spot in placed.items():
            if (other := taken.setdefault(spot, rack)) != rack:
                raise UnusableInput(
                    f"{other} and {rack} both stand in {spot}",
                    where="floor",
                    remedy="Give each rack a place of its own",
                )
        return replace(self, spots=placed)


def default_floor(names: Names) -> Floor:
    """A hall about as deep as it is wide, the racks of switches in the middle.

    A block stands where the first of its places is; where no block is, nothing stands.
    """
    layout = names.layout
    begins = {slots.start: rack for rack, slots in names.answering.items()}
    cubes = [begins.get(slot, "") for slot in range(1, layout.slots + 1)]
    count = -(-len(layout.switches) // SWITCHES_A_RACK)
    switches = [f"{names.pod}-{names.switch_racks}-r{number:02d}" for number in range(1, count + 1)]
    across = max(1, ceil(sqrt(layout.slots * ROW_M / RACK_M)))
    rows = [cubes[first : first + across] for first in range(0, len(cubes), across)]
    beside = [switches[first : first + across] for first in range(0, count, across)]
    middle = len(rows) // 2
    rows = [*rows[:middle], *beside, *rows[middle:]]
    trays = layout.cube.trays
    each = max(1, RACK_UNITS // trays)
    devices = names.devices
    on_racks = {
        devices[(slot - 1) * trays + tray]: (rack, 1 + tray * each)
        for rack, slots in names.answering.items()
        for slot in slots
        for tray in range(trays)
    }
    for number, device in enumerate(devices[layout.slots * trays :]):
        rack, place = divmod(number, SWITCHES_A_RACK)
        on_racks[device] = switches[rack], 1 + place * SWITCH_UNITS
    return Floor(
        spots=_placed(rows, across),
        rack_of={device: rack for device, (rack, _) in on_racks.items()},
        unit_of={device: unit for device, (_, unit) in on_racks.items()},
    )


def _placed(rows: Sequence[Sequence[str]], across: int) -> dict[str, Spot]:
    """Each row centred in the hall."""
    return {
        rack: Spot(row, 1 + (across - len(racks)) // 2 + place)
        for row, racks in enumerate(rows, 1)
        for place, rack in enumerate(racks)
        if rack
    }
