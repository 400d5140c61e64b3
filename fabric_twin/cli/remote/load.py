"""`fabric-twin remote load`."""

from typing import TYPE_CHECKING

import click

from fabric_twin.cli.options import json_option
from fabric_twin.cli.remote.bringing_in import Place, attached, bring_in, place_options
from fabric_twin.cli.remote.options import (
    dry_run_option,
    filled,
    server_options,
    wait_option,
)

if TYPE_CHECKING:
    from fabric_twin.remote.server import Server

STATUSES = ("Active", "Installing", "Planned")


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin remote load --pod iw1 --design ironwood --location hall-1 --slots 1-4\n"
    "  fabric-twin remote load --pod iw1 --design ironwood --location hall-1 \\\n"
    "      --cut-sheet iw1.csv --dry-run\n"
    "  fabric-twin remote load --pod iw1 --slots 1-8"
)
@server_options
@place_options
@click.option(
    "--slots",
    callback=filled,
    metavar="1-4,7",
    help="Slots that hold cubes; by default all of the design's, or those of the cut sheet.",
)
@click.option(
    "--cut-sheet",
    metavar="CABLES.csv",
    help="Its cables as they are, mistakes included; by default those of the rule.",
)
@click.option(
    "--status", type=click.Choice(STATUSES), help="Status of new cubes; Active by default."
)
@click.option(
    "--address",
    metavar="HOST:PORT",
    help="Where all new switches and cubes answer gNMI, each by its own name.",
)
@dry_run_option
@json_option
@wait_option
def load(
    server: "Server",
    place: Place,
    slots: str | None,
    cut_sheet: str | None,
    status: str | None,
    address: str | None,
    dry_run: bool,
    as_json: bool,
    wait: float,
) -> None:
    """Make a pod in a Nautobot from its design or a cut sheet, or what it lacks; needs the App.

    What is there stays as it is, so it is run again with more slots when cubes are added; then
    design and location are those of the pod.
    """
    from fabric_twin.inventory.cutsheet import LARGEST
    from fabric_twin.remote.pod_jobs import LOAD

    wish = {"slots": slots, "cube_status": status, "address": address, "dryrun": dry_run}
    files = attached("cut_sheet", cut_sheet, LARGEST)
    bring_in(server, LOAD, place, wish, files, wait, as_json=as_json)
