"""`fabric-twin rings`: rings of jobs over a cluster of groups."""

import click

from fabric_twin.cli.lazy import LazyGroup

COMMANDS = {
    "ask": "Give a job its groups and rings, all of them or none.",
    "release": "Take a job's rings away, and let its groups go.",
    "fail": "Go on without a group or a switch, with few entries changed.",
    "repair": "Lay what was missing, once a group or a switch is there again.",
    "show": "Say which jobs there are, and what switches forward for them.",
    "draw": "Draw the rings of one plane.",
    "check": "Say what is wrong with entries, by the rings that they should make.",
    "send": "Make switches have the entries of rings, and read them back.",
}


@click.group(
    cls=LazyGroup,
    package=__name__,
    lines=COMMANDS,
    epilog="\b\nExamples:\n"
    "  fabric-twin rings ask --design groups-a --pod pg1 --job a --shape 2x3 -o now.json\n"
    "  fabric-twin rings fail --design groups-a --pod pg1 --state now.json --group r01c02",
)
def rings() -> None:
    """Give jobs their rings over a cluster of groups.

    The state of a cluster is a JSON file: its jobs with their rings, and what is lost. A command
    reads it and says what to change; with -o it writes the state afterwards, which may be the same
    file. `send` makes switches have its entries.
    """
