"""`fabric-twin order repair`."""

from typing import Any

import click

from fabric_twin.cli.options import pod_options
from fabric_twin.cli.order.options import Options, order_options
from fabric_twin.core.kinds import Verb


@click.command(
    epilog="\b\nExample:\n"
    "  fabric-twin audit iw1.csv --design ironwood --pod iw1 --json |\n"
    "    fabric-twin order repair - --design ironwood --pod iw1 --cables iw1.csv --format html -o ."
)
@click.argument("findings", metavar="FINDINGS.json")
@pod_options
@order_options
def repair(findings: str, **options: Any) -> None:
    """Write the work order that mends what an audit found.

    FINDINGS.json is what `fabric-twin audit --json` writes, or - for standard input. Faults of
    switches come first, and two faults at one rack are one visit. What needs a part that --stock
    does not have is moved to a spare, or left out and named.

    Exits 0 with an order, 1 when there can be none, 2 when a file cannot be read.
    """
    from fabric_twin.services.orders.issue import issue_repair

    Options(**options).order_from(Verb.REPAIR, issue_repair, findings)
