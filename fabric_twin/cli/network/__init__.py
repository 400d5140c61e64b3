"""`fabric-twin network`: the cables of a network of blocks."""

import click

from fabric_twin.cli.lazy import LazyGroup

COMMANDS = {
    "cutsheet": "Write the cut sheet of a network as its rule wants it.",
    "audit": "Say what is wrong with a cut sheet, by physical cause.",
    "render": "Write maps, cut lists and labels.",
}


@click.group(
    cls=LazyGroup,
    package=__name__,
    lines=COMMANDS,
    epilog="\b\nExamples:\n"
    "  fabric-twin network cutsheet --network dc1 --blocks blocks.json -o dc1.csv\n"
    "  fabric-twin network audit dc1.csv --network dc1 --blocks blocks.json",
)
def network() -> None:
    """Write and audit the cables of a network of blocks.

    `fabric-twin topology` plans its circuits.
    """
