"""Look at the light of new circuits: ask the switches and the cubes at both ends."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.circuits import Circuits, numbered
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.diagnosis.limits import Limits
from fabric_twin.core.diagnosis.pictures import Baseline, Pictures
from fabric_twin.core.tickets.qualification import Qualified, cubes_behind, qualified
from fabric_twin.services.audits.observe import observe
from fabric_twin.switches.fabric import Answers, Fabric
from fabric_twin.switches.states import FactoryLoss, Pair, SwitchState


@dataclass(frozen=True)
class Light:
    """Who looks at the light of new circuits."""

    intended: Intended
    fabric: Fabric
    baseline: Baseline
    limits: Limits
    clock: Callable[[], float]
    #: What switches said of the factory: it does not change while somebody looks.
    factory: dict[tuple[str, Pair], FactoryLoss | None] = field(default_factory=dict)

    def look(self, added: Sequence[Circuit], known: Mapping[str, SwitchState]) -> Qualified:
        """Say which circuits are bad, and which are worse than before.

        The cubes at both ends are asked, and switches that were not just read.
        """
        told = {circuit.switch for circuit in added}
        asked = self.fabric.read_circuits(sorted(told - known.keys()))
        switches = Answers({**known, **asked.given}, asked.missing)
        cubes = [c for c in cubes_behind(self.intended, added) if c in self.fabric.cubes]
        pictures = Pictures(
            intended=self.intended,
            shown=observe(
                self.intended,
                switches,
                self.fabric.read_cubes(cubes) if cubes else Answers({}, {}),
            ),
            now=self.clock(),
            baseline=self._baseline(added),
            limits=self.limits,
        )
        return qualified(pictures, added)

    def _baseline(self, added: Sequence[Circuit]) -> Baseline:
        """Good days; and what the factory says of circuits that had none.

        Who has no such table, or does not answer, is held to the budget.
        """
        circuits, known = numbered(added, self.intended.names)
        never = np.flatnonzero(~np.isfinite(self.baseline.of(circuits)[0]))
        new = [known[at] for at in never.tolist()]
        asked: dict[str, list[Pair]] = defaultdict(list)
        for one in new:
            if (one.switch, (one.a, one.b)) not in self.factory:
                asked[one.switch].append((one.a, one.b))
        for switch, told in self.fabric.read_factory(asked).given.items():
            self.factory.update(((switch, pair), told.get(pair)) for pair in asked[switch])
        losses = [self.factory.get((one.switch, (one.a, one.b))) for one in new]
        rows = never[[loss is not None for loss in losses]]
        values = np.array([loss for loss in losses if loss], np.float64).reshape(-1, 2)
        there = Circuits(circuits.switch[rows], circuits.a[rows], circuits.b[rows])
        return self.baseline.with_factory(there, values[:, 0], values[:, 1])
