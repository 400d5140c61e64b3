"""ATAC: 64 regions of 64 cores on rings, 32 waveguides for data, and one ring over all."""

from fabric_twin.core.chips.chip import Chip
from fabric_twin.core.chips.design import chip_design

DESIGN = chip_design(
    "atac",
    "ATAC: 64 rings of 64 cores on a chip, and one over them",
    Chip(region=(8, 8), regions=(8, 8)),
)
