"""`fabric-twin rings send`."""

import click

from fabric_twin.cli.files import write_json, writing
from fabric_twin.cli.options import json_option
from fabric_twin.cli.rings.options import cluster_options, state_of, state_option
from fabric_twin.cli.rings.targets import opened, targets_options
from fabric_twin.documents.groups.sent_report import write_sending


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin rings send --design groups-a --pod pg1 --state now.json\n"
    "    --targets switches.csv --dry-run\n"
    "  fabric-twin rings send --design groups-a --pod pg1 --state now.json --targets switches.csv"
)
@cluster_options
@state_option(required=True)
@targets_options(required=True)
@click.option("--dry-run", is_flag=True, help="Say what would be sent, and send nothing.")
@json_option
@click.pass_context
def send(
    ctx: click.Context,
    design: str,
    pod: str,
    state: str,
    targets: str,
    insecure: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Make switches have the entries of the state, and read them back.

    Every switch of the file is read first. Entries of ours that no ring needs are removed
    everywhere before others are added; flows of others are left alone. To send again does no harm.

    Exits 1 when something could not be done, 3 when a switch did not answer.
    """
    from fabric_twin.services.rings.send import send as send_entries

    if state == targets == "-":
        raise click.UsageError("Only one of the files can be standard input.")
    now = state_of(design, pod, state)
    with opened(now, targets, insecure=insecure) as switches:
        sending = send_entries(now, switches, dry_run=dry_run)
    with writing("-") as out:
        if as_json:
            write_json(sending.as_json(), out)
        else:
            write_sending(sending, out)
    ctx.exit(3 if sending.silent else 1 if sending.not_done else 0)
