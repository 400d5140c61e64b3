"""What parts are called in bills and on shelves."""

from fabric_twin.core.cabling.cable_kinds import cable_kind
from fabric_twin.core.design import Design
from fabric_twin.core.rule import Plant

#: What the cables of each kind of plant are.
STRANDS = {
    Plant.SPLIT: "cable, one strand",
    Plant.PAIRED: "cable, a fibre pair",
    Plant.STATIC: "cable, cube to cube",
    Plant.PACKET: "cable, full duplex",
}


def cable_part(design: Design, length_m: int, *ends: int) -> str:
    """A cable of a length, as it is bought; `ends` are ports that say what it is made of."""
    length = f", {length_m} m" if length_m else ""
    kind = cable_kind(design, *ends) if ends else None
    return f"{f'cable, {kind}' if kind else STRANDS[design.plant]}{length}"
