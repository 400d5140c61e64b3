"""`fabric-twin rings check`."""

from typing import TYPE_CHECKING

import click

from fabric_twin.cli.files import read_file, write_json, writing
from fabric_twin.cli.messages import styling, tell
from fabric_twin.cli.options import json_option
from fabric_twin.cli.rings.options import cluster_options, state_of, state_option
from fabric_twin.cli.rings.targets import opened, targets_options
from fabric_twin.core.rings.audit import RingReport, audit_rings
from fabric_twin.documents.groups.rings_report import write_audit
from fabric_twin.inventory.groups.entries import LARGEST, read_entries

if TYPE_CHECKING:
    from fabric_twin.core.rings.state import State


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin rings check entries.csv --design groups-a --pod pg1 --state now.json\n"
    "  fabric-twin rings check --design groups-a --pod pg1 --state now.json\n"
    "    --targets switches.csv"
)
@click.argument("entries", metavar="[ENTRIES.csv]", required=False)
@cluster_options
@state_option(required=True)
@targets_options(required=False)
@json_option
@click.pass_context
def check(
    ctx: click.Context,
    entries: str | None,
    design: str,
    pod: str,
    state: str,
    targets: str | None,
    insecure: bool,
    as_json: bool,
) -> None:
    """Say what is wrong with entries, by the rings that they should make.

    Entries are those of a file, with the columns switch, in and out and a row for each, as `rings
    show --csv` writes it (- is standard input); or with --targets those that switches show.

    Exits 0 when every ring closes and nothing is shared, 1 when there are findings, 3 when a switch
    did not answer.
    """
    if (entries is None) is (targets is None):
        raise click.UsageError("Give ENTRIES.csv, or --targets FILE.")
    if state == "-" and "-" in (entries, targets):
        raise click.UsageError("Only one of the files can be standard input.")
    now = state_of(design, pod, state)
    silent = False
    if targets is not None:
        found, silent = _read(now, targets, insecure=insecure)
    else:
        found = audit_rings(now, read_entries(*read_file(entries or "-", LARGEST), now))
    with writing("-") as out:
        if as_json:
            write_json(found.as_json(), out)
        else:
            write_audit(found, out, styling(ctx, out))
    ctx.exit(3 if silent else 1 if found.findings else 0)


def _read(state: "State", targets: str, *, insecure: bool) -> tuple[RingReport, bool]:
    """What is wrong with the entries that switches show, and whether one did not answer."""
    from fabric_twin.services.rings.on_switches import check as check_switches

    with opened(state, targets, insecure=insecure) as switches:
        found, missing = check_switches(state, switches)
    for error in missing.values():
        tell(str(error))
    return found, bool(missing)
