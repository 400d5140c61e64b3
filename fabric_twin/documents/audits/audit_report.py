"""An audit's report as text, CSV, HTML and PDF."""

import csv
import textwrap
from collections.abc import Callable, Iterable
from typing import Any, TextIO

from fabric_twin.core.audit import Finding, Report
from fabric_twin.core.audit.places import some
from fabric_twin.core.counted import counted
from fabric_twin.core.csv_cells import escape
from fabric_twin.core.moments import moment
from fabric_twin.documents.audits.finding_drawing import drawing
from fabric_twin.documents.environment import environment
from fabric_twin.documents.paging import pages
from fabric_twin.documents.pdf import LANDSCAPE, pdf
from fabric_twin.documents.pods.legend import FINDINGS_HIDDEN
from fabric_twin.documents.rendering import render
from fabric_twin.documents.sheet import Document, table

#: Steps of one finding shown to a person; programs get all.
STEPS_IN_TEXT, STEPS_IN_HTML = 6, 200
#: What a spreadsheet holds in one cell, and some room.
LONGEST_CELL = 32_000
COLOURS = {"error": "red", "warning": "yellow"}

Style = Callable[..., str]


def headline(report: Report) -> str:
    """What was found, and what was not seen, not shown or not looked at."""
    return " ".join(_sentences(report))


def _sentences(report: Report) -> list[str]:
    if report.clean:
        rule = "wiring rule wants" if report.part == "cable" else "design wants"
        return [f"Clean: all {report.expected:,} {report.part}s are where the {rule} them."]
    said = []
    if many := len(report.findings):
        often = sorted(report.summary.items(), key=lambda item: -item[1])
        counts = ", ".join(f"{count:,} {code}" for code, count in often)
        said.append(f"{many:,} finding{'s' * (many > 1)}: {counts}.")
    elif not (report.unseen or report.hidden):
        said.append("Nothing was found.")
    if many := len(report.unseen):
        said.append(f"{many:,} not seen since, and not shown to be gone.")
    return said + _gaps(report)


def _gaps(report: Report) -> list[str]:
    """Why the report is not of everything."""
    said = []
    if report.places:
        said.append(f"Not all of the pod was looked at, only {report.places}.")
    if report.light_only:
        said.append("Serials and parts were not looked at.")
    if report.not_answered:
        said.append(f"Nothing is known of what did not answer: {some(report.not_answered)}.")
    if report.hidden:
        said.append(f"{FINDINGS_HIDDEN}.")
    return said


def _last_seen(finding: Finding) -> str:
    return f"last seen {_time(finding)}" if finding.last_seen else ""


def _time(finding: Finding) -> str:
    return moment(finding.last_seen)


def write_text(
    report: Report, out: TextIO, style: Style, width: int | None = None, note: str = ""
) -> None:
    """For a terminal: what to do first is at the top; lines are folded to a width if given."""
    cables = f"{counted(report.cables, report.part)} recorded, {report.expected:,} expected"
    out.write(f"{style(f'{report.noun} {report.pod}', bold=True)} ({report.design}): {cables}.\n")
    out.write(style(headline(report), fg="green" if report.clean else None) + "\n")
    out.write(_folded(note, width, "") if note else "")
    for number, finding in enumerate((*report.findings, *report.unseen), 1):
        if number == len(report.findings) + 1:
            out.write(f"\n{style('Not seen since', bold=True)}\n")
        code = style(finding.code, fg=COLOURS[finding.severity], bold=True)
        lone = number > 1 or len(report.findings) == 1 or finding.severity != "error"
        after = "" if lone else "  <- do this first"
        if finding.last_seen:
            after = f"  {_last_seen(finding)}"
        out.write(f"\n{number}. {code}  {finding.severity}  {finding.id}{after}\n")
        out.write(_folded(f"{finding.cause}.", width, "   "))
        out.writelines(
            _folded(str(what), width, f"   {step:>3}  ")
            for step, what in enumerate(finding.remedy[:STEPS_IN_TEXT], 1)
        )
        more = len(finding.remedy) - STEPS_IN_TEXT
        if more > 0:
            out.write(f"        and {more:,} more: --html shows them, --json has them all\n")


