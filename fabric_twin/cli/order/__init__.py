"""`fabric-twin order`: work orders."""

import click

from fabric_twin.cli.lazy import LazyGroup

COMMANDS = {
    "install": "Write the work order that brings cubes into a pod, or groups into a cluster.",
    "repair": "Write the work order that mends what an audit found.",
    "move": "Write the work order that brings plugs to other ports.",
    "decommission": "Write the work order that takes cubes or groups away.",
}


@click.group(
    cls=LazyGroup,
    package=__name__,
    lines=COMMANDS,
    epilog="\b\nExamples:\n"
    "  fabric-twin order install --design ironwood --pod iw1 --cubes 5-12 --crews 2 --format html "
    "-o order\n"
    "  fabric-twin audit iw1.csv --design ironwood --pod iw1 --json |\n"
    "    fabric-twin order repair - --design ironwood --pod iw1 --cables iw1.csv",
)
def order() -> None:
    """Write work orders: manual steps, rack by rack.

    With lengths of cables, parts against stock, labels, and drawings of where everything stands.
    """
