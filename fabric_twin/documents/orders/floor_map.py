"""Where an order leads: racks on the floor as they stand, with each one's turn."""

from collections import defaultdict
from dataclasses import dataclass

from fabric_twin.core.orders.floor import Floor
from fabric_twin.core.orders.order import WorkOrder


@dataclass(frozen=True)
class RackCell:
    """A rack as it is drawn."""

    rack: str
    row: int
    place: int
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
        return f"{self.rack}, row {self.row}, place {self.place}{turns}"


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
    cells = tuple(
        RackCell(rack, spot.row, spot.place, crew_of.get(rack, 0), tuple(turns[rack]))
        for rack, spot in sorted(floor.spots.items(), key=lambda item: item[1])
    )
    return FloorMap(
        rows=max((cell.row for cell in cells), default=1),
        places=max((cell.place for cell in cells), default=1),
        cells=cells,
        crews=tuple(crews),
    )
