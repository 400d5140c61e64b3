"""A bench whose light is remembered from look to look; and years of switching with drift alone."""

from dataclasses import replace
from typing import Any

import numpy as np

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.diagnosis import Diagnosis
from fabric_twin.core.diagnosis.last_good import GoodLight
from fabric_twin.core.diagnosis.pictures import Baseline
from fabric_twin.core.tickets.qualification import Qualified, qualified
from fabric_twin.dialects.sonic import KVM, Dialect
from tests.diagnosis.bench import Bench, ring_of

SLOTS = (1, 2, 3, 4)
SWITCH = "p1-ocs-x-1-1"
#: Of `fabric_twin.simulator.optics`: modules that make an error in 1e10 bits, and many more with a
#: little less light.
KEEN = {"_SNR_FLOOR": 600.0, "_SENSITIVITY": -5.2}


class Remembering:
    """A bench, and somebody who remembers how light was."""

    def __init__(
        self,
        design: str = "ironwood",
        slots: tuple[int, ...] = SLOTS,
        dialect: Dialect = KVM,
    ) -> None:
        self.bench = Bench.build(design, slots=slots, ring=False, dialect=dialect)
        self.slots, self.light = slots, GoodLight.none()
        self.more: dict[str, Any] = {}

    def switch(self, circuits: Circuits) -> None:
        """Make circuits, all others go."""
        self.bench.want(circuits)
        self.bench.clock.step(60.0)

    def turn(self, turn: int) -> None:
        """Join each cube to the next but so many."""
        self.switch(ring_of(self.bench.intended, self.slots, turn=turn))

    @property
    def baseline(self) -> Baseline:
        """The good days of the bench, and what is remembered."""
        return replace(self.bench.baseline, light=self.light)

    def look(self) -> Diagnosis:
        """Look, and remember what is good."""
        told = self.bench.diagnose(baseline=self.baseline, **self.more)
        self.light = self.light.with_later(told.good)
        return told

    def qualify(self) -> Qualified:
        """What a ticket that made all of these circuits says of them."""
        names = self.bench.intended.names
        added = [Circuit(*row, "s1") for row in self.bench.wanted.circuits.named(names)]
        return qualified(self.bench.pictures(baseline=self.baseline, **self.more), added)

    def dirty(self, loss: float, back: float = -46.0) -> int:
        """Soil the connector in the switch."""
        return self.bench.break_it(
            "dirty", device=SWITCH, port="2B", loss_db=loss, reflection_db=back
        ).number


class Drift:
    """All circuits made anew, as chance has it; modules are warmer or colder each time."""

    def __init__(self, seed: int, design: str = "ironwood") -> None:
        self.known, self.random = Remembering(design), np.random.default_rng(seed)
        self.each = len(ring_of(self.known.bench.intended, SLOTS))
        #: How many circuits were made, and what was said of them.
        self.switched, self.named = 0, list[str]()

    def switch(self) -> None:
        """make all circuits, wait an hour, and look."""
        known, random = self.known, self.random
        ring = ring_of(known.bench.intended, SLOTS)
        b = ring.b.copy()
        for switch in np.unique(ring.switch):
            mine = ring.switch == switch
            b[mine] = random.permutation(b[mine])
        known.switch(Circuits(ring.switch, ring.a, b))
        known.bench.clock.step(random.uniform(0.5, 1.5) * 3600)
        parts = known.bench.pod.parts
        # dB that a module sends less when it is warm: ten degrees more or less, each by itself.
        parts.faded[:] = random.uniform(0.0, 0.1, len(parts.faded))
        parts.changed()
        self.switched += len(ring)
        self.named += [str(one) for part in known.qualify() for one in part]
        self.named += [finding.cause for finding in known.look().findings]
