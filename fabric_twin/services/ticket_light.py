"""Look at the light of new circuits: ask the switches and the cubes at both ends."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fabric_twin.core.diagnosis.pictures import Baseline, Limits, Pictures
from fabric_twin.core.plans import Circuit
from fabric_twin.core.plant import Intended
from fabric_twin.core.tickets.carrying import Bad
from fabric_twin.core.tickets.qualification import cubes_behind, qualified
from fabric_twin.services.observe import observe
from fabric_twin.switches.fabric import Answers, Fabric


@dataclass(frozen=True)
class Light:
    """Who looks at the light of new circuits."""

    intended: Intended
    fabric: Fabric
    baseline: Baseline
    limits: Limits
    clock: Callable[[], float]

    def bad(self, added: Sequence[Circuit]) -> tuple[Bad, ...]:
        """Ask the switches and the cubes at both ends, and say which circuits are bad."""
        switches = sorted({circuit.switch for circuit in added})
        cubes = [c for c in cubes_behind(self.intended, added) if c in self.fabric.cubes]
        pictures = Pictures(
            intended=self.intended,
            shown=observe(
                self.intended,
                self.fabric.read_circuits(switches),
                self.fabric.read_cubes(cubes) if cubes else Answers({}, {}),
            ),
            now=self.clock(),
            baseline=self.baseline,
            limits=self.limits,
        )
        return qualified(pictures, added)
