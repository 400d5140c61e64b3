"""`fabric-twin network audit`."""

from typing import Any

import click

from fabric_twin.cli.files import read_file, refuse_overwriting
from fabric_twin.cli.messages import progress
from fabric_twin.cli.network.options import network_of, network_options
from fabric_twin.cli.options import ReportForm, report_options
from fabric_twin.cli.reports import report
from fabric_twin.inventory import cutsheet
from fabric_twin.services.audits.audit import audit_network


@click.command
@click.argument("cables", metavar="CABLES.csv")
@network_options
@report_options
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Output file; - is standard output."
)
@click.pass_context
def audit(
    ctx: click.Context, /, cables: str, network: str, blocks: str, output: str, **how: Any
) -> None:
    """Say what is wrong with a cut sheet of a network, by physical cause; - reads standard input.

    Exits 0 when the sheet is clean, 1 when there are findings, 2 when it cannot be read.
    """
    if [cables, blocks].count("-") > 1:
        raise click.UsageError("Only one of the files can be standard input.")
    refuse_overwriting(output, cables, blocks)
    intended = network_of(network, blocks)
    with progress() as advance:
        found = audit_network(intended, *read_file(cables, cutsheet.LARGEST), advance)
    report(ctx, found, output, ReportForm(**how))
