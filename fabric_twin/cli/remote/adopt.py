"""`fabric-twin remote adopt`."""

from typing import TYPE_CHECKING

import click

from fabric_twin.cli.options import json_option
from fabric_twin.cli.remote.bringing_in import Place, attached, bring_in, place_options
from fabric_twin.cli.remote.options import (
    dry_run_option,
    server_options,
    wait_option,
)

if TYPE_CHECKING:
    from fabric_twin.remote.server import Server

#: The most bytes of a binding that the job reads.
LARGEST = 16 * 2**20


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin remote adopt --pod iw1 --design ironwood --location hall-1 --dry-run \\\n"
    "      --binding ports.csv\n"
    "  fabric-twin remote adopt --pod iw1 --design ironwood --location hall-1 \\\n"
    "      --cube-ports 'row{any}-cube{slot}/host{any}/{chip}-{face}' \\\n"
    "      --switch-ports '{any}/ocs-{axis}-{index}/{port}' --filter role='Optical port'"
)
@server_options
@place_options
@click.option("--binding", metavar="FILE", help="What each port is called and what it is, as CSV.")
@click.option("--cube-ports", metavar="PATTERN", help="Of rack/device/port, for ports of cubes.")
@click.option("--switch-ports", metavar="PATTERN", help="The same for ports of switches.")
@click.option(
    "--filter",
    "filters",
    metavar="FIELD=VALUE",
    multiple=True,
    help="Look only at interfaces that Nautobot finds by this; may be given again.",
)
@dry_run_option
@json_option
@wait_option
def adopt(
    server: "Server",
    place: Place,
    binding: str | None,
    cube_ports: str | None,
    switch_ports: str | None,
    filters: tuple[str, ...],
    dry_run: bool,
    as_json: bool,
    wait: float,
) -> None:
    """Bind racks, devices and ports that a Nautobot has to a pod; needs the App.

    Nothing is renamed or moved. Which port is which is told by a file, or by patterns of their
    names; try them with --dry-run.
    """
    from fabric_twin.remote.pod_jobs import ADOPT

    if bool(binding) == bool(cube_ports or switch_ports):
        raise click.UsageError("Give either --binding, or --cube-ports and --switch-ports.")
    wish = {
        "cube_ports": cube_ports,
        "switch_ports": switch_ports,
        "filters": _filters(filters),
        "dryrun": dry_run,
    }
    files = attached("binding", binding, LARGEST)
    bring_in(server, ADOPT, place, wish, files, wait, as_json=as_json)


def _filters(given: tuple[str, ...]) -> dict[str, list[str]] | None:
    """The values of each field."""
    found: dict[str, list[str]] = {}
    for words in given:
        field, equals, value = words.partition("=")
        if not (field and equals):
            raise click.UsageError(f"--filter {words!r}: write it like role='Optical port'.")
        found.setdefault(field, []).append(value)
    return found or None
