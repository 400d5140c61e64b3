"""What parts are called in bills and on shelves."""

from fabric_twin.core.design import Design
from fabric_twin.core.rule import Plant

#: What the cables of each kind of plant are.
STRANDS = {
    Plant.SPLIT: "cable, one strand",
    Plant.PAIRED: "cable, a fibre pair",
    Plant.STATIC: "cable, cube to cube",
}


def cable_part(design: Design, length_m: int) -> str:
    """A cable of a length, as it is bought."""
    length = f", {length_m} m" if length_m else ""
    return f"{STRANDS[design.plant]}{length}"
