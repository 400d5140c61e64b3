"""`fabric-twin remote slice`: slices of a pod, without a ticket."""

from typing import TYPE_CHECKING

import click

from fabric_twin.cli.messages import progress
from fabric_twin.cli.options import anywhere_option, bear_option, json_option
from fabric_twin.cli.remote.options import (
    dry_run_option,
    pod_option,
    removing_options,
    server_options,
    wait_option,
)
from fabric_twin.cli.remote.written import write_done, write_records

if TYPE_CHECKING:
    from fabric_twin.remote.server import Server
    from fabric_twin.remote.slices import RemoteSlice


@click.group(
    epilog="\b\nExamples:\n"
    "  fabric-twin remote slice make --pod iw1 --shape 8x8x16 --name train-1\n"
    "  fabric-twin remote slice list --pod iw1\n"
    "  fabric-twin remote slice release train-1 --pod iw1 --yes"
)
def slice() -> None:  # noqa: A001
    """Make, list and release slices of a pod; needs the App.

    They are records at once, as by the jobs Make slice and Release slice; by `remote ticket` they
    are approved and carried out on the switches.
    """


@slice.command()
@server_options
@pod_option
@click.option("--shape", required=True, metavar="8x8x16", help="Its sides, in chips.")
@click.option("--twisted", is_flag=True, help="A twisted torus.")
@click.option("--name", metavar="NAME", help="What it is called; made from the shape by default.")
@click.option("--slots", metavar="1-4,7", help="The slots whose cubes may be used.")
@bear_option
@anywhere_option
@dry_run_option
@json_option
@wait_option
def make(
    server: "Server",
    pod: str,
    shape: str,
    twisted: bool,
    name: str | None,
    slots: str | None,
    bear: int,
    anywhere: bool,
    dry_run: bool,
    as_json: bool,
    wait: float,
) -> None:
    """Find cubes for a slice, and the circuits that join them.

    Exits 1 when it cannot be as things are, and says what would fit.
    """
    from fabric_twin.remote.pods import find_pod
    from fabric_twin.remote.slices import made_by
    from fabric_twin.remote.slices import make as make_there

    server.need_app("slice")
    wish = {"shape": shape, "twisted": twisted, "slots": slots or "", "bear": bear}
    wish |= {"anywhere": True} if anywhere else {}
    with progress() as advance:
        found = find_pod(server, pod)
        done = make_there(
            found, {**wish, "slice_name": name or "", "dryrun": dry_run}, wait, advance
        )
    made = {"slice": made_by(server, done)} if as_json else {}
    write_done(pod, done, as_json=as_json, dry_run=dry_run, **made)


@slice.command("list")
@server_options
@pod_option
@json_option
def list_(server: "Server", pod: str, as_json: bool) -> None:
    """List the slices of a pod."""
    from fabric_twin.remote.pods import find_pod
    from fabric_twin.remote.slices import slices

    server.need_app("slice")
    with progress() as advance:
        found = slices(find_pod(server, pod), advance)
    write_records(pod, "slices", [(one.as_json(), line(one)) for one in found], as_json=as_json)


@slice.command()
@server_options
@click.argument("name")
@pod_option
@removing_options
@json_option
@wait_option
def release(
    server: "Server", name: str, pod: str, dry_run: bool, as_json: bool, wait: float
) -> None:
    """Free the cubes and circuits of a slice; circuits that switches still show stay as seen."""
    from fabric_twin.remote.pods import find_pod
    from fabric_twin.remote.slices import find_slice
    from fabric_twin.remote.slices import release as release_there

    server.need_app("slice")
    with progress() as advance:
        found = find_pod(server, pod)
        made = find_slice(found, name, advance)
        done = release_there(found, made, wait, advance, dry_run=dry_run)
    write_done(pod, done, as_json=as_json, dry_run=dry_run)


def line(made: "RemoteSlice") -> str:
    """A slice for people."""
    from fabric_twin.core.slots import format_slots

    shape = f"twisted {made.shape}" if made.twisted else made.shape
    slots = f"slot{'s' * (len(made.slots) != 1)} {format_slots(made.slots)}" if made.slots else ""
    return "  ".join(filter(None, (made.name, made.status.lower(), shape, slots)))
