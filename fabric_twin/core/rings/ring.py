"""A ring through groups, and the flow entries that switches forward it by.

group 1  E -- 2 [row-01-1-1] 3 -- W  group 2      2 -> 3
group 2  E -- 4 [row-01-1-1] 1 -- W  group 1      4 -> 1
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fabric_twin.core.rings.plane import Plane, Way
from fabric_twin.core.rings.wiring import Exit, Path, Wiring


class Entry(NamedTuple):
    """What comes in at a port of a switch goes out at another."""

    switch: int
    into: int
    out: int

    @property
    def exit(self) -> Exit:
        """The direction of a link that it sends to."""
        return Exit(self.switch, self.out)


@dataclass(frozen=True)
class Wanted:
    """A ring as a job asks for it."""

    #: What the job calls what runs along it: `layer`.
    axis: str
    plane: Plane
    way: Way
    #: In the order of their processors.
    groups: tuple[int, ...]

    @property
    def hops(self) -> Iterator[tuple[int, int]]:
        """From which group to which, in the order in which the ring passes them."""
        order = self.groups if self.way is Way.FORWARD else (self.groups[0], *self.groups[:0:-1])
        return zip(order, (*order[1:], order[0]), strict=True)


@dataclass(frozen=True)
class Ring(Wanted):
    """A ring with the links that it has."""

    #: In the order in which it passes them, beginning where it leaves its first group.
    entries: tuple[Entry, ...]

    def paths(self, wiring: Wiring) -> Iterator[tuple[tuple[int, int], Path]]:
        """Each hop, and the exits by which it goes from switch to switch."""
        rest = iter(self.entries)
        for hop in self.hops:
            exits: list[Exit] = []
            for entry in rest:
                if wiring.far(entry.exit) is None:
                    break
                exits.append(entry.exit)
            yield hop, tuple(exits)


def entries_of(wiring: Wiring, wanted: Wanted, hop: tuple[int, int], path: Path) -> list[Entry]:
    """What takes a ring from one group to the next over these exits."""
    start, end = hop
    switch = wiring.switch_of(start, wanted.plane)
    port = wiring.leaves_at(start, wanted.plane, wanted.way)
    found = []
    for exit_ in path:
        found.append(Entry(switch, port, exit_.port))
        far = wiring.far(exit_)
        assert far is not None  # noqa: S101 - paths are of cables between switches
        switch, port = far
    found.append(Entry(switch, port, wiring.enters_at(end, wanted.plane, wanted.way)))
    return found


def ring_of(wiring: Wiring, wanted: Wanted, paths: list[Path]) -> Ring:
    """A ring over a path for each of its hops."""
    entries = [
        entry
        for hop, path in zip(wanted.hops, paths, strict=True)
        for entry in entries_of(wiring, wanted, hop, path)
    ]
    return Ring(wanted.axis, wanted.plane, wanted.way, wanted.groups, tuple(entries))
