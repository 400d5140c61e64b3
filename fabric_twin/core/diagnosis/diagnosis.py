"""What a diagnosis says in the end."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fabric_twin.core.audit.findings import Report
from fabric_twin.core.diagnosis.last_good import GoodLight
from fabric_twin.core.findings.proof import Proof


@dataclass(frozen=True)
class Diagnosis(Report):
    """A report on a pod that also looked at its fabric."""

    #: Devices of which nothing new is known, and why: nothing is said of what lies behind them.
    unobserved: Mapping[str, str] = field(default_factory=dict)
    #: Whether what a proof asks for was seen.
    well: Callable[[Proof], bool] = field(default=lambda _proof: False, repr=False, compare=False)
    #: Light of the paths that are good, to be remembered.
    good: GoodLight = field(default_factory=GoodLight.none, repr=False, compare=False)
    #: Recorded cables that light was seen to agree with, by name.
    agreed: tuple[str, ...] = field(default=(), repr=False, compare=False)

    def as_json(self) -> dict[str, Any]:
        """The report as the contract has it, with who was not observed."""
        return super().as_json() | {"unobserved": dict(self.unobserved)}
