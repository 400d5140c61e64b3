"""What an audit found, written in one of its forms, and how a command exits for it."""

import shutil
from typing import NoReturn

import click

from fabric_twin.cli.files import write_json, writing
from fabric_twin.cli.messages import styling, tell
from fabric_twin.cli.options import ReportForm
from fabric_twin.core.counted import counted
from fabric_twin.documents.audits import audit_report
from fabric_twin.services.audits.audit import SheetAudit


def report(ctx: click.Context, found: SheetAudit, output: str, form: ReportForm) -> NoReturn:
    """Say what was not looked at, write what was found, and exit 1 if it is bad enough."""
    _say_what_was_left_out(found)
    said = found.report
    with writing(output) as out:
        if form.as_json:
            write_json(said.as_json(), out)
        elif form.as_csv:
            audit_report.write_csv(said, out)
        elif form.as_html:
            out.write(audit_report.html(said))
        else:
            width = shutil.get_terminal_size().columns if out.isatty() else None
            audit_report.write_text(said, out, styling(ctx, out), width)
    failing = {"error"} if form.fail_on == "error" else {"error", "warning"}
    ctx.exit(1 if any(finding.severity in failing for finding in said.findings) else 0)


def _say_what_was_left_out(found: SheetAudit) -> None:
    noun = found.report.noun.lower()
    if not found.report.cables and (found.others or found.left_out):
        option = "network" if noun == "network" else "pod"
        tell(f"no connected cable is of {noun} {found.report.pod}; is --{option} right?")
    if found.others:
        tell(f"{_rows(found.others, f'of other {noun}s')} ignored.")
    for status, rows in sorted(found.left_out.items()):
        tell(f"{_rows(rows, f'with status {status!r}')} left out.")


def _rows(count: int, which: str) -> str:
    return f"{counted(count, 'row')} {which} {'was' if count == 1 else 'were'}"
