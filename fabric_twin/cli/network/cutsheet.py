"""`fabric-twin network cutsheet`."""

import click

from fabric_twin.cli.files import writing
from fabric_twin.cli.network.options import network_of, network_options
from fabric_twin.inventory.cutsheet import write_cut_sheet


@click.command
@network_options
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Output file; - is standard output."
)
def cutsheet(network: str, blocks: str, output: str) -> None:
    """Write the cut sheet of a network as its rule wants it: a row a cable, as CSV."""
    intended = network_of(network, blocks)
    with writing(output) as out:
        write_cut_sheet(intended, out)
