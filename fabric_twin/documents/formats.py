"""Facts become a file: which kinds of document there are, in which formats, by which templates."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from fabric_twin.core.errors import DocumentRefused
from fabric_twin.documents.paging import pages
from fabric_twin.documents.pdf import LANDSCAPE, PORTRAIT, pdf
from fabric_twin.documents.pods.labels import ACROSS, label_pages
from fabric_twin.documents.rendering import render
from fabric_twin.documents.sheet import Document

_ODD = re.compile(r"[^A-Za-z0-9_.+-]|^[.]+")
FORMATS = ("txt", "csv", "html", "svg", "pdf")
#: What each form is to a browser.
MEDIA = {
    "html": "text/html; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "ics": "text/calendar; charset=utf-8",
    "json": "application/json",
    "pdf": "application/pdf",
}


@dataclass(frozen=True)
class Kind:
    """A kind of document."""

    formats: tuple[str, ...]
    #: What there is one of for each document.
    of: str


_TABLES = ("txt", "csv", "html", "pdf")
KINDS = {
    "port-map": Kind(FORMATS, "switch"),
    "face-map": Kind(FORMATS, "cube"),
    "labels": Kind(("csv", "pdf"), "pod"),
    "cut-list": Kind(_TABLES, "pod"),
    "block-map": Kind(_TABLES, "block"),
    "group-map": Kind(FORMATS, "group"),
    "switch-map": Kind(FORMATS, "switch"),
    "link-matrix": Kind(FORMATS, "network"),
    "plane-map": Kind(FORMATS, "plane"),
    "bill-of-materials": Kind(_TABLES, "pod"),
    "light-path": Kind(FORMATS, "port"),
    "slice-sheet": Kind(_TABLES, "slice"),
    "change-record": Kind(_TABLES, "plan"),
    "work-order": Kind(("txt", "csv", "html", "pdf", "md"), "order"),
}


def check_format(kind: str, form: str) -> None:
    """Refuse a format that a kind of document does not come in."""
    formats = KINDS[kind].formats
    if form not in formats:
        raise DocumentRefused(
            f"{form} is not a format of {kind}",
            where="format",
            remedy=f"Use one of {', '.join(formats)}",
        )


def file_name(document: Document, form: str) -> str:
    """Made of the device's name, which an operator may have made of anything."""
    return f"{_ODD.sub('-', document.name)}-{document.kind}.{form}"


def make(
    document: Document,
    form: str,
    pod: str,
    folder: Path | None = None,
    made: datetime | None = None,
) -> bytes:
    """Write a document; a folder of the user's templates goes before ours."""
    if form == "pdf":
        portrait = document.kind == "labels"
        drawn = list(_pages(document, pod, folder))
        return pdf(drawn, document.title, PORTRAIT if portrait else LANDSCAPE, made)
    facts = {"document": document, "pod": pod, "paper": False, "drawing": ""}
    if document.drawing is not None:
        facts["drawing"] = f"{document.kind}/{document.kind}.svg"
    names = [f"{document.kind}/{document.kind}.{form}", f"sheet/sheet.{form}"]
    return render(names, facts, folder).encode()


def _pages(document: Document, pod: str, folder: Path | None) -> Iterator[str]:
    """The pages of a document as SVG: its drawing first, then its tables."""
    facts = {"document": document, "pod": pod, "paper": True}
    if document.kind == "labels":
        for labels in label_pages(document):
            yield render(["labels/page.svg"], {**facts, "labels": labels, "across": ACROSS}, folder)
        return
    if document.drawing is not None:
        yield render([f"{document.kind}/{document.kind}.svg"], facts, folder)
    cut, before = pages(document), int(document.drawing is not None)
    names = [f"{document.kind}/page.svg", "sheet/page.svg"]
    for page in cut:
        numbers = {"number": page.number + before, "last": len(cut) + before}
        yield render(names, {**facts, "page": page, **numbers}, folder)
