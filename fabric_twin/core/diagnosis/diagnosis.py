"""What a diagnosis says in the end."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fabric_twin.core.audit.findings import Report


@dataclass(frozen=True)
class Diagnosis(Report):
    """A report on a pod that also looked at its fabric."""

    #: Devices of which nothing new is known, and why: nothing is said of what lies behind them.
    unobserved: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The report as the contract has it, with who was not observed."""
        return super().as_json() | {"unobserved": dict(self.unobserved)}
