"""`fabric-twin remote findings`."""

import csv
import json
from typing import TYPE_CHECKING, Any, TextIO

import click

from fabric_twin.cli.files import writing
from fabric_twin.cli.messages import progress
from fabric_twin.cli.options import json_option
from fabric_twin.cli.remote.options import pod_option, server_options
from fabric_twin.core.counted import counted
from fabric_twin.core.csv_cells import escape
from fabric_twin.core.findings.life import THERE, FindingIs

if TYPE_CHECKING:
    from fabric_twin.remote.server import Server

STATES = tuple(map(str, FindingIs))
COLUMNS = ("id", "code", "severity", "state", "opened", "last_seen", "seen", "slices", "cause")


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin remote findings --url https://nautobot.example.com --pod iw1\n"
    "  fabric-twin remote findings --pod iw1 --state mended --csv -o mended.csv"
)
@server_options
@pod_option
@click.option(
    "--state",
    "states",
    type=click.Choice(STATES),
    multiple=True,
    help="Only these; may be given again. Those that are there by default.",
)
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Write CSV, a row a finding.")
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Output file; - is standard output."
)
@click.pass_context
def findings(
    ctx: click.Context,
    server: "Server",
    pod: str,
    states: tuple[str, ...],
    as_json: bool,
    as_csv: bool,
    output: str,
) -> None:
    """List the findings that a Nautobot keeps of a pod, without a new audit; needs the App.

    Exits 0 when there are none, 1 when there are some.
    """
    from fabric_twin.remote.audits import findings as findings_there
    from fabric_twin.remote.pods import find_pod

    if as_json and as_csv:
        raise click.UsageError("Choose one of --json and --csv.")
    server.need_app("findings")
    with progress() as advance:
        found = findings_there(find_pod(server, pod), states or THERE, advance)
    with writing(output) as out:
        if as_json:
            json.dump({"version": 1, "pod": pod, "findings": found}, out, indent=2)
            out.write("\n")
        elif as_csv:
            _write_csv(found, out)
        else:
            _write_text(pod, found, out)
    ctx.exit(1 if found else 0)


def _write_csv(found: list[dict[str, Any]], out: TextIO) -> None:
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for finding in found:
        seen = "yes" if finding["seen"] else "no"
        cells = finding | {"slices": "; ".join(finding["slices"]), "seen": seen}
        writer.writerow([escape(str(cells[name])) for name in COLUMNS])


def _write_text(pod: str, found: list[dict[str, Any]], out: TextIO) -> None:
    many = counted(len(found), "finding") if found else "no findings"
    out.write(f"Pod {pod}: {many}.\n")
    for one in found:
        since, last = (str(one[at])[:16].replace("T", " ") for at in ("opened", "last_seen"))
        unseen = "" if one["seen"] or one["mended"] else f"  not seen since {last}"
        head = f"{one['code']}  {one['severity']}  {one['id']}  {one['state']} since {since}"
        out.write(f"\n{head}{unseen}\n")
        out.write(f"   {one['cause']}.\n")
        if one["slices"]:
            out.write(f"   It takes links from {', '.join(one['slices'])}.\n")
