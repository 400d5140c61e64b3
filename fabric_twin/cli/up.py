"""`fabric-twin up`."""

import sys

import click

from fabric_twin.cli.options import state_option
from fabric_twin.stack.console import Console
from fabric_twin.stack.folder import StateFolder


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin up\n"
    "  fabric-twin up --state ./twin --port 8080\n"
    "  NAUTOBOT_DB_HOST=db.example.com NAUTOBOT_DB_USER=twin fabric-twin up --no-demo"
)
@state_option
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    metavar="N",
    help="The web server's port; by default that of last time, or any that is free.",
)
@click.option(
    "--demo/--no-demo", default=True, help="Load a demo pod the first time (the default)."
)
def up(state: StateFolder, port: int | None, demo: bool) -> None:
    """Run the whole stack on this machine, and stay until Ctrl-C.

    The address is said as soon as pages answer, the demo follows. It listens on 127.0.0.1 only.
    """
    from fabric_twin.stack import running

    running.up(state, Console(sys.stderr), port=port or 0, demo=demo)
