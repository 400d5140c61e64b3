"""What is on one ring, as columns: as its design wants it, or as a netlist has it.

A part is known by what it is for (endpoint, sender, bit); where it stands is what it holds: a
number of a waveguide (5 is d05) and a wavelength, 0 where the part is not there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.chips.ring import BACKWARDS, Ring

Numbers = NDArray[np.int8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Tuned:
    """Parts that stand on a waveguide and are tuned to a wavelength."""

    waveguide: Numbers
    wavelength: Numbers

    @classmethod
    def none(cls, *shape: int) -> "Tuned":
        """Without any part."""
        return cls(np.zeros(shape, np.int8), np.zeros(shape, np.int8))

    @property
    def there(self) -> Mask:
        """Which parts are there."""
        return self.waveguide > 0


@dataclass(frozen=True)
class Loop:
    """The endpoints that one waveguide passes, as its light goes, and whether it closes."""

    passes: tuple[int, ...]
    closed: bool


@dataclass(frozen=True, eq=False)
class RingNetlist:
    """The parts of one ring; every axis counts from 0 what the ring counts from 1."""

    ring: Ring
    #: By endpoint and bit.
    modulators: Tuned
    #: By endpoint that listens, sender and bit.
    filters: Tuned
    #: By endpoint that listens and sender.
    fifos: Mask
    #: By name of the waveguide.
    loops: dict[str, Loop] = field(default_factory=dict)

    @classmethod
    def empty(cls, ring: Ring) -> "RingNetlist":
        """A ring of which nothing is there."""
        many = ring.endpoints
        return cls(
            ring,
            Tuned.none(many, ring.data),
            Tuned.none(many, many, ring.data),
            np.zeros((many, many), np.bool_),
        )

    @property
    def parts(self) -> int:
        """How many parts it has."""
        tuned = np.count_nonzero(self.modulators.there) + np.count_nonzero(self.filters.there)
        return int(tuned + np.count_nonzero(self.fifos)) + len(self.loops)


def wanted_order(ring: Ring, waveguide: str) -> Sequence[int]:
    """The endpoints as the light of this waveguide should pass them."""
    return ring.order[::-1] if waveguide == BACKWARDS else ring.order


def designed(ring: Ring) -> RingNetlist:
    """The netlist that the design wants of a ring."""
    whole = RingNetlist.empty(ring)
    bits = np.arange(1, ring.data + 1, dtype=np.int8)
    number = np.arange(1, ring.endpoints + 1, dtype=np.int8)
    hears = ~np.eye(ring.endpoints, dtype=np.bool_)
    whole.modulators.waveguide[:] = bits
    whole.modulators.wavelength[:] = number[:, None]
    whole.filters.waveguide[hears] = bits
    whole.filters.wavelength[:] = number[None, :, None] * hears[:, :, None]
    whole.fifos[:] = hears
    for waveguide in ring.waveguides:
        whole.loops[waveguide] = Loop(tuple(wanted_order(ring, waveguide)), closed=True)
    return whole


def still_wanted(netlist: RingNetlist, gone: Mask) -> Mask:
    """By endpoint that listens and sender: whether one should hear the other.

    Of a sender that is gone nothing is wanted where nobody is ready to hear it either.
    """
    hears = ~np.eye(netlist.ring.endpoints, dtype=np.bool_) & ~gone[:, None]
    unheard = ~netlist.filters.there.any(axis=(0, 2)) & ~netlist.fifos.any(axis=0)
    hears[:, gone & unheard] = False
    return hears
