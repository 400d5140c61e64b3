"""Look at the light of new circuits: ask the switches and the cubes at both ends."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from fabric_twin.switches.states import CubeState, FactoryLoss, Pair, SwitchState

#: A circuit by its switch and ports.
Path = tuple[str, Pair]


@dataclass(frozen=True)
class Light:
    """Who looks at the light of new circuits."""

    intended: Intended
    fabric: Fabric
    baseline: Baseline
    limits: Limits
    clock: Callable[[], float]
    #: What switches said of the factory: it does not change while somebody looks.
    factory: dict[Path, FactoryLoss | None] = field(default_factory=dict)

    def look(
        self,
        added: Sequence[Circuit],
        known: Mapping[str, SwitchState],
        meanwhile: Callable[[], object] = lambda: None,
    ) -> Qualified:
        """Say which circuits are bad, and which are worse than before.

        The cubes or blocks at both ends are asked, and switches that were not just read; something
        else is done until they have answered.
        """
        told = {circuit.switch for circuit in added}
        asked = self.fabric.read_circuits(sorted(told - known.keys()))
        switches = Answers({**known, **asked.given}, asked.missing)
        circuits, named = numbered(added, self.intended.names)
        cubes = [c for c in cubes_behind(self.intended, circuits) if c in self.fabric.cubes]
        new = {
            row: (named[row].switch, (named[row].a, named[row].b))
            for row in np.flatnonzero(~np.isfinite(self.baseline.of(circuits)[0])).tolist()
        }
        pictures = Pictures(
            intended=self.intended,
            shown=observe(self.intended, switches, self._ask(cubes, new.values(), meanwhile)),
            now=self.clock(),
            baseline=self._baseline(circuits, new),
            limits=self.limits,
        )
        return qualified(pictures, added)

    def _ask(
        self, cubes: Sequence[str], new: Iterable[Path], meanwhile: Callable[[], object]
    ) -> Answers[CubeState]:
        """Ask cubes for light, and switches at the same time what new circuits lost when made."""
        asked: dict[str, list[Pair]] = defaultdict(list)
        for switch, pair in new:
            if (switch, pair) not in self.factory:
                asked[switch].append(pair)
        light, losses = self.fabric.read_cubes_and_factory(cubes, asked, meanwhile)
        for switch, told in losses.given.items():
            self.factory.update(((switch, pair), told.get(pair)) for pair in asked[switch])
        return light

    def _baseline(self, circuits: Circuits, new: Mapping[int, Path]) -> Baseline:
        """Good days; and what the factory says of circuits that had none.

        Who has no such table, or does not answer, is held to the budget.
        """
        losses = {row: loss for row, path in new.items() if (loss := self.factory.get(path))}
        rows = list(losses)
        values = np.array(list(losses.values()), np.float64).reshape(-1, 2)
        there = Circuits(circuits.switch[rows], circuits.a[rows], circuits.b[rows])
        return self.baseline.with_factory(there, values[:, 0], values[:, 1])
