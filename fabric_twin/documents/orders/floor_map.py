"""Where an order leads: racks on the floor as they stand, with each one's turn."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from fabric_twin.core.orders.floor import Floor, Spot
from fabric_twin.core.orders.order import WorkOrder


@dataclass(frozen=True)
class RackCell:
    """A rack as it is drawn."""

    rack: str
    #: Row and place on paper, and in words where it stands: rows of other buildings come below.
    row: int
    place: int
    where: str
    #: The crew that comes (0 for none), and when: 1 is its first visit.
    crew: int
    turns: tuple[int, ...]

    @property
    def look(self) -> str:
        """What is seen first, in a word that the templates know."""
        return f"owner-{1 + (self.crew - 1) % 5}" if self.crew else "free"

    @property
    def said(self) -> str:
        """The turns, in a word."""
        return ",".join(map(str, self.turns))

    @property
    def summary(self) -> str:
        """All of it, when pointed at."""
        turns = f": crew {self.crew}, visit {self.said}" if self.crew else ""
        return f"{self.rack}, {self.where}{turns}"


@dataclass(frozen=True)
class FloorMap:
    """The drawing's facts."""

    rows: int
    places: int
    cells: tuple[RackCell, ...]
    crews: tuple[tuple[int, int, float], ...]


def floor_map(order: WorkOrder, floor: Floor) -> FloorMap:
    """All racks of the floor, and the walk of each crew."""
    turns: dict[str, list[int]] = defaultdict(list)
    crew_of: dict[str, int] = {}
    crews = []
    for crew in range(1, order.crews + 1):
        visits = [visit[0] for visit in order.visits(crew)]
        for turn, go in enumerate(visits, 1):
            turns[go.rack].append(turn)
            crew_of[go.rack] = crew
        crews.append((crew, len(visits), round(sum(go.metres for go in visits), 1)))
    by_building = sorted(floor.spots.items(), key=lambda item: (item[1].building, item[1]))
    above = _rows_above([spot for _, spot in by_building])
    cells = tuple(
        RackCell(
            rack,
            above[spot.building] + spot.row,
            spot.place,
            str(spot),
            crew_of.get(rack, 0),
            tuple(turns[rack]),
        )
        for rack, spot in by_building
    )
    return FloorMap(
        rows=max((cell.row for cell in cells), default=1),
        places=max((cell.place for cell in cells), default=1),
        cells=cells,
        crews=tuple(crews),
    )


def _rows_above(spots: Sequence[Spot]) -> dict[str, int]:
    """By building: how many rows are drawn above its first, with one between two buildings."""
    above: dict[str, int] = {}
    drawn = 0
    for building in dict.fromkeys(spot.building for spot in spots):
        above[building] = drawn
        drawn += max(spot.row for spot in spots if spot.building == building) + 1
    return above
