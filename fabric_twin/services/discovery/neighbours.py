"""What cubes or blocks say in one round, as columns: whom each port hears, and its light."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.cabling.strand_plant import circuit_ends
from fabric_twin.core.discovery.cables import Port
from fabric_twin.core.discovery.report import Level
from fabric_twin.core.discovery.rounds import Mask
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, NOT_OF_DESIGN, Column
from fabric_twin.core.pods.names import Names
from fabric_twin.core.pods.told_ports import ToldPorts
from fabric_twin.switches.states import CubeState, SwitchState

Levels = NDArray[np.float64]


class Hearing:
    """Listens to the cubes or blocks of a pod, round by round; names are of the plant by strand."""

    def __init__(self, names: Names) -> None:
        self._names = names
        layout = names.layout
        #: By cube port: the best light that its port received, in dBm.
        self.received: Levels = np.full(layout.cube_ports, np.nan)
        self._loss: Levels = np.full(len(layout.mate), np.nan)
        self._ends = circuit_ends(names)
        self._told = ToldPorts(names)
        self._strangers: list[dict[int, Port]] = []

    def slots_of(self, cubes: Iterable[str]) -> list[int]:
        """The slots of some cubes or blocks."""
        return [slot for name in cubes for slot in self._names.answering[name]]

    def begin_anew(self) -> None:
        """Forget whom rounds showed; levels of light stay."""
        self._strangers.clear()

    def listen(self, cubes: Mapping[str, CubeState]) -> Column:
        """Whom each cube port claims to hear."""
        layout = self._names.layout
        claims = np.full(layout.cube_ports, NOT_KNOWN, np.int32)
        by: list[int] = []
        heard: list[Port] = []
        for name, state in cubes.items():
            mine = self._ports(name)
            claims[mine.start : mine.stop] = NO_PORT
            for port, neighbour in state.neighbours.items():
                if (local := self._told.local.get(port, len(mine))) < len(mine):
                    by.append(mine[local])
                    heard.append((neighbour.device, neighbour.port))
        found = np.array([self._told.number(*one) for one in heard], np.int32)
        claims[by] = found
        foreign = np.flatnonzero(found == NOT_OF_DESIGN).tolist()
        self._strangers.append({by[row]: heard[row] for row in foreign})
        for name, state in cubes.items():
            self._note_light(self._ports(name), state, claims)
        return claims

    def shining(self, cubes: Mapping[str, CubeState]) -> Mask:
        """Cube ports that have a transceiver, as far as their cubes say."""
        layout = self._names.layout
        shining = np.zeros(layout.cube_ports, np.bool_)
        for name, state in cubes.items():
            for number, port in zip(self._ports(name), self._told.local, strict=False):
                there = not state.transceivers or self._cage(port) in state.transceivers
                shining[number] = there
        return shining

    def strangers(self, found: Mapping[int, tuple[int, int]]) -> dict[int, Port]:
        """Names of those who are not of the pod, by the switch port they are in."""
        # The first time was before any round.
        return {port: self._strangers[number + 1][by] for port, (by, number) in found.items()}

    def note_losses(self, switch: str, state: SwitchState | None) -> None:
        """Keep what a switch measures between the ports of each circuit."""
        if state is None:
            return
        for pair, circuit in state.carried.items():
            for port in pair:
                if (at := self._ends.get((switch, port))) is not None:
                    self._loss[at] = circuit.insertion_loss

    def level(self, ports: Sequence[int], end: Column) -> Level:
        """The weakest light of a cable's cube ports, and the most that a switch loses of it."""
        some = list(ports)
        there = end[some]
        losses = self._loss[there[there >= 0]]
        return Level(_told(self.received[some], min), _told(losses, max))

    def _note_light(self, mine: range, state: CubeState, claims: Column) -> None:
        if not state.light.received.size:
            return
        rows = state.rows
        lanes = np.where(np.isnan(state.light.received), np.inf, state.light.received)
        weakest = lanes.min(axis=1)
        for number, port in zip(mine, self._told.local, strict=False):
            row = rows.get(self._cage(port))
            if row is not None and claims[number] != NO_PORT and np.isfinite(weakest[row]):
                self.received[number] = np.fmax(self.received[number], weakest[row])

    def _ports(self, name: str) -> range:
        return self._told.of(self._names.answering[name])

    def _cage(self, port: str) -> str:
        """The port that a strand is of."""
        return port.rpartition(":")[0] if self._names.layout.strands > 1 else port


def _told(levels: Levels, choose: Callable[[list[float]], float]) -> float | None:
    told = levels[~np.isnan(levels)].tolist()
    return round(choose(told), 2) if told else None
