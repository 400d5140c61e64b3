"""What circuits join: seen from the cubes, not from the switch.

cube 7, X+ 3,2 ---- 7A [ ocs-x-3-2 ] 9B ---- cube 9, X- 3,2
\\________ near ________/            \\________ far ________/
"""

from collections import Counter
from collections.abc import Mapping

from fabric_twin.core.circuits import Circuits
from fabric_twin.core.layout import NO_PORT, Layout
from fabric_twin.core.plant import Intended
from fabric_twin.core.rule import Column, Plant


def cube_ports_behind(layout: Layout, circuits: Circuits, mate: Column) -> tuple[Column, Column]:
    """The cube ports at the A and the B end of circuits, or NO_PORT; `mate` has the cables."""
    first = layout.cube_ports + circuits.switch * layout.ports_per_switch - 1
    b_side = layout.radix if layout.plant is Plant.SPLIT else 0
    return mate[first + circuits.a], mate[first + b_side + circuits.b]


def joined_cubes(intended: Intended, circuits: Circuits) -> list[dict[int, int]]:
    """Per axis, the slot whose `-` each slot's `+` is joined to.

    Siblings of an axis carry one permutation; where one is odd (a fault), most of them decide.
    """
    layout = intended.design.layout
    near, far = cube_ports_behind(layout, circuits, intended.mate)
    cabled = (near != NO_PORT) & (far != NO_PORT)
    near, far = near[cabled], far[cabled]
    local = near % layout.ports_per_cube
    forward = layout.sign[local] == 0
    columns = (layout.axis[local], layout.slot[near], layout.slot[far])
    rows = zip(*(column[forward].tolist() for column in columns), strict=True)
    return agreed(layout.cube.dimensions, Counter(rows))


def agreed(axes: int, seen: Mapping[tuple[int, int, int], int]) -> list[dict[int, int]]:
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
