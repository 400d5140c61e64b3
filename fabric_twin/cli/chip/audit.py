"""`fabric-twin chip audit`."""

from collections import Counter
from typing import Any

import click

from fabric_twin.cli.chip.options import chip_design_of, design_option, ring_option, rings_of
from fabric_twin.cli.files import read_file, refuse_overwriting
from fabric_twin.cli.options import ReportForm, report_options
from fabric_twin.cli.reports import report
from fabric_twin.core.chips.audit import audit_netlist
from fabric_twin.inventory.chips.netlist import LARGEST, read_netlist
from fabric_twin.services.audits.audit import SheetAudit


@click.command
@click.argument("netlist", metavar="NETLIST.csv")
@design_option
@ring_option
@report_options
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Output file; - is standard output."
)
@click.pass_context
def audit(
    ctx: click.Context, /, netlist: str, design: str, ring: str | None, output: str, **how: Any
) -> None:
    """Say what is wrong with a netlist of a chip, by cause; - reads standard input.

    Exits 0 when it is clean, 1 when there are findings, 2 when it cannot be read.
    """
    form = ReportForm(**how)
    refuse_overwriting(output, netlist)
    wanted = chip_design_of(design)
    asked = set(rings_of(wanted.chip, ring))
    read = read_netlist(*read_file(netlist, LARGEST), wanted.chip.rings)
    found = audit_netlist(wanted, (one for one in read if one.ring in asked))
    report(ctx, SheetAudit(found, 0, Counter()), output, form)
