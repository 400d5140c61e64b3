"""`fabric-twin remote audit`."""

from typing import TYPE_CHECKING, Any

import click

from fabric_twin.cli.files import read_file, writing
from fabric_twin.cli.messages import progress, tell
from fabric_twin.cli.options import ReportForm, report_options
from fabric_twin.cli.remote.options import pod_option, server_options, wait_option
from fabric_twin.core.counted import counted

if TYPE_CHECKING:
    from fabric_twin.remote.pods import RemotePod
    from fabric_twin.remote.server import Server


@click.command(
    epilog="\b\nExamples:\n"
    "  fabric-twin remote audit --url https://nautobot.example.com --pod iw1\n"
    "  fabric-twin remote audit --pod iw1 --json -o findings.json"
)
@server_options
@pod_option
@click.option("--design", metavar="NAME", help="Its kind; needed where the App is not installed.")
@click.option("--slots", metavar="1-4,7", help="Slots that hold cubes, without the App.")
@click.option(
    "--substitutions",
    "substitutes",
    metavar="FILE",
    help="Spare ports in place of the rule's, without the App.",
)
@report_options
@wait_option
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Output file; - is standard output."
)
@click.pass_context
def audit(
    ctx: click.Context,
    /,
    server: "Server",
    pod: str,
    design: str | None,
    slots: str | None,
    substitutes: str | None,
    wait: float,
    output: str,
    **how: Any,
) -> None:
    """Say what is wrong with a pod, by physical cause.

    With the App the server audits it, and keeps what it finds; with core records alone it is
    audited here, by its design.

    Exits 0 when the pod is clean, 1 when there are findings, 2 when it cannot be asked for, 3 when
    the server did not answer.
    """
    form = ReportForm(**how)
    if server.has_app:
        from fabric_twin.remote.pods import find_pod

        if slots is not None or substitutes:
            raise click.UsageError(
                "The App fabric_twin is installed there and audits the whole pod, with its own "
                "substitutions: leave --slots and --substitutions out."
            )
        ctx.exit(_audited_there(find_pod(server, pod), form, wait, output))
    if not design:
        raise click.UsageError(
            "The App fabric_twin is not installed there, so the pod is audited here: "
            "give its --design."
        )
    from fabric_twin.cli.options import which_design
    from fabric_twin.cli.remote.sheets import fetch_sheet, say_what_is_not_seen
    from fabric_twin.cli.reports import report as write_report
    from fabric_twin.core.kinds import Verb
    from fabric_twin.core.slots import parse_slots
    from fabric_twin.inventory.substitutions import read_substitutions
    from fabric_twin.services.audits.audit import audit_sheet

    kind = which_design(design, Verb.RECORD)
    spares = read_substitutions(*read_file(substitutes)) if substitutes else []
    sheet = fetch_sheet(server, pod)
    say_what_is_not_seen(sheet, kind, pod, slots)
    with progress() as advance:
        found = audit_sheet(
            kind,
            pod,
            sheet.content,
            sheet.source,
            slots=parse_slots(slots, kind.slots) if slots is not None else None,
            substitutions=spares,
            progress=advance,
        )
    write_report(ctx, found, output, form)


def _audited_there(pod: "RemotePod", form: ReportForm, wait: float, output: str) -> int:
    """Let the server audit the pod, write its report, and say how to exit."""
    from fabric_twin.remote.audits import audit as audit_there
    from fabric_twin.remote.audits import report

    with progress() as advance:
        run = audit_there(pod, wait, advance)
    for device, why in sorted(run.not_reached.items()):
        tell(f"{device} did not answer: {why}.")
    content = report(pod, run, form.name).decode()
    with writing(output) as out:
        out.write(content)
    tell(
        f"{pod.name} audit {run.number}: {counted(run.found, 'finding')}, {run.new:,} new, "
        f"{run.gone:,} gone; the gate is {run.gate}."
    )
    return 1 if run.fails(form.fail_on) else 0
