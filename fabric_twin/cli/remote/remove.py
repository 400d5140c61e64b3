"""`fabric-twin remote remove`."""

from typing import TYPE_CHECKING

import click

from fabric_twin.cli.messages import progress
from fabric_twin.cli.options import json_option
from fabric_twin.cli.remote.options import (
    pod_option,
    removing_options,
    server_options,
    wait_option,
)
from fabric_twin.cli.remote.written import write_done

if TYPE_CHECKING:
    from fabric_twin.remote.server import Server


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin remote remove --pod iw1 --dry-run\n"
    "  fabric-twin remote remove --pod iw1 --hardware --yes"
)
@server_options
@pod_option
@click.option(
    "--hardware",
    is_flag=True,
    help="Also its racks, devices, transceivers, ports and cables: all that is bound.",
)
@removing_options
@json_option
@wait_option
def remove(
    server: "Server", pod: str, hardware: bool, dry_run: bool, as_json: bool, wait: float
) -> None:
    """Take the App's records of a pod out of a Nautobot, and its hardware if that is asked for.

    It is refused while the pod has slices, open tickets or work orders: release or end them first.
    """
    from fabric_twin.remote.pod_jobs import remove as remove_there
    from fabric_twin.remote.pods import find_pod

    server.need_app("remove")
    found = find_pod(server, pod)
    with progress() as advance:
        done = remove_there(found, wait, advance, hardware=hardware, dry_run=dry_run)
    write_done(pod, done, as_json=as_json, dry_run=dry_run)
