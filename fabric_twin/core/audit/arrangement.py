"""Where wrong cables stand and where they are wanted, seen from both panels.

Of the ends of a cable the near one has the lower level (in a pod: a cube's port, and between two
cubes the `+` end), the far end the other.
Each end stands at one port; the cable's other end says at which it is wanted:

    near   c1 ------ s2   far        near end wanted at mate(s2), far end wanted at mate(c1)
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from fabric_twin.core.fabric.columns import NO_PORT, Column
from fabric_twin.core.fabric.plant import IntendedPlant, Recorded


@dataclass(frozen=True, eq=False)
class Standing:
    """Wrong cables with two known ends, as columns of ports."""

    row: Column
    near: Column
    far: Column
    #: NO_PORT where the rule has none.
    near_wanted: Column
    far_wanted: Column

    @classmethod
    def of(cls, intended: IntendedPlant, recorded: Recorded, rows: list[int]) -> Self:
        """Look at some rows of the recorded plant."""
        row = np.array(rows, dtype=np.int32)
        a, b = recorded.a[row], recorded.b[row]
        known = (a >= 0) & (b >= 0)
        row, a, b = row[known], a[known], b[known]
        swap = intended.fabric.is_far(a, b)
        near, far = np.where(swap, b, a), np.where(swap, a, b)
        return cls(row, near, far, intended.mate[far], intended.mate[near])


@dataclass(frozen=True, eq=False)
class Panel:
    """One end of wrong cables as positions (see `Fabric.line`), in the order wanted.

    wanted   5 6 7 8             5 6 7 8               5  6  7  8
    stands   6 7 8 9             8 7 6 5               20 21 22 23
             step +1             mirror 13             step +15
    """

    row: Column
    wanted: Column
    stands: Column

    @classmethod
    def near(cls, intended: IntendedPlant, standing: Standing) -> Self:
        """The panels of units."""
        return cls._sorted(intended, standing.row, standing.near_wanted, standing.near)

    @classmethod
    def far(cls, intended: IntendedPlant, standing: Standing) -> Self:
        """The panels of switches (of units, where there are none)."""
        return cls._sorted(intended, standing.row, standing.far_wanted, standing.far)

    @classmethod
    def _sorted(cls, intended: IntendedPlant, row: Column, wanted: Column, stands: Column) -> Self:
        fabric = intended.fabric
        there = wanted != NO_PORT
        # What stands at a unit's port but is wanted at a switch's was not moved along a panel.
        there &= (fabric.unit[wanted] == 0) == (fabric.unit[stands] == 0)
        row, wanted, stands = row[there], fabric.line[wanted[there]], fabric.line[stands[there]]
        order = np.lexsort((row, wanted))
        return cls(row[order], wanted[order], stands[order])

    @property
    def step(self) -> Column:
        """How far along the panel each cable was moved."""
        return self.stands - self.wanted

    @property
    def mirror(self) -> Column:
        """Equal for cables that were turned back to front about one point."""
        return self.stands + self.wanted

    @cached_property
    def _place(self) -> dict[int, int]:
        return {row: place for place, row in enumerate(self.row.tolist())}

    def only(self, rows: list[int]) -> "Panel":
        """The panel with some of the cables."""
        place = self._place
        chosen = sorted(place[row] for row in rows if row in place)
        return Panel(self.row[chosen], self.wanted[chosen], self.stands[chosen])
