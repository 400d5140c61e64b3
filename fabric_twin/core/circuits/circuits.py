"""Circuits as columns: which A port each switch joins to which B port, and for whom.

    iw1-ocs-x-3-2   7A ---- 9B      one row: switch ocs-x-3-2, a = 7, b = 9

In a paired plant a link from duplex port p to q is two rows: pA-qB and qA-pB.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.pods.names import Names


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


def left_of(circuits: Circuits, gone: Collection[tuple[int, int, int]]) -> Circuits:
    """The circuits without some, which are given by switch, A and B."""
    most = 1 + max([int(circuits.a.max(initial=0)), int(circuits.b.max(initial=0))])
    table = np.array([row for row in gone if max(row[1:]) < most], dtype=np.int64).reshape(-1, 3)
    key = (circuits.switch.astype(np.int64) * most + circuits.a) * most + circuits.b
    stays = ~np.isin(key, (table[:, 0] * most + table[:, 1]) * most + table[:, 2])
    return Circuits(circuits.switch[stays], circuits.a[stays], circuits.b[stays])


def numbered(rows: Sequence[Circuit], names: Names) -> tuple[Circuits, list[Circuit]]:
    """The circuits that a pod can have as columns, and the same by name, row for row.

    Left out is what no switch of the pod could hold; a port may be in two circuits all the same,
    since it is for people to see that it is.
    """
    switches = {name: number for number, name in enumerate(names.switches)}
    last = names.layout.radix
    found, kept = [], []
    for row in rows:
        sides, (a, b) = (row.a[-1:], row.b[-1:]), (int(row.a[:-1]), int(row.b[:-1]))
        if row.switch in switches and sides == ("A", "B") and max(a, b) <= last and min(a, b) > 0:
            found.append((switches[row.switch], a, b))
            kept.append(row)
    table = np.array(found, dtype=np.int32).reshape(-1, 3)
    return Circuits(table[:, 0], table[:, 1], table[:, 2]), kept
