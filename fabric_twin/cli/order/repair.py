"""`fabric-twin order repair`."""

from typing import Any

import click

from fabric_twin.cli.files import read_file
from fabric_twin.cli.options import pod_options
from fabric_twin.cli.order.options import Options, given, order_options, substitutions, write
from fabric_twin.core.designs import find_design
from fabric_twin.core.slots import parse_slots
from fabric_twin.inventory.json_files import LARGEST


@click.command(
    epilog="\b\nExample:\n"
    "  fabric-twin audit iw1.csv --design ironwood --pod iw1 --json |\n"
    "    fabric-twin order repair - --design ironwood --pod iw1 --cables iw1.csv --format html -o ."
)
@click.argument("findings", metavar="FINDINGS.json")
@pod_options
@order_options
def repair(findings: str, design: str, pod: str, slots: str | None, **options: Any) -> None:
    """Write the work order that mends what an audit found.

    FINDINGS.json is what `fabric-twin audit --json` writes, or - for standard input. Faults of
    switches come first, and two faults at one rack are one visit. What needs a part that --stock
    does not have is moved to a spare, or left out and named.

    Exits 0 with an order, 1 when there can be none, 2 when a file cannot be read.
    """
    from fabric_twin.services.orders.issue import issue_repair

    wanted = Options(**options)
    kind = find_design(design)
    files = given(wanted, findings)
    issued = issue_repair(
        kind,
        pod,
        read_file(findings, LARGEST),
        files,
        slots=parse_slots(slots, kind.slots) if slots is not None else None,
        substitutions=substitutions(wanted),
    )
    write(issued, wanted)
