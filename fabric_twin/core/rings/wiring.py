"""The switches of a cluster as rings see them: where groups are on, and what joins switches.

Devices have their numbers of the layout: groups first, then tier 0, then tier 1.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterable
from functools import cached_property
from typing import NamedTuple

from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.groups.cluster import RADIX
from fabric_twin.core.groups.design import GroupsDesign
from fabric_twin.core.rings.plane import Plane, Way


class Exit(NamedTuple):
    """A port of a switch, and so the direction of the link that begins there."""

    switch: int
    port: int


#: The exits that lead from one switch to another; none where they are the same.
Path = tuple[Exit, ...]


class Wiring:
    """Answers by number what the layout of a design says by columns."""

    def __init__(self, design: GroupsDesign) -> None:
        self.design = design
        self.cluster, self.layout = design.cluster, design.layout

    def serves(self, group: int, axis: int) -> int:
        """The row of groups that a group is in, or the column: from 1."""
        return divmod(group, self.cluster.columns)[axis] + 1

    def tier_0(self, plane: Plane, serves: int) -> int:
        """The switch of a plane that serves a row of groups, or a column."""
        at = (plane.index - 1) * self.cluster.group.lanes + plane.lane - 1
        before = plane.axis * self.cluster.rows + serves - 1
        return self.cluster.groups + before * self.cluster.planes + at

    def switch_of(self, group: int, plane: Plane) -> int:
        """The switch that a group is on in a plane."""
        return self.tier_0(plane, self.serves(group, plane.axis))

    def leaves_at(self, group: int, plane: Plane, way: Way) -> int:
        """The port where what leaves a group comes in."""
        return self._port(group, plane, last=way is Way.FORWARD)

    def enters_at(self, group: int, plane: Plane, way: Way) -> int:
        """The port where what goes to a group goes out."""
        return self._port(group, plane, last=way is Way.BACKWARD)

    def _port(self, group: int, plane: Plane, *, last: bool) -> int:
        return 2 * self.serves(group, 1 - plane.axis) - (not last)

    def group_at(self, exit_: Exit) -> int | None:
        """The group that a port of a switch is for, if it is for one."""
        cluster = self.cluster
        before = (exit_.switch - cluster.groups) // cluster.planes
        axis = int(before >= cluster.rows)
        serves, across = before - axis * cluster.rows + 1, (exit_.port + 1) // 2
        if serves > cluster.tier_0(axis) or across > cluster.tier_0(1 - axis):
            return None
        row, column = (serves, across) if axis == 0 else (across, serves)
        return (row - 1) * cluster.columns + column - 1

    def far(self, exit_: Exit) -> Exit | None:
        """The other end of the cable between switches at a port, if there is one."""
        return self._between.get(exit_)

    @cached_property
    def _between(self) -> dict[Exit, Exit]:
        layout, first = self.layout, self.layout.cube_ports
        mates = layout.mate[first:].tolist()
        return {
            self._exit(port): self._exit(mate - first)
            for port, mate in enumerate(mates)
            if mate != NO_PORT and mate >= first
        }

    def exits_at(self, ports: Iterable[int]) -> set[Exit]:
        """Of ports by the numbers of the layout those of switches, or those that they are cabled
        to."""
        layout, first = self.layout, self.layout.cube_ports
        at = (port if port >= first else int(layout.mate[port]) for port in ports)
        return {self._exit(port - first) for port in at if port >= first}

    def _exit(self, port: int) -> Exit:
        switch, at = divmod(port, RADIX)
        return Exit(self.cluster.groups + switch, at + 1)

    @cached_property
    def exits(self) -> dict[int, list[Exit]]:
        """By switch: its ports to other switches, lowest first."""
        found: dict[int, list[Exit]] = {}
        for exit_ in sorted(self._between):
            found.setdefault(exit_.switch, []).append(exit_)
        return found

    def path(
        self, start: int, end: int, is_free: Callable[[Exit], bool], lost: Collection[int]
    ) -> Path | None:
        """The exits of a shortest way between two switches, over the lowest ports of those."""
        if start == end:
            return ()
        came: dict[int, Path] = {start: ()}
        ahead = deque([start])
        while ahead:
            here = ahead.popleft()
            for exit_ in self.exits.get(here, ()):
                there = self._between[exit_].switch
                if there in came or there in lost or not is_free(exit_):
                    continue
                came[there] = (*came[here], exit_)
                if there == end:
                    return came[there]
                ahead.append(there)
        return None
