"""`fabric-twin doctor`."""

import subprocess
import sys
from pathlib import Path

import click

from fabric_twin.cli.options import json_option
from fabric_twin.core.errors import NotInstalled


@click.command(epilog="\b\nExamples:\n  fabric-twin doctor\n  fabric-twin doctor --json")
@json_option
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Check the Nautobot that this is installed in, and say what to do.

    Run it as the user and with the environment of a worker; it changes nothing. Exit 1 where
    something does not work.
    """
    program = Path(sys.executable).with_name("nautobot-server")
    if not program.exists():
        raise NotInstalled(
            "there is no Nautobot beside this program",
            where=str(program.parent),
            remedy="Run the fabric-twin of the environment that Nautobot is in",
        )
    command = [str(program), "fabric_doctor", *(["--json"] if as_json else [])]
    ctx.exit(subprocess.run(command, check=False).returncode)  # noqa: S603
