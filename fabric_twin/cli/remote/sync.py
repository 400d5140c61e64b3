"""`fabric-twin remote sync`."""

from typing import TYPE_CHECKING

import click

from fabric_twin.cli.messages import progress
from fabric_twin.cli.options import json_option
from fabric_twin.cli.remote.options import pod_option, server_options, wait_option
from fabric_twin.cli.remote.written import write_done

if TYPE_CHECKING:
    from fabric_twin.remote.server import Server


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin remote sync --url https://nautobot.example.com --pod iw1\n"
    "  fabric-twin remote sync --pod iw1 && fabric-twin remote audit --pod iw1"
)
@server_options
@pod_option
@json_option
@wait_option
def sync(server: "Server", pod: str, as_json: bool, wait: float) -> None:
    """Let a Nautobot ask a pod's fabric how it is, and say what came of it; needs the App.

    Exits 0 when it is done, 2 when it is refused, 3 when the job failed or the server did not
    answer.
    """
    from fabric_twin.remote.pods import find_pod
    from fabric_twin.remote.syncs import sync as sync_there

    server.need_app("sync")
    with progress() as advance:
        done = sync_there(find_pod(server, pod), wait, advance)
    write_done(pod, done, as_json=as_json)
