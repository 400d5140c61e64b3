"""Pods to make orders for: small, of every kind of plant, and broken at random."""

import random
from dataclasses import dataclass

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.cabling.plant import Intended, intended_plant
from fabric_twin.core.designs import find_design
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.orders.finding import Found
from fabric_twin.core.orders.floor import Floor, default_floor
from fabric_twin.core.orders.planning.plugs import Plugs
from fabric_twin.core.orders.steps import End

DESIGNS = ("ironwood", "tpu-v4", "tpu-v4-duplex", "tpu-v4-cwdm8", "tpu-v5p")


@dataclass(frozen=True, eq=False)
class Pod:
    """A pod as it should be, and where its racks stand."""

    intended: Intended
    floor: Floor

    def recorded(self) -> Recorded:
        """A record that fits the rule."""
        intended = self.intended
        names = intended.names.cables(intended.a)
        return Recorded(names, intended.a.copy(), intended.b.copy())

    def plugs(self, recorded: Recorded | None = None) -> Plugs:
        """The same by name."""
        return Plugs.recorded(recorded or self.recorded(), self.intended.names)

    @property
    def pairs(self) -> set[frozenset[End]]:
        """What the rule joins."""
        return self.plugs().pairs

    def found(self, recorded: Recorded) -> list[Found]:
        """What an audit of a record says."""
        return [Found.of(f) for f in audit_cabling(self.intended, recorded).findings]


def pod(design: str = "ironwood", slots: range = range(1, 5), name: str = "p1") -> Pod:
    intended = intended_plant(find_design(design), name, slots)
    return Pod(intended, default_floor(intended.names))


def shuffled(pod: Pod, seed: int, mistakes: int) -> Recorded:
    """A plant with some cables exchanged, some gone."""
    recorded, dice = pod.recorded(), random.Random(seed)
    gone = []
    for _ in range(mistakes):
        kind = dice.choice(("swap", "far", "cycle", "gone"))
        first = dice.randrange(len(recorded.b) - 3)
        rows = {
            "swap": [first, first + 1],
            "far": [first, dice.randrange(len(recorded.b))],
            "cycle": dice.sample(range(len(recorded.b)), 3),
        }.get(kind, [])
        if len(set(rows)) == len(rows) > 1:
            recorded.b[rows] = recorded.b[[*rows[1:], rows[0]]]
        elif not rows:
            gone.append(first)
    keep = [row not in gone for row in range(len(recorded.b))]
    import numpy as np

    return recorded.only(np.array(keep))
