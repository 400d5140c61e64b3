"""Look at the light of new circuits: ask the switches and the cubes at both ends."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from fabric_twin.core.diagnosis.pictures import Baseline, Limits, Pictures
from fabric_twin.core.plans import Circuit
from fabric_twin.core.plant import Intended
from fabric_twin.core.tickets.carrying import Bad
from fabric_twin.core.tickets.qualification import cubes_behind, qualified
from fabric_twin.services.observe import observe
from fabric_twin.switches.fabric import Answers, Fabric
from fabric_twin.switches.states import SwitchState


@dataclass(frozen=True)
class Light:
    """Who looks at the light of new circuits."""

    intended: Intended
    fabric: Fabric
    baseline: Baseline
    limits: Limits
    clock: Callable[[], float]

    def bad(self, added: Sequence[Circuit], known: Mapping[str, SwitchState]) -> tuple[Bad, ...]:
        """Say which circuits are bad: ask the cubes at both ends, and switches not just read."""
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
            baseline=self.baseline,
            limits=self.limits,
        )
        return qualified(pictures, added)
