"""`fabric-twin network audit`."""

import time
from typing import Any

import click

from fabric_twin.cli.audit import fabric_at
from fabric_twin.cli.files import read_file, refuse_overwriting
from fabric_twin.cli.messages import progress
from fabric_twin.cli.network.options import network_of, network_options
from fabric_twin.cli.options import ReportForm, report_options
from fabric_twin.cli.reports import report
from fabric_twin.inventory import cutsheet
from fabric_twin.inventory.circuits import read_circuits
from fabric_twin.services.audits.audit import audit_network


@click.command
@click.argument("cables", metavar="CABLES.csv")
@network_options
@click.option(
    "--target", metavar="HOST:PORT", help="Also ask the fabric, where switches and blocks answer."
)
@click.option("--insecure", is_flag=True, help="Without TLS; only on this machine.")
@click.option(
    "--circuits", "wanted", metavar="FILE", help="The circuits that should be there; with --target."
)
@report_options
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Output file; - is standard output."
)
@click.pass_context
def audit(
    ctx: click.Context,
    /,
    cables: str,
    network: str,
    blocks: str,
    target: str | None,
    insecure: bool,
    wanted: str | None,
    output: str,
    **how: Any,
) -> None:
    """Say what is wrong with a cut sheet of a network, by physical cause; - reads standard input.

    With --target the sheet is also compared with what the fabric shows.

    Exits 0 when the sheet is clean, 1 when there are findings, 2 when it cannot be read, 3 when
    nothing at the target answers.
    """
    form = ReportForm(**how)
    if [cables, blocks, wanted].count("-") > 1:
        raise click.UsageError("Only one of the files can be standard input.")
    if wanted and not target:
        raise click.UsageError("--circuits is for --target: a sheet holds no circuits.")
    refuse_overwriting(output, cables, blocks, wanted)
    intended = network_of(network, blocks)
    sheet, source = read_file(cables, cutsheet.LARGEST)
    if target:
        from fabric_twin.services.audits.diagnose import diagnose_network

        circuits = read_circuits(*read_file(wanted)) if wanted else None
        names = intended.names
        asked = fabric_at(target, names.switches, names.answering, insecure=insecure)
        with asked as fabric, progress() as advance:
            found = diagnose_network(
                *(intended, sheet, source, fabric, time.time), circuits=circuits, progress=advance
            )
    else:
        with progress() as advance:
            found = audit_network(intended, sheet, source, advance)
    report(ctx, found, output, form)
