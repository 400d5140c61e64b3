"""The cables of a fabric: those that its rule intends, and those that an inventory records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.fabric.fabric import Fabric

#: A device and a port on it; both empty where it is not known.
End = tuple[str, str]
#: A cable's name, and device and port of both its ends.
Row = tuple[str, str, str, str, str]


class Named(Protocol):
    """A design: what kind of fabric it is."""

    @property
    def name(self) -> str:
        """What it is called."""


class Words(Protocol):
    """What the maker of a fabric calls its parts."""

    @property
    def fabric(self) -> Fabric:
        """The fabric whose parts these are."""

    def port(self, port: int) -> End:
        """The device of a port, and the port's name on it."""

    def device(self, number: int) -> str:
        """A device."""

    def unit(self, number: int) -> str:
        """A unit."""

    def cable(self, port: int) -> str:
        """The default name of the cable that begins at a port."""

    def ends(self, ports: Column) -> tuple[Sequence[str], Sequence[str]]:
        """The devices of many ports, and the ports' names on them."""

    def cables(self, ports: Column) -> Sequence[str]:
        """The default names of the cables that begin at some ports."""

    def bundled(self, noun: str, numbers: Sequence[int]) -> Sequence[str]:
        """Some bundles of near ends: `X+ of cube 7`."""

    def find(self, devices: Sequence[str], ports: Sequence[str]) -> Column:
        """Number ports by name: NOT_KNOWN where both cells are empty, else NOT_OF_DESIGN."""


@dataclass(frozen=True, eq=False)
class IntendedPlant:
    """The plant that should be."""

    design: Named
    pod: str
    names: Words
    #: The other end by rule and substitutions, whatever is there of the fabric.
    mate: Column
    #: The same for what is there.
    want: Column
    #: Both ends of every cable; the first end names the cable.
    a: Column
    b: Column

    @property
    def noun(self) -> str:
        """What it is called by, before its name."""
        return "Pod"

    @property
    def fabric(self) -> Fabric:
        """The ports that the plant joins."""
        return self.names.fabric


@dataclass(frozen=True, eq=False)
class Recorded:
    """The plant that an inventory says there is: one row per cable."""

    cables: Sequence[str]
    a: Column
    b: Column
    #: Rows with an end that the design does not have: device, port, device, port as written.
    written: Mapping[int, tuple[str, str, str, str]] = field(default_factory=dict)
    #: Rows whose two strands are exchanged.
    crossed: tuple[int, ...] = ()
    #: How many rows were wholly of other pods, and left out.
    others: int = 0
    #: Rows of strands that make no pair, as written: the audit looks at these strand by strand.
    loose: Sequence[Row] = ()

    def ends(self, names: Words, row: int) -> tuple[End, End]:
        """Device and port of both ends of a cable, as recorded; empty where not known."""
        if written := self.written.get(row):
            return written[:2], written[2:]
        a, b = (int(column[row]) for column in (self.a, self.b))
        nowhere = ("", "")
        return names.port(a) if a >= 0 else nowhere, names.port(b) if b >= 0 else nowhere

    def only(self, keep: NDArray[np.bool_]) -> "Recorded":
        """The record of some rows."""
        row = (np.cumsum(keep) - 1).tolist()
        return replace(
            self,
            cables=list(compress(self.cables, keep.tolist())),
            a=self.a[keep],
            b=self.b[keep],
            written={row[old]: ends for old, ends in self.written.items() if keep[old]},
            crossed=tuple(row[old] for old in self.crossed if keep[old]),
        )
