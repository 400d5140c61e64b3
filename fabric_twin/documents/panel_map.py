"""The panel of a device, with the port that hands go to and what carries light beside it.

[ 5A ][ 6A* ][>7A<][ 8A* ][ 9A ]     * carries light: hands off
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from fabric_twin.core.names import Names
from fabric_twin.core.orders.lock import live_neighbours
from fabric_twin.core.orders.steps import End
from fabric_twin.documents.sheet import Document, table

#: Ports in a row of the drawing: so many are read on a telephone.
ACROSS = 12


@dataclass(frozen=True)
class PortCell:
    """A port as it is drawn."""

    port: str
    meant: bool
    live: bool
    #: Carries light within reach of a hand that goes to the port that is meant.
    near: bool

    @property
    def look(self) -> str:
        """What is seen first, in a word that the templates know."""
        return "owner-2" if self.meant else "owner-1" if self.live else "free"

    @property
    def summary(self) -> str:
        """All of it, for whoever points there."""
        said = ["here"] * self.meant + ["carries light"] * self.live
        return ", ".join([self.port, *said])


@dataclass(frozen=True)
class PanelMap:
    """The drawing's facts."""

    device: str
    across: int
    cells: tuple[PortCell, ...]

    @property
    def rows(self) -> int:
        """How many rows of ports there are."""
        return -(-len(self.cells) // self.across)


def panel_map(names: Names, port: End, live: Collection[int] = ()) -> Document:
    """The ports beside one port: of its side of a switch, or of its tray; `live` carry light."""
    layout = names.layout
    number = int(names.find([port[0]], [port[1]])[0])
    if number < 0:
        beside: list[int] = []
    elif number >= layout.cube_ports:
        first = number - (number - layout.cube_ports) % layout.radix
        beside = list(range(first, first + layout.radix))
    else:
        beside = np.flatnonzero(layout.device == layout.device[number]).tolist()
    near = set(live_neighbours(layout, number, live))
    cells = tuple(
        PortCell(names.port(at)[1], at == number, at in live, at in near) for at in beside
    )
    warned = [cell.port for cell in cells if cell.near]
    return Document(
        kind="panel-map",
        name=port[0],
        title=f"{port[0]} port {port[1]}",
        lines=(f"Live beside it: {', '.join(warned)}" if warned else "Nothing live beside it",),
        tables=(table("Ports", "port,what", ((c.port, c.summary) for c in cells)),),
        drawing=PanelMap(port[0], min(ACROSS, max(1, len(cells))), cells),
    )
