"""`fabric-twin chip`: rings of light on a chip."""

import click

from fabric_twin.cli.lazy import LazyGroup

COMMANDS = {
    "netlist": "Write what stands on the rings of a chip as its design wants it.",
    "audit": "Say what is wrong with a netlist, by cause.",
    "hears": "Say who hears what a core sends.",
    "draw": "Draw a chip, or one of its rings.",
}


@click.group(
    cls=LazyGroup,
    package=__name__,
    lines=COMMANDS,
    epilog="\b\nExamples:\n"
    "  fabric-twin chip netlist --design atac -o atac.csv\n"
    "  fabric-twin chip audit atac.csv --design atac",
)
def chip() -> None:
    """Write, audit and draw the netlist of a chip whose cores are on rings of light."""
