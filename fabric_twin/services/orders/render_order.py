"""Render a work order: paper for the aisle, tables for tools, text for a ticket system."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from fabric_twin.core.orders.measure import measure
from fabric_twin.documents.formats import file_name, make
from fabric_twin.documents.orders.work_order import order_labels, work_order
from fabric_twin.services.orders.issue import Issued

FORMATS = ("txt", "json", "html", "pdf", "csv", "md")
#: Labels are for a printer: as paper where the order is, else as rows.
_LABELS = {"html": "pdf", "pdf": "pdf"}


def render_order(
    issued: Issued,
    form: str,
    *,
    labels: bool = False,
    templates: Path | None = None,
    made: datetime | None = None,
    page: str = "",
) -> Iterator[tuple[str, bytes]]:
    """The order as a file by name, and its labels as another; `page` is where a phone does it."""
    order = issued.order
    if form == "json":
        facts = {**order.as_json(), "measure": measure(order).as_json()}
        if issued.naive is not None:
            facts["by_finding"] = issued.naive.as_json()
        text = json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
        yield f"{order.name}-work-order.json", text.encode()
    else:
        document = work_order(
            *(order, issued.floor, issued.naive),
            whole=form == "csv",
            page=page,
            faults=issued.faults,
            noun=issued.noun,
        )
        yield file_name(document, form), make(document, form, order.pod, templates, made)
    if labels and order.cables:  # a sheet without labels is a blank page
        sheet, kind = order_labels(order), _LABELS.get(form, "csv")
        yield file_name(sheet, kind), make(sheet, kind, order.pod, templates, made)
