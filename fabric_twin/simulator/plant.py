"""The hidden plant: which cable is really plugged where, and in what state it is.

It begins as the rule wants it; mistakes, faults and technicians change it.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.fabric.columns import Column
from fabric_twin.simulator.points import NOWHERE, Points

Levels = NDArray[np.float64]

#: dB along a cable with its two clean connectors, and along a kilometre of fibre [A].
CABLE_LOSS, FIBRE_LOSS = 0.35, 0.35


@dataclass(eq=False)
class Plant:
    """All cables of a pod; their columns are indexed by cable, those of dirt by port."""

    points: Points
    #: What is printed on each cable.
    names: list[str]
    #: The ports of both ends, or NOWHERE for an end that hangs loose.
    a: Column
    b: Column
    crossed: NDArray[np.bool_]
    broken: NDArray[np.bool_]
    #: dB along each cable.
    loss: Levels
    #: By port: dB along the fibre of a cable that is laid there, which is as long as its way.
    fibre: Levels
    #: dB lost at each port's connector, and what it throws back (dB under what is sent).
    dirt: Levels
    glare: Levels
    #: Counts changes, so that others know when to look again.
    version: int = 0
    _across: Column | None = field(default=None, repr=False)
    _cable_loss: Levels | None = field(default=None, repr=False)

    @classmethod
    def as_intended(cls, intended: Intended, points: Points, seed: int) -> "Plant":
        """The plant that the rule wants."""
        random = np.random.default_rng([seed, 1])
        cables, ports = len(intended.a), len(intended.mate)
        fibre = np.zeros(ports)
        fibre[: len(intended.lengths)] = intended.lengths / 1000 * FIBRE_LOSS
        return cls(
            points,
            points.names.cables(intended.a),
            intended.a.copy(),
            intended.b.copy(),
            crossed=np.zeros(cables, np.bool_),
            broken=np.zeros(cables, np.bool_),
            loss=CABLE_LOSS + random.gamma(2.0, 0.06, cables) + fibre[intended.a],
            fibre=fibre,
            dirt=np.zeros(ports),
            # Return loss of a clean connector: -46 dB typically, -38 dB at worst (facts, 4).
            glare=np.clip(random.normal(-46.0, 1.8, ports), -54.0, -39.0),
        )

    @property
    def across(self) -> Column:
        """The point at the other end of the strand that is plugged into each point."""
        if self._across is None:
            self._across = np.full(len(self.points), NOWHERE, dtype=np.int32)
            whole = (self.a != NOWHERE) & (self.b != NOWHERE) & ~self.broken
            a, b, crossed = self.a[whole], self.b[whole], self.crossed[whole]
            for strand in range(self.points.strands):
                near = self.points.of(a, strand)
                far = np.where(crossed, self.points.of(b, 1 - strand), self.points.of(b, strand))
                self._across[near], self._across[far] = far, near
        return self._across

    @property
    def cable_loss(self) -> Levels:
        """dB along the cable that is plugged into each port."""
        if self._cable_loss is None:
            self._cable_loss = np.zeros(len(self.dirt))
            for ends in (self.a, self.b):
                plugged = ends != NOWHERE
                self._cable_loss[ends[plugged]] = self.loss[plugged]
        return self._cable_loss

    def changed(self) -> None:
        """Something was plugged, or mended."""
        self.version += 1
        self._across = self._cable_loss = None

    def cable_at(self, port: int) -> int:
        """The cable that is plugged into a port, or NOWHERE."""
        found = np.flatnonzero((self.a == port) | (self.b == port))
        return int(found[0]) if found.size else NOWHERE

    def find(self, cable: str) -> int:
        """The number of a cable by what is printed on it, or a refusal."""
        try:
            return self.names.index(cable)
        except ValueError:
            raise UnusableInput(
                f"the plant has no cable {cable[:60]!r}",
                where="cable",
                remedy="Name a cable as the cut sheet of the rule does",
            ) from None

    def plug(self, cable: int, end: str, port: int) -> None:
        """Plug one end of a cable into a port, or into none; a port takes one cable."""
        there = self.cable_at(port) if port != NOWHERE else NOWHERE
        if there not in (NOWHERE, cable):
            device, name = self.points.names.port(port)
            raise NotPossible(
                f"the cable {self.names[there]} is in port {name} of {device}",
                where=self.names[cable],
                remedy="Unplug it first",
            )
        (self.a if end == "a" else self.b)[cable] = port
        self.changed()

    def add(self, name: str, a: int, b: int) -> int:
        """Lay a new cable, loose at both ends, and plug it in."""
        number = len(self.names)
        self.names.append(name)
        loose = np.array([NOWHERE], dtype=np.int32)
        self.a, self.b = np.append(self.a, loose), np.append(self.b, loose)
        self.crossed, self.broken = np.append(self.crossed, False), np.append(self.broken, False)
        self.loss = np.append(self.loss, CABLE_LOSS + max(self.fibre[[a, b]]))
        self.plug(number, "a", a)
        self.plug(number, "b", b)
        return number

    def swap(self, cable: int, other: int) -> None:
        """Exchange the switch ends of two cables."""
        self.b[[cable, other]] = self.b[[other, cable]]
        self.changed()
