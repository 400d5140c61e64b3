"""`fabric-twin rings check`."""

import click

from fabric_twin.cli.files import read_file, write_json, writing
from fabric_twin.cli.messages import styling
from fabric_twin.cli.options import json_option
from fabric_twin.cli.rings.options import cluster_options, state_of, state_option
from fabric_twin.core.rings.audit import audit_rings
from fabric_twin.documents.groups.rings_report import write_audit
from fabric_twin.inventory.groups.entries import LARGEST, read_entries


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin rings check entries.csv --design groups-a --pod pg1 --state now.json"
)
@click.argument("entries", metavar="ENTRIES.csv")
@cluster_options
@state_option(required=True)
@json_option
@click.pass_context
def check(
    ctx: click.Context, entries: str, design: str, pod: str, state: str, as_json: bool
) -> None:
    """Say what is wrong with entries, by the rings that they should make; - is standard input.

    The file has the columns switch, in and out, a row for each entry, as `rings show --csv` writes
    it.

    Exits 0 when every ring closes and nothing is shared, 1 when there are findings.
    """
    if entries == state == "-":
        raise click.UsageError("Only one of the files can be standard input.")
    now = state_of(design, pod, state)
    found = audit_rings(now, read_entries(*read_file(entries, LARGEST), now))
    with writing("-") as out:
        if as_json:
            write_json(found.as_json(), out)
        else:
            write_audit(found, out, styling(ctx, out))
    ctx.exit(1 if found.findings else 0)
