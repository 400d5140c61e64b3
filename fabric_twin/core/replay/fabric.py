"""The switches of a pod during a replay, and what slices of whole cubes can do without.

A switch carries the same links of every cube. So one that is out takes the same from each join of
its axis, and all slices of whole cubes are hit alike: nothing is worked out slice by slice.

    x-3-2 out            bear 0: slices of whole cubes stop, none can start
                         bear 1: they run on with 15/16 of X, new ones start
    x-3-2, x-4-1 out     bear 1: they stop
"""

from fabric_twin.core.design import Design
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.kinds import Verb
from fabric_twin.core.slices.bearing_cubes import check_bear
from fabric_twin.core.slices.lost_links import carried_along, carried_by, links_of_a_face


class Fabric:
    """Which switches are out now."""

    def __init__(self, design: Design, bear: int) -> None:
        layout = design.layout
        design.check_can(Verb.FAIL_SWITCHES, NotPossible)
        #: How many switches a join may lack.
        self.bear = check_bear(bear, design)
        self.switches = len(layout.switches)
        self.out: set[int] = set()
        #: How often a switch failed since the beginning, or was out at it.
        self.failures = 0
        #: Whether slices of whole cubes can be made and run.
        self.borne = True
        #: The share of the links that is left of the worst axis.
        self.capacity = 1.0
        self._links = links_of_a_face(layout)
        self._carried = carried_by(layout)
        self._along = [carried_along(layout, axis) for axis in range(layout.cube.dimensions)]

    def change(self, switch: int, *, out: bool) -> None:
        """A switch fails, or is in again."""
        if out:
            self.out.add(switch)
            self.failures += 1
        else:
            self.out.discard(switch)
        lost = [0] * len(self._along)
        for axis, carried in enumerate(self._along):
            for number in self.out:
                lost[axis] |= carried.get(number, 0)
        self.borne = all(
            self._carried.bears(axis, links, self.bear) for axis, links in enumerate(lost)
        )
        self.capacity = 1 - max(links.bit_count() for links in lost) / self._links
