"""A ticket as a file: a page, paper, Markdown, JSON, a table of circuits, or its window."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from fabric_twin.core.errors import DocumentRefused
from fabric_twin.documents.formats import MEDIA
from fabric_twin.documents.paging import pages
from fabric_twin.documents.pdf import LANDSCAPE, pdf
from fabric_twin.documents.rendering import render
from fabric_twin.documents.sheet import Document, Table
from fabric_twin.documents.tickets.calendar import Event, calendar
from fabric_twin.documents.tickets.facts import TicketFacts
from fabric_twin.documents.tickets.ticket import (
    about,
    checks,
    concerns,
    drained,
    drawn,
    history,
    records,
    stages,
    ticket_document,
)

#: Each form and what it is to a browser.
FORMS = {form: MEDIA[form] for form in ("html", "pdf", "md", "json", "csv", "ics")}
#: How long a window without an end is in a calendar.
AN_HOUR = timedelta(hours=1)
#: What a calendar shows of a window that nobody has agreed to yet, or that is no more.
_STATUS = dict.fromkeys(("Draft", "Submitted"), "TENTATIVE") | dict.fromkeys(
    ("Withdrawn", "Undone"), "CANCELLED"
)
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~!])")


def ticket_file(facts: TicketFacts, form: str, made: datetime | None = None) -> bytes:
    """The ticket in one form; the window only where there is one."""
    if form not in FORMS:
        raise DocumentRefused(
            f"there is no ticket as {form[:20]}",
            where=f"ticket {facts.name}",
            remedy=f"Ask for {', '.join(FORMS)}",
        )
    document = ticket_document(facts)
    match form:
        case "json":
            text = json.dumps(ticket_json(facts), indent=2, ensure_ascii=False)
            return f"{text}\n".encode()
        case "ics":
            return calendar([_window(facts)])
        case "pdf":
            return pdf(list(_paper(document, facts)), document.title, LANDSCAPE, made)
        case "md":
            return render(["ticket/ticket.md"], {"document": document, "cell": _cell}).encode()
        case "csv":
            # Circuits come last: they are by far the longest.
            return render(["ticket/ticket.csv"], {"table": document.tables[-1]}).encode()
    shown = {"document": document, "change": drawn(facts), "drawing": "", "paper": False}
    return render(["ticket/ticket.html"], shown).encode()


def ticket_json(facts: TicketFacts) -> dict[str, Any]:
    """For programs: the plan is the contract's, with its effects and notes."""
    return {
        "version": 1,
        "ticket": facts.name,
        "pod": facts.pod,
        "design": facts.design,
        "title": facts.title,
        "about": about(facts),
        "concerns": concerns(facts),
        "stages": _rows(stages(facts)),
        "checks": _rows(checks(facts)),
        "records": [row[0] for row in records(facts).rows],
        "drained": _rows(drained(facts)),
        "history": _rows(history(facts)),
        "plan": dict(facts.plan),
        "blast": dict(facts.blast),
    }


def _rows(found: Table) -> list[Mapping[str, str]]:
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def _window(facts: TicketFacts) -> Event:
    begins, ends = facts.window
    if begins is None:
        raise DocumentRefused(
            "it has no window that a calendar could hold",
            where=f"ticket {facts.name}",
            remedy="Schedule it first",
        )
    text = [f"{name}: {value}" for name, value in (about(facts) | concerns(facts)).items()]
    return Event(
        uid=f"{facts.name}@fabric-twin",
        sequence=len(facts.history),
        changed=facts.changed or begins,
        begins=begins,
        ends=ends or begins + AN_HOUR,
        summary=f"{facts.heading} ({facts.state.lower()})",
        description="\n".join(text),
        location=f"{facts.called.pod.capitalize()} {facts.pod}",
        url=facts.page,
        status=_STATUS.get(facts.state, "CONFIRMED"),
    )


def _paper(document: Document, facts: TicketFacts) -> Iterator[str]:
    """Tables first, for they say what the drawing shows; circuits come last."""
    change = drawn(facts)
    filled = Document(
        document.kind,
        document.name,
        document.title,
        document.lines,
        tuple(one for one in document.tables if one.rows),
    )
    cut = pages(filled)
    last = len(cut) + len(change.drawing.pages)
    for page in cut:
        names = {"page": page, "number": page.number, "last": last}
        yield render(["sheet/page.svg"], {"document": filled, "paper": True, **names})
    for number, cards in enumerate(change.drawing.pages, len(cut) + 1):
        names = {"cards": cards, "number": number, "last": last}
        yield render(["change/page.svg"], {"document": change, **names})


def _cell(text: str) -> str:
    """A cell of a Markdown table that is only text."""
    return _MARKS.sub(r"\\\1", " ".join(text.split()))


def file_name(facts: TicketFacts, form: str) -> str:
    """What the file is called."""
    return f"{facts.name}.{form}"
