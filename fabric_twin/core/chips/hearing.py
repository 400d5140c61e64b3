"""Who hears a bit: followed from the modulator along its waveguide to filters and FIFOs."""

from dataclasses import dataclass

import numpy as np

from fabric_twin.core.chips.chip import Chip, Core
from fabric_twin.core.chips.netlist import Mask, RingNetlist, designed
from fabric_twin.core.chips.ring import Ring


@dataclass(frozen=True)
class Sending:
    """One bit of a sender on one ring."""

    ring: Ring
    #: Numbers from 1.
    endpoint: int
    bit: int
    #: Where it is sent; empty and 0 where there is no modulator.
    waveguide: str
    wavelength: int
    #: The endpoints that hear it.
    heard_by: tuple[int, ...]


def sending(netlist: RingNetlist, endpoint: int, bit: int) -> Sending:
    """What becomes of one bit that an endpoint sends, as a netlist has it."""
    ring, has = netlist.ring, netlist.modulators
    at = endpoint - 1, bit - 1
    number, wavelength = int(has.waveguide[at]), int(has.wavelength[at])
    name = ring.waveguides[number - 1] if number else ""
    heard = np.flatnonzero(_hears(netlist, endpoint, bit, name)) + 1
    return Sending(ring, endpoint, bit, name, wavelength, tuple(heard.tolist()))


def _hears(netlist: RingNetlist, endpoint: int, bit: int, waveguide: str) -> Mask:
    """By endpoint: whether light of the sender comes there, alone, and is kept."""
    has, filters, at = netlist.modulators, netlist.filters, (endpoint - 1, bit - 1)
    number, wavelength = has.waveguide[at], has.wavelength[at]
    with_it = (has.waveguide == number) & (has.wavelength == wavelength)
    passed = _passed(netlist, waveguide)
    lit = _passed(netlist, "pw")[at[0]] and passed[at[0]]
    if not (number and lit) or np.count_nonzero(with_it) > 1:
        return np.zeros(netlist.ring.endpoints, np.bool_)
    tuned = filters.waveguide[:, at[0], at[1]] == number
    tuned &= filters.wavelength[:, at[0], at[1]] == wavelength
    tuned[at[0]] = False
    heard: Mask = tuned & netlist.fifos[:, at[0]] & passed
    return heard


def _passed(netlist: RingNetlist, waveguide: str) -> Mask:
    """The endpoints on a waveguide; none on one that is open."""
    passed = np.zeros(netlist.ring.endpoints, np.bool_)
    loop = netlist.loops.get(waveguide)
    if loop and loop.closed:
        passed[[at - 1 for at in loop.passes]] = True
    return passed


def from_core(chip: Chip, core: Core, bit: int) -> tuple[Sending, Sending]:
    """A bit of a core on the ring of its region, and of its region on level 1, by the design."""
    local, across = chip.rings[core.region - 1], chip.rings[-1]
    return (
        sending(designed(local), core.endpoint, bit),
        sending(designed(across), core.region, bit),
    )
