"""`fabric-twin chip netlist`."""

import click

from fabric_twin.cli.chip.options import chip_design_of, design_option, ring_option, rings_of
from fabric_twin.cli.files import writing
from fabric_twin.inventory.chips.netlist import write_netlist


@click.command
@design_option
@ring_option
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Output file; - is standard output."
)
def netlist(design: str, ring: str | None, output: str) -> None:
    """Write what stands on the rings of a chip as its design wants it, as CSV.

    A row is of many parts at once, by runs such as 1..64.
    """
    chip = chip_design_of(design).chip
    rings = rings_of(chip, ring)
    with writing(output) as out:
        write_netlist(chip, rings, out)
