"""A design file of a chip: regions of cores on rings of light."""

from collections.abc import Mapping
from typing import Any

from fabric_twin.core.chips.chip import Chip
from fabric_twin.core.chips.design import ChipDesign, chip_design
from fabric_twin.core.errors import DesignRefused
from fabric_twin.inventory.designs.values import Value

_OPTIONAL = ("data", "metadata", "memory")


def read_chip(given: Mapping[str, Value], found: Mapping[str, Any]) -> ChipDesign:
    """The design of what was read; what cannot be laid out is noted where it is written."""
    top = given["plant"]
    for key in ("region", "regions"):
        if len(found[key]) != 2:
            given[key].note(f"`{key}` is a grid of columns and rows", f"Write `{key}: 8x8`")
    top.file.refuse()
    more = {key: found[key] for key in _OPTIONAL if key in found}
    try:
        chip = Chip(found["region"], found["regions"], **more)
    except DesignRefused as refusal:
        given.get(refusal.where, given["region"]).note(refusal.what, refusal.remedy)
        top.file.refuse()
        raise
    return chip_design(found["name"], found["title"], chip, found.get("assumptions", ()))
