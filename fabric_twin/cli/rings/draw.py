"""`fabric-twin rings draw`."""

import click

from fabric_twin.cli.render import made_when, write_rendering
from fabric_twin.cli.rings.options import cluster_options, state_of, state_option
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.rings.plane import parse_planes
from fabric_twin.documents.formats import FORMATS


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin rings draw --design groups-a --pod pg1 --state now.json --plane row-1-1\n"
    "    --format svg -o -"
)
@cluster_options
@state_option(required=True)
@click.option("--plane", required=True, metavar="NAME", help="The plane, like row-1-2.")
@click.option("--format", "form", type=click.Choice(FORMATS), required=True, help="What to write.")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="DIR",
    help="Output folder; - for standard output.",
)
def draw(design: str, pod: str, state: str, plane: str, form: str, output: str) -> None:
    """Draw the rings of one plane: its switches, their groups, and how each ring closes."""
    from fabric_twin.documents.groups.plane_map import plane_map
    from fabric_twin.services.pods.render import render_one

    now = state_of(design, pod, state)
    planes = parse_planes(plane, now.wiring.cluster, "--plane")
    if len(planes) > 1:
        raise UnusableInput(
            f"{plane} is more than one plane", where="--plane", remedy=f"Name one, like {planes[0]}"
        )
    write_rendering(render_one(plane_map(now, planes[0]), form, pod, made_when()), output)
