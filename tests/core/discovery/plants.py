"""A plant that nobody sees, and the light in it: who would see whom through which circuits.

It knows nothing of how discovery thinks: fibres, circuits, light.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from fabric_twin.core.cabling.plant import Intended, intended_plant
from fabric_twin.core.cabling.strand_plant import by_strand
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.designs import find_design
from fabric_twin.core.discovery import Discovery, Observed

NOBODY = -3


@dataclass
class HiddenPlant:
    """Which fibre is really in which switch port."""

    intended: Intended
    #: By cube port: the switch port its fibre is in, or nothing.
    plugged: dict[int, int]
    #: Cube ports whose light does not reach the other end of their fibre.
    dark: set[int]
    #: Which switch is really spoken to by the number of each.
    addresses: list[int]
    #: What a cube port says it is called, where that is not so.
    alias: dict[int, int]

    @classmethod
    def as_ruled(cls, design: str, slots: tuple[int, ...] | None = None) -> "HiddenPlant":
        intended = _intended(design, slots)
        plugged = dict(zip(intended.a.tolist(), intended.b.tolist(), strict=True))
        count = len(intended.names.layout.switches)
        return cls(intended, plugged, set(), list(range(count)), {})

    @property
    def layout(self):
        return self.intended.names.layout

    def light(self, circuits: Circuits) -> np.ndarray:
        """Whom each cube port says it sees."""
        inside = {switch: cube for cube, switch in self.plugged.items() if cube not in self.dark}
        sees = np.full(self.layout.cube_ports, NOBODY)
        per, radix, first = self.layout.ports_per_switch, self.layout.radix, self.layout.cube_ports
        rows = zip(*(c.tolist() for c in (circuits.switch, circuits.a, circuits.b)), strict=True)
        for number, a, b in rows:
            switch = first + self.addresses[number] * per
            one, other = inside.get(switch + a - 1), inside.get(switch + radix + b - 1)
            if one is not None and other is not None:
                sees[one] = self.alias.get(other, other)
                sees[other] = self.alias.get(one, one)
        return sees

    def truth(self) -> dict[int, int]:
        """By lit cube port: the port it is in, as whoever speaks to the switches would call it."""
        called = {real: name for name, real in enumerate(self.addresses)}
        per, first = self.layout.ports_per_switch, self.layout.cube_ports
        found = {}
        for cube, port in self.plugged.items():
            if cube not in self.dark:
                switch, local = divmod(port - first, per)
                found[cube] = first + called[switch] * per + local
        return found


@lru_cache(maxsize=16)
def _intended(design: str, slots: tuple[int, ...] | None) -> Intended:
    return by_strand(intended_plant(find_design(design), "p1", slots))


def discover(plant: HiddenPlant, **options) -> tuple[Observed, Discovery]:
    """Go through all rounds."""
    discovery = Discovery(plant.intended, **options)
    while (circuits := discovery.next_round()) is not None:
        discovery.take(plant.light(circuits))
    return discovery.observed(), discovery
