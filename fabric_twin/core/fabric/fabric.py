"""Any fabric, as an audit sees it: ports as numbers, and what is known of them as columns.

    ports    0 1 2 3 | 4 5 6 7 | 8 9 10 11 12 13 14 15 16
    panel    0       | 1       | 2
    position 0 1 2 3 | 0 1 2 3 | 0 1 2  3  4  5  6  7  8
    unit     1       | 2       | 0 (a switch's)
    mate     8 9 ..  | 12 ..   | 0 1 2  3  4  5  6  7  NO_PORT (a spare)

A pod is one maker of it (`pods/layout.py`). Here nothing is known of what its ports are for: that
is in the keys, and names are made by the maker.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.fabric.columns import NO_PORT, Column


@dataclass(frozen=True, eq=False)
class Key:
    """Something that the two ports of a cable must have in common.

    Of several keys in which a cable is wrong, the first names its code.
    """

    code: str
    #: What is wrong with the port, in words: `which serves another axis`.
    because: str
    #: By port; below 0 where the key says nothing.
    value: Column
    #: A spare serves what any port of its device serves; in a key of sides, any port of its panel.
    of_side: bool = False


@dataclass(frozen=True, eq=False)
class Bundle:
    """Ports whose cables are moved together: those of a rack, of a face of it, of a switch."""

    noun: str
    plural: str
    #: By port: the number of its bundle, or -1. The ports of a bundle follow each other.
    of: Column
    #: By number of bundle: more than half of so many cables are most of them.
    size: NDArray[np.intp]

    @classmethod
    def whole(cls, noun: str, plural: str, of: Column) -> "Bundle":
        """Bundles of which every port counts."""
        return cls(noun, plural, of, np.bincount(of[of >= 0]))

    @cached_property
    def place(self) -> Column:
        """By port: the how-manieth of its bundle it is."""
        ports = np.arange(len(self.of), dtype=np.int32)
        there = self.of >= 0
        first = np.zeros(len(self.size) + 1, dtype=np.int32)
        first[self.of[there][::-1]] = ports[there][::-1]  # the last to be written is the first port
        return ports - first[self.of]


@dataclass(frozen=True, eq=False, kw_only=True)
class Fabric:
    """The ports of a fabric; all columns are indexed by port."""

    #: What carries the port, numbered over all of the fabric.
    device: Column
    #: The rack of ports that comes and goes as one, from 1; 0 for a port of a switch.
    unit: Column
    #: Ports in a row, numbered over all of the fabric, and the place in that row, from 0.
    panel: Column
    position: Column
    #: The other end of the cable that the rule puts here, or NO_PORT.
    mate: Column
    spare: NDArray[np.bool_]
    #: Of the two ends of a cable, the one of the lower level is near, the other far.
    level: Column
    keys: Sequence[Key]
    #: What near ends are bundled in: whole units first, then ever smaller parts.
    bundles: Sequence[Bundle] = ()

    @cached_property
    def stride(self) -> int:
        """How far the begins of two panels are apart in `line`."""
        return int(self.position.max()) + 3

    @cached_property
    def line(self) -> Column:
        """All panels one after the other, with gaps: only neighbours on a panel differ by one."""
        return (self.panel * self.stride + self.position).astype(np.int32)

    def near_first(self, ports: Iterable[int]) -> list[int]:
        """Some ends of a cable, the near one first: of two on a level, the first by number."""
        return sorted(ports, key=lambda port: (int(self.level[port]), port))

    def is_far(self, ends: Column, others: Column) -> NDArray[np.bool_]:
        """The same of many cables: whether the one end is farther than the other."""
        level, against = self.level[ends], self.level[others]
        return np.where(level == against, ends > others, level > against)

    @cached_property
    def switches(self) -> Bundle:
        """The switches, as bundles of far ends; of each, the ports of one panel count."""
        at_switch = self.unit == 0
        of = np.where(at_switch, self.device, -1)
        size = np.zeros(int(self.device.max()) + 1, dtype=np.intp)
        size[self.device[at_switch]] = np.bincount(self.panel)[self.panel[at_switch]]
        return Bundle("switch", "switches", of, size)

    def switch_of(self, near: Column, far: Column) -> Column:
        """The switches of cables: of two that a cable joins, the one at its near end."""
        of = self.switches.of
        return np.where(of[near] >= 0, of[near], of[far])

    @cached_property
    def least_bundle(self) -> int:
        """How many cables the smallest of all bundles has."""
        sizes = [bundle.size for bundle in (*self.bundles, self.switches)]
        return min((int(size[size > 0].min()) for size in sizes if size.any()), default=0)

    def served(self, key: Key, port: int) -> frozenset[int]:
        """What a spare stands in for: the values of the ports beside it."""
        column = self.panel if key.of_side else self.device
        mates = self.mate[column == column[port]]
        return frozenset(key.value[mates[mates != NO_PORT]].tolist())
