"""`fabric-twin down`."""

import click

from fabric_twin.cli.options import state_option
from fabric_twin.stack.folder import StateFolder


@click.command(epilog="\b\nExamples:\n  fabric-twin down\n  fabric-twin down --state ./twin")
@state_option
def down(state: StateFolder) -> None:
    """Stop the stack that `up` runs, and what is left over of a killed one; what it keeps stays."""
    from fabric_twin.stack import running

    pid = running.down(state, lambda words: click.echo(f"fabric-twin: {words}", err=True))
    said = f"stopped process {pid} and its parts" if pid else "nothing runs"
    click.echo(f"fabric-twin: {said} ({state.path}).", err=True)
