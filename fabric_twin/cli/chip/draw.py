"""`fabric-twin chip draw`."""

import click

from fabric_twin.cli.chip.options import chip_design_of, design_option, ring_option, rings_of
from fabric_twin.cli.files import writing
from fabric_twin.documents.chips.chip_drawing import draw_chip, draw_ring


@click.command
@design_option
@ring_option
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Output file; - is standard output."
)
def draw(design: str, ring: str | None, output: str) -> None:
    """Draw a chip, or one of its rings, as SVG."""
    wanted = chip_design_of(design)
    drawn = draw_ring(wanted, *rings_of(wanted.chip, ring)) if ring else draw_chip(wanted)
    with writing(output) as out:
        out.write(drawn)
