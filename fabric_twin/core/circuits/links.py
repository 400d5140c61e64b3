"""What circuits join: seen from the cubes, not from the switch.

cube 7, X+ 3,2 ---- 7A [ ocs-x-3-2 ] 9B ---- cube 9, X- 3,2
\\________ near ________/            \\________ far ________/
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.circuits import Circuits, numbered
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.cube import AXES
from fabric_twin.core.fabric.columns import NO_PORT, Column
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.rule import Plant

#: Axis, the slot whose `+` it is, the slot whose `-` it is.
Join = tuple[int, int, int]


def cube_ports_behind(layout: Layout, circuits: Circuits, mate: Column) -> tuple[Column, Column]:
    """The cube ports at the A and the B end of circuits, or NO_PORT; `mate` has the cables."""
    first = layout.cube_ports + circuits.switch * layout.ports_per_switch - 1
    b_side = layout.radix if layout.plant is Plant.SPLIT else 0
    return mate[first + circuits.a], mate[first + b_side + circuits.b]


def slots_behind(intended: Intended, circuits: Circuits) -> set[int]:
    """The slots of the cubes that some circuits join."""
    layout = intended.design.layout
    if not len(circuits):
        return set()
    ends = np.concatenate(cube_ports_behind(layout, circuits, intended.mate))
    return set(layout.slot[ends[ends != NO_PORT]].tolist())


def joins_of(intended: Intended, circuits: Circuits) -> list[Join | None]:
    """The join that each circuit is a part of; None where it joins no `+` to a `-`."""
    layout = intended.design.layout
    near, far = cube_ports_behind(layout, circuits, intended.mate)
    cabled = (near != NO_PORT) & (far != NO_PORT)
    local = near % layout.ports_per_cube, far % layout.ports_per_cube
    sign = layout.sign[local[0]], layout.sign[local[1]]
    same_axis = layout.axis[local[0]] == layout.axis[local[1]]
    joins = cabled & same_axis & (sign[0] != sign[1])
    # In a paired plant light leaves both ends by the A side; a rule may put `+` on the B side.
    plus, minus = np.where(sign[0] == 0, near, far), np.where(sign[0] == 0, far, near)
    columns = (layout.axis[local[0]], layout.slot[plus], layout.slot[minus])
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [row if is_one else None for row, is_one in zip(rows, joins.tolist(), strict=True)]


def joined_cubes(intended: Intended, circuits: Circuits) -> list[dict[int, int]]:
    """Per axis, the slot whose `-` each slot's `+` is joined to.

    Siblings of an axis carry one permutation; where one is odd (a fault), most of them decide.
    """
    seen = Counter(join for join in joins_of(intended, circuits) if join)
    return agreed(intended.design.layout.cube.dimensions, seen)


def agreed(axes: int, seen: Mapping[Join, int]) -> list[dict[int, int]]:
    """The joins that most circuits show, one from and one to a slot on each axis.

    >>> agreed(1, {(0, 7, 9): 15, (0, 7, 8): 1, (0, 9, 7): 16})
    [{9: 7, 7: 9}]
    """
    joined: list[dict[int, int]] = [{} for _ in range(axes)]
    reached: list[set[int]] = [set() for _ in range(axes)]
    for axis, slot, following in sorted(seen, key=lambda join: (-seen[join], join)):
        if slot not in joined[axis] and following not in reached[axis]:
            joined[axis][slot] = following
            reached[axis].add(following)
    return joined


@dataclass(frozen=True)
class OddSiblings:
    """Circuits that join other cubes than their siblings, and joins that lack a few siblings."""

    odd: tuple[Circuit, ...]
    #: Each join of which most siblings are there but not all, and how many are.
    lacking: tuple[tuple[Join, int], ...]
    #: How many circuits a whole join has.
    whole: int

    def __str__(self) -> str:
        """What is odd, in words; nothing where nothing is."""
        if self.odd:
            more = f", and {len(self.odd) - 1:,} more do" if len(self.odd) > 1 else ""
            return f"{self.odd[0]} joins other cubes than its siblings of other indices{more}"
        if self.lacking:
            (axis, slot, to), many = self.lacking[0]
            more = f", and {len(self.lacking) - 1:,} more joins lack some"
            return (
                f"of the {self.whole} circuits that join slot {slot} to slot {to} along "
                f"{AXES[axis]} only {many} are there{more * (len(self.lacking) > 1)}"
            )
        return ""


def odd_siblings(intended: Intended, circuits: Sequence[Circuit]) -> OddSiblings:
    """Where the indices of an axis do not join the same cubes: no torus comes of that."""
    layout = intended.design.layout
    columns, rows = numbered(circuits, intended.names)
    joins = joins_of(intended, columns)
    seen = Counter(join for join in joins if join)
    most = agreed(layout.cube.dimensions, seen)
    whole = len(layout.cube.indices(0)) * layout.lanes * (1 + (layout.plant is Plant.PAIRED))
    return OddSiblings(
        odd=tuple(
            row
            for row, join in zip(rows, joins, strict=True)
            if join and most[join[0]].get(join[1]) != join[2]
        ),
        lacking=tuple(
            (join, many) for join, many in sorted(seen.items()) if whole < 2 * many < 2 * whole
        ),
        whole=whole,
    )
