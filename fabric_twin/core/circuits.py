"""Circuits as columns: which A port each switch joins to which B port, and for whom.

    iw1-ocs-x-3-2   7A ---- 9B      one row: switch ocs-x-3-2, a = 7, b = 9

In a paired plant a link from duplex port p to q is two rows: pA-qB and qA-pB.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fabric_twin.core.names import Names
from fabric_twin.core.rule import Column


@dataclass(frozen=True, eq=False)
class Circuits:
    """Cross-connects of a pod; a and b are port numbers from 1 on their sides."""

    #: The number of the switch in `Layout.switches`.
    switch: Column
    a: Column
    b: Column

    def __len__(self) -> int:
        """How many circuits there are."""
        return len(self.switch)

    @classmethod
    def none(cls) -> "Circuits":
        """No circuits."""
        return cls(*(np.zeros(0, dtype=np.int32) for _ in range(3)))

    def named(self, names: Names) -> Iterator[tuple[str, str, str]]:
        """Switch and ports as SONiC names them: `("iw1-ocs-x-3-2", "7A", "9B")`."""
        devices = names.switches
        for switch, a, b in zip(*(c.tolist() for c in (self.switch, self.a, self.b)), strict=True):
            yield devices[switch], f"{a}A", f"{b}B"


def joined(parts: Sequence[Circuits]) -> Circuits:
    """All circuits of several sets."""
    if not parts:
        return Circuits.none()
    return Circuits(
        np.concatenate([part.switch for part in parts]),
        np.concatenate([part.a for part in parts]),
        np.concatenate([part.b for part in parts]),
    )