def _folded(text: str, width: int | None, lead: str) -> str:
    """A paragraph that hangs below its lead; names are never broken."""
    if width is None:
        return f"{lead}{text}\n"
    lines = textwrap.wrap(
        text,
        max(width, 40),
        initial_indent=lead,
        subsequent_indent=" " * len(lead),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "".join(f"{line}\n" for line in lines)


def write_csv(report: Report, out: TextIO) -> None:
    """For a spreadsheet: a row a finding, then one for each reason why these may not be all."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["id", "code", "severity", "cause", "cables", "ports", "remedy"])
    for finding in (*report.findings, *report.unseen):
        unseen = f"Not seen since, {_last_seen(finding)}: " if finding.last_seen else ""
        writer.writerow(
            [
                finding.id,
                finding.code,
                finding.severity,
                escape(unseen + finding.cause),
                escape(_list(finding.cables)),
                escape(_list(" port ".join(filter(None, port)) for port in finding.ports)),
                escape(_list(map(str, finding.remedy))),
            ]
        )
    for gap in _gaps(report):
        writer.writerow(["", "", "", escape(gap), "", "", ""])


def html(report: Report, note: str = "") -> str:
    """A page that needs nothing else: no script, no font, no file from elsewhere."""
    return (
        environment()
        .get_template("audit/report.html")
        .render(
            report=report,
            headline=headline(report),
            note=note,
            findings=[_facts(one, report.pod) for one in (*report.findings, *report.unseen)],
        )
    )


def pdf_of(report: Report, note: str = "") -> bytes:
    """On paper: what is wrong, then what to do about it, page by page."""
    document = _document(report, note)
    cut = pages(document)
    facts = {"document": document, "pod": report.pod, "paper": True, "last": len(cut)}
    drawn = [
        render(["sheet/page.svg"], {**facts, "page": page, "number": page.number}) for page in cut
    ]
    return pdf(drawn, document.title, LANDSCAPE)


def _document(report: Report, note: str) -> Document:
    numbered = list(enumerate((*report.findings, *report.unseen), 1))
    wrong = table(
        "Findings",
        "no,code,severity,id,cause",
        (
            (number, one.code, one.severity, one.id, one.cause)
            for number, one in numbered
            if not one.last_seen
        ),
    )
    unseen = table(
        "Not seen since",
        "no,code,severity,id,last seen,cause",
        (
            (number, one.code, one.severity, one.id, _time(one), one.cause)
            for number, one in numbered
            if one.last_seen
        ),
    )
    steps = table(
        "Remedies",
        "no,code,step,what to do",
        (
            (number, one.code, place, str(step))
            for number, one in numbered
            for place, step in enumerate(one.remedy[:STEPS_IN_HTML], 1)
        ),
    )
    cables = f"{counted(report.cables, report.part)} recorded, {report.expected:,} expected"
    lines = (f"{report.design}: {cables}", *_sentences(report), *filter(None, [note]))
    tables = (wrong, unseen, steps) if report.unseen else (wrong, steps)
    title = f"Audit of {report.noun.lower()} {report.pod}"
    return Document("audit", report.pod, title, lines, tables)


def _facts(finding: Finding, pod: str) -> dict[str, Any]:
    return {
        "id": finding.id,
        "code": finding.code,
        "severity": finding.severity,
        "cause": finding.cause,
        "last_seen": _last_seen(finding),
        "cables": finding.cables,
        "steps": [str(step) for step in finding.remedy[:STEPS_IN_HTML]],
        "total_steps": len(finding.remedy),
        # Only cables that stand elsewhere make a drawing.
        "drawing": drawing(finding, pod) if finding.strays else None,
    }


def _list(parts: Iterable[str]) -> str:
    text = "; ".join(parts)
    return text if len(text) <= LONGEST_CELL else f"{text[:LONGEST_CELL]} ... (see --json)"
