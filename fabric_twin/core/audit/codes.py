"""What one wrong cable is called by itself, and which name comes first where several fit."""

import numpy as np

from fabric_twin.core.audit.differences import Differences
from fabric_twin.core.cabling.plant import Intended, Recorded
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, NOT_OF_DESIGN
from fabric_twin.core.rule import Plant

#: Where several codes fit, the first of these.
ORDER = (
    "unknown-port",
    "doubled-port",
    "wrong-axis",
    "wrong-index",
    "wrong-lane",
    "wrong-side",
    "spare-in-use",
    "wrong-port",
    "unexpected",
    "dark",
)


#: Every code of cabling: what several cables did together, what one did, and the rest.
CODES = (
    *("swapped", "rotated", "shifted", "reversed", "bundle-swapped"),
    *ORDER,
    *("missing", "crossed-pair"),
)


class Codes:
    """Names wrong cables by the first rule that they break."""

    def __init__(self, intended: Intended, recorded: Recorded, found: Differences) -> None:
        self._layout = intended.names.layout
        self._mate = intended.mate
        self._recorded, self._doubled = recorded, found.doubled

    def of(self, row: int, *, surplus: bool) -> str:
        """The code of one wrong cable; a surplus one is needed nowhere."""
        ends = (int(self._recorded.a[row]), int(self._recorded.b[row]))
        if NOT_OF_DESIGN in ends:
            return "unknown-port"
        if row in self._doubled:
            return "doubled-port"
        if self.hangs(row):
            return "spare-in-use" if any(map(self._is_free_spare, ends)) else "dark"
        if surplus:
            return "spare-in-use" if any(map(self._is_free_spare, ends)) else "unexpected"
        return self._misplaced(*sorted(ends))

    def hangs(self, row: int) -> bool:
        """Whether an end of the cable is not known."""
        return NOT_KNOWN in (int(self._recorded.a[row]), int(self._recorded.b[row]))

    def _is_free_spare(self, port: int) -> bool:
        return port >= 0 and bool(self._layout.spare[port]) and self._mate[port] == NO_PORT

    def _misplaced(self, near: int, far: int) -> str:
        """Compare a cube's port with what belongs where its cable's far end stands."""
        layout = self._layout
        spare = self._is_free_spare(far)
        belongs = self._resident(far) if spare else int(self._mate[far])
        if belongs == NO_PORT:  # a spare took over: the port still is what it was
            belongs = int(layout.mate[far])
        if near < layout.cube_ports and 0 <= belongs < layout.cube_ports:
            here, there = near % layout.ports_per_cube, belongs % layout.ports_per_cube
            home = layout.device[far] == layout.device[self._mate[near]]
            if layout.axis[here] != layout.axis[there]:
                return "wrong-axis"
            if not (spare and home):  # a spare serves every index of its switch
                if layout.index[here] != layout.index[there]:
                    return "wrong-index"
                if layout.lane[here] != layout.lane[there]:
                    return "wrong-lane"
            one_sided = not spare or layout.plant is Plant.SPLIT
            if one_sided and layout.sign[here] != layout.sign[there]:
                return "wrong-side"
        return "spare-in-use" if spare else "wrong-port"

    def _resident(self, spare: int) -> int:
        """Some cube port that the rule puts on the same side of a spare's switch."""
        layout = self._layout
        first = spare - (spare - layout.cube_ports) % layout.radix
        side = layout.mate[first : first + layout.radix]
        return int(side[np.argmax(side >= 0)])
