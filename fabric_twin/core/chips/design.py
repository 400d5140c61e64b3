"""A chip as a design: found and listed as pods are. It has rings of light and no cables."""

import hashlib
from dataclasses import astuple, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fabric_twin.core.chips.chip import Chip
from fabric_twin.core.cube import Cube
from fabric_twin.core.design import Design
from fabric_twin.core.fabric.medium import Medium
from fabric_twin.core.kinds import Kind
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.rule import CubePorts, Plant

#: What every chip takes for granted.
_ALWAYS = (
    "a loop passes the endpoints row by row, to and fro, and goes back to the first",
    "endpoints of a region are numbered row by row, and regions too",
    "cores for memory are endpoints as others are, with a wavelength each",
    (
        "modulators, filters and FIFOs are those of data; light, clock, flow control and metadata "
        "have waveguides only"
    ),
    "a pair of values between the levels is two broadcasts in all, from whichever regions",
    "area and cache on the chip grow with its cores; the source gives those of 4,096",
)


@dataclass(frozen=True, kw_only=True)
class ChipDesign(Design):
    """Cores on rings of light; regions are counted as slots, and cores as chips."""

    chip: Chip

    def _lay_out(self) -> Layout:
        """Nothing is cabled: a layout without ports."""
        none = np.zeros(0, dtype=np.int32)
        return Layout(
            cube=self.cube,
            slots=self.slots,
            lanes=1,
            plant=Plant.RING,
            radix=0,
            switches=(),
            mate=none,
            cable_a=none,
            cable_b=none,
            device=none,
            slot=none,
            position=none,
            stride=1,
            spare=none == 1,
            axis=none,
            sign=none,
            index=none,
            lane=none,
        )

    @property
    def kind(self) -> Kind:
        """No pod: rings of light instead of cables."""
        return Kind.CHIP

    @property
    def medium(self) -> Medium:
        """One sends, and all others of the ring hear it."""
        return Medium.RING

    @cached_property
    def digest(self) -> str:
        """What tells its rings from those of every other."""
        return hashlib.sha256(repr(astuple(self.chip)).encode()).hexdigest()[:32]

    def as_json(self) -> dict[str, Any]:
        """The design's facts."""
        chip = self.chip
        local = chip.rings[0]
        return super().as_json() | {
            "region": list(chip.region),
            "regions": list(chip.regions),
            "data": chip.data,
            "metadata": chip.metadata,
            "memory": chip.memory,
            "rings": len(chip.rings),
            "waveguides_a_ring": len(local.waveguides),
            "modulators_a_ring": local.modulators,
            "filters_an_endpoint": local.filters // local.endpoints,
            "filters_a_ring": local.filters,
            "mesh_links": chip.mesh_links,
            "cycles_a_word": chip.cycles,
            "rate_gbps": chip.rate_gbps,
            "memory_gbyte_s": chip.memory_gbyte_s,
            "bytes_per_flop": chip.bytes_per_flop,
        }


def chip_design(name: str, title: str, chip: Chip, assumptions: tuple[str, ...] = ()) -> ChipDesign:
    """The design of a chip, with what it takes for granted."""
    return ChipDesign(
        name=name,
        title=title,
        slots=chip.many_regions,
        cube=Cube(chip.region, chip.region),
        plant=Plant.RING,
        rule=_no_rule,
        assumptions=(*_ALWAYS, *assumptions),
        chip=chip,
    )


def _no_rule(asked: CubePorts) -> CubePorts:
    """Nothing is cabled, so a port goes nowhere but to itself."""
    return asked
