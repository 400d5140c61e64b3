"""What one wrong cable is called by itself, and which name comes first where several fit."""

from fabric_twin.core.audit.differences import Differences
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, NOT_OF_DESIGN
from fabric_twin.core.fabric.fabric import Fabric
from fabric_twin.core.fabric.plant import IntendedPlant, Recorded

FIRST = ("unknown-port", "doubled-port")
LAST = ("spare-in-use", "wrong-port", "unexpected", "dark")


def order_of(fabric: Fabric) -> tuple[str, ...]:
    """Where several codes fit a cable, the first of these."""
    return (*FIRST, *(key.code for key in fabric.keys), *LAST)


class Codes:
    """Names wrong cables by the first rule that they break."""

    def __init__(self, intended: IntendedPlant, recorded: Recorded, found: Differences) -> None:
        self._fabric, self._mate = intended.fabric, intended.mate
        self._recorded, self._doubled = recorded, found.doubled
        self.order = order_of(self._fabric)

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
        return self._misplaced(*self._fabric.near_first(ends))

    def hangs(self, row: int) -> bool:
        """Whether an end of the cable is not known."""
        return NOT_KNOWN in (int(self._recorded.a[row]), int(self._recorded.b[row]))

    def _is_free_spare(self, port: int) -> bool:
        return port >= 0 and bool(self._fabric.spare[port]) and self._mate[port] == NO_PORT

    def _misplaced(self, near: int, far: int) -> str:
        """Compare a port with what belongs where its cable's far end stands."""
        fabric = self._fabric
        spare = self._is_free_spare(far)
        belongs = int(self._mate[far])
        if belongs == NO_PORT:  # a spare took over: the port still is what it was
            belongs = int(fabric.mate[far])
        if belongs == NO_PORT:  # a port of what is to come says itself what it serves
            belongs = far
        for key in fabric.keys:
            here = int(key.value[near])
            there = fabric.served(key, far) if spare else {int(key.value[belongs])}
            if here >= 0 and max(there, default=-1) >= 0 and here not in there:
                return key.code
        return "spare-in-use" if spare else "wrong-port"
