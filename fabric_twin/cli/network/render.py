"""`fabric-twin network render`."""

import click

from fabric_twin.cli.network.options import network_of, network_options
from fabric_twin.cli.render import made_when, write_rendering
from fabric_twin.documents.topology.wiring import DOCUMENTS


@click.command
@click.argument("document", type=click.Choice(list(DOCUMENTS)), metavar="DOCUMENT")
@network_options
@click.option("--device", metavar="NAME", help="One block or switch, like dc1-ab01; all without.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["txt", "csv", "html", "pdf"]),
    required=True,
    help="What to write; labels come as csv and pdf.",
)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="DIR",
    help="Output folder; - for one file on standard output.",
)
def render(
    document: str, network: str, blocks: str, device: str | None, form: str, output: str
) -> None:
    """Write documents that people read and print.

    \b
    DOCUMENT is one of
      block-map   a block: where each of its strands goes
      switch-map  a switch: what is on each port
      cut-list    for the cabling crew, block by block
      labels      both ends of every cable: csv for a printer, pdf with QR codes
    """
    from fabric_twin.services.pods.render import render_devices

    intended = network_of(network, blocks)
    write_rendering(render_devices(intended, document, form, device, made_when()), output)
