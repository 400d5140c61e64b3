"""What a run found as a document: a page, a table, paper, or the contract's JSON."""

import io
import json
from dataclasses import replace
from typing import Any

from nautobot.users.models import User

from fabric_twin.core.audit import Finding as CoreFinding
from fabric_twin.core.audit import Report
from fabric_twin.core.errors import DocumentRefused, NotPossible
from fabric_twin.documents.audits.audit_report import html, pdf_of, write_csv, write_text
from fabric_twin.documents.formats import MEDIA
from fabric_twin.models import AuditRun, Finding, FindingPlace
from fabric_twin.models.audit_run import RunStateChoices
from fabric_twin.operations.audits.finding_rows import finding_of, report_of
from fabric_twin.operations.audits.findings_of import hides_findings, keys_of

#: Each form and what it is to a browser.
FORMS = {form: MEDIA[form] for form in ("html", "csv", "pdf", "txt", "json")}
#: Those that a person asks for on a page.
PRINTED = ("html", "csv", "pdf")
#: What of a run is in its report: what it found, and what it could not see.
TOLD = ("found", "not_seen")
#: A finding is one record, which later runs bring up to date.
LATER = "Later runs saw some of these findings again: they are shown as they were last seen."


def run_report(run: AuditRun, form: str, user: User) -> tuple[str, str, bytes]:
    """Name, kind and content of a run's report, of the findings that the user may see.

    Where these are not all, it says so.
    """
    if form not in FORMS:
        raise DocumentRefused(
            f"there is no report as {form[:20]}",
            where=str(run),
            remedy=f"Ask for {', '.join(FORMS)}",
        )
    if run.is_discovery:
        raise NotPossible(
            "a discovery looks for no findings, and has no report of them",
            where=str(run),
            remedy="Look at its page, or ask for the report of an audit",
        )
    if run.state != RunStateChoices.DONE:
        raise NotPossible(
            f"the run is {run.get_state_display().lower()}, and has no report",
            where=str(run),
            remedy="Ask for that of a run that is done",
        )
    rows = _rows(run, user)
    hidden = hides_findings(run.pod, user, keys_of(run, *TOLD))
    report = report_of(run, _findings(rows, set(keys_of(run, "not_seen"))), hidden=hidden)
    later = run.ended and rows.filter(last_seen__gt=run.ended).exists()
    name = f"{run.pod.name}-audit-{run.number}.{form}"
    return name, FORMS[form], _content(report, form, LATER if later else "")


def _content(report: Report, form: str, note: str) -> bytes:
    if form == "pdf":
        return pdf_of(report, note)
    if form == "html":
        return html(report, note).encode()
    out = io.StringIO()
    match form:
        case "csv":
            write_csv(report, out)
        case "txt":
            write_text(report, out, lambda text, **_: text, note=note)
        case "json":
            json.dump(report.as_json(), out, indent=2, ensure_ascii=False)
            out.write("\n")
    return out.getvalue().encode()


def _rows(run: AuditRun, user: User) -> Any:
    mine = Finding.objects.restrict(user, "view")
    return mine.filter(pod=run.pod_id, key__in=keys_of(run, *TOLD))


def _findings(rows: Any, unseen: set[str]) -> list[CoreFinding]:
    """In the order of every report; each as it was last seen, and when if the run did not."""
    places: dict[Any, list[tuple[str, str, str]]] = {}
    named = FindingPlace.objects.filter(finding__in=rows.order_by().values("pk"))
    for finding, *place in named.order_by("finding", "number").values_list(
        "finding_id", "device_name", "port_name", "cable_name"
    ):
        places.setdefault(finding, []).append((place[0], place[1], place[2]))
    found = (
        replace(
            finding_of(row, places.get(row.pk, ())),
            last_seen=row.last_seen if row.key in unseen else None,
        )
        for row in rows
    )
    return sorted(found, key=lambda finding: finding.urgency)
