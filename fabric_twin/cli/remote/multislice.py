"""`fabric-twin remote multislice`: jobs over several pods."""

from typing import TYPE_CHECKING, Any

import click

from fabric_twin.cli.messages import progress
from fabric_twin.cli.options import json_option
from fabric_twin.cli.remote.options import server_options
from fabric_twin.cli.remote.written import write_record

if TYPE_CHECKING:
    from fabric_twin.remote.server import Server

_network = click.option("--network", required=True, metavar="NAME", help="Its network, like dc1.")


@click.group(
    epilog="\b\nExamples:\n"
    "  fabric-twin remote multislice ask job7 --network dc1 --pod v4a --pod v4b --shape 8x8x16\n"
    "  fabric-twin remote multislice show job7 --network dc1\n"
    "  fabric-twin remote multislice release job7 --network dc1"
)
def multislice() -> None:
    """Ask for jobs over several pods, and release them; needs the App."""


@multislice.command()
@server_options
@click.argument("name")
@_network
@click.option("--pod", "pods", required=True, multiple=True, metavar="NAME", help="Two or more.")
@click.option("--shape", required=True, metavar="8x8x16", help="Of the slice in each pod.")
@click.option("--owner", default="", metavar="NAME", help="Whose job it is.")
@click.option(
    "--least",
    type=click.IntRange(1, 1000),
    default=1,
    show_default=True,
    help="Links that each two blocks keep which are not of neighbours.",
)
@json_option
def ask(
    server: "Server",
    name: str,
    network: str,
    pods: tuple[str, ...],
    shape: str,
    owner: str,
    least: int,
    as_json: bool,
) -> None:
    """Ask for a slice in each pod and the rings between them: all of it, or nothing."""
    from fabric_twin.remote.multislices import ask as ask_there
    from fabric_twin.remote.pods import find_pod

    server.need_app("multislice")
    wish: dict[str, Any] = {"name": name, "shape": shape, "owner": owner, "least": least}
    with progress():
        found = find_pod(server, network)
        wish["pods"] = [find_pod(server, pod).pk for pod in pods]
        made = ask_there(found, **wish)
    line = f"{made['name']} is {made['state']}: its tickets await approval"
    write_record(made, line, as_json=as_json)


@multislice.command()
@server_options
@click.argument("name")
@_network
@json_option
def show(server: "Server", name: str, network: str, as_json: bool) -> None:
    """Say how a job stands: its pods in ring order, and the links of each pair."""
    from fabric_twin.remote.multislices import rings
    from fabric_twin.remote.pods import find_pod

    server.need_app("multislice")
    with progress():
        told = rings(find_pod(server, network), name)
    lines = [f"{told['name']} is {told['state']}"]
    lines += [
        "  ".join(filter(None, (one["pod"] or "(hidden)", one["ticket"], one["lost"])))
        for one in told["pods"]
    ]
    for pair in (told["rings"] or {}).get("pairs", ()):
        carried = f"{pair['carried_gbps']:,.9g} of {pair['asked_gbps']:,.9g} Gbit/s"
        lines.append(f"{pair['a']} {pair['b']}  {pair['left']} of {pair['links']} links  {carried}")
    write_record(told, "\n".join(lines), as_json=as_json)


@multislice.command()
@server_options
@click.argument("name")
@_network
@json_option
def release(server: "Server", name: str, network: str, as_json: bool) -> None:
    """Ask for the release of its slices and rings; tickets that have not begun are withdrawn."""
    from fabric_twin.remote.multislices import release as release_there
    from fabric_twin.remote.pods import find_pod

    server.need_app("multislice")
    with progress():
        tickets = release_there(find_pod(server, network), name)
    named = ", ".join(str(ticket["name"]) for ticket in tickets)
    write_record({"version": 1, "tickets": tickets}, f"released by {named}", as_json=as_json)
