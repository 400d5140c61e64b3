"""Links that unhealthy ports take from a cube: one bit for each link of a face.

    X+ of cube 7    index 1,1  1,2  1,3 ..  3,2 .. 4,4      16 links, 32 where a port has two lanes
    lost                                     #              bit 9

A join of cube P to cube Q lacks what P lost at `+` and what Q lost at `-`. How many switches that
is depends on the design: a switch carries one index of an axis, two, or one lane of an index.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from fabric_twin.core.cube import SIGNS
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.pods.layout import Layout

#: Links of a face, as bits: index by index, lane by lane.
Lost = int
#: What a cube lost at each of its faces, in the order X+ X- Y+ Y- Z+ Z-.
Faces = tuple[Lost, ...]


@dataclass(frozen=True)
class Carried:
    """Which links of a join each switch carries, by axis."""

    #: All links of a join.
    every: Lost
    by_axis: tuple[tuple[Lost, ...], ...]

    def bears(self, axis: int, lost: Lost, most: int) -> bool:
        """Whether a join can do without these links: few enough switches, and a link is left."""
        if not lost:
            return True
        return lost != self.every and sum(1 for of in self.by_axis[axis] if of & lost) <= most

    def bears_alone(self, faces: Faces, most: int) -> bool:
        """Whether a cube can be joined at all: to whole cubes, at least."""
        return all(self.bears(face // 2, lost, most) for face, lost in enumerate(faces))


def carried_by(layout: Layout) -> Carried:
    """What the switches of a design carry, read from its rule."""
    by_axis = (carried_along(layout, axis) for axis in range(layout.cube.dimensions))
    every = (1 << links_of_a_face(layout)) - 1
    return Carried(every, tuple(tuple(along.values()) for along in by_axis))


def carried_along(layout: Layout, axis: int) -> dict[int, Lost]:
    """What each switch carries of a join along an axis, by the number of the switch."""
    links = links_of_a_face(layout)
    # The rule brings an index of all cubes, and both of its signs, to one switch.
    plus = layout.mate[2 * axis * links : (2 * axis + 1) * links]
    switches = (plus - layout.cube_ports) // layout.ports_per_switch
    return {int(number): _bits(switches == number) for number in np.unique(switches)}


def links_of_a_face(layout: Layout) -> int:
    """How many links a join has, indices times lanes: at most, where the faces differ in size."""
    return int(np.bincount(layout.axis).max()) // len(SIGNS)


def lost_by_slot(layout: Layout, mate: Column, failed: Collection[int]) -> Mapping[int, Faces]:
    """What unhealthy ports, of switches or cubes, take from each cube that has any."""
    links, faces = links_of_a_face(layout), len(layout.cube.faces)
    lost: dict[int, list[Lost]] = {}
    for port in failed:
        end = port if port < layout.cube_ports else int(mate[port])
        if end >= 0:
            slot, local = divmod(end, layout.ports_per_cube)
            face, link = divmod(local, links)
            lost.setdefault(slot + 1, [0] * faces)[face] |= 1 << link
    return {slot: tuple(of) for slot, of in lost.items()}


def many(faces: Faces) -> int:
    """How many links of a cube are lost."""
    return sum(lost.bit_count() for lost in faces)


def _bits(links: "np.typing.NDArray[np.bool_]") -> Lost:
    return sum(1 << int(link) for link in np.flatnonzero(links))
