"""Every document of a network in every format, whole, as it was last looked at."""

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pypdf import PdfReader

from fabric_twin.core.errors import DocumentRefused
from fabric_twin.core.topology.network import placed
from fabric_twin.core.topology.wiring import intended_network
from fabric_twin.documents.formats import FORMATS, KINDS
from fabric_twin.documents.topology.wiring import DOCUMENTS
from fabric_twin.services.pods.render import render_network
from tests.golden import assert_golden

GOLDEN = Path(__file__).parent / "golden_networks"
MADE = datetime(2026, 11, 1, 12, tzinfo=UTC)
ALL = [(kind, form) for kind in DOCUMENTS for form in KINDS[kind].formats]
DEVICE = {"block-map": "dc1-ab01", "switch-map": "dc1-ocs-01"}


def made(kind: str, form: str) -> tuple[str, bytes]:
    intended = intended_network(placed("dc1", 2, [("ab01", 4, 400.0), ("ab02", 4, 400.0)]))
    [(name, content)] = render_network(intended, kind, form, DEVICE.get(kind), MADE).files
    return name, content


@pytest.mark.parametrize(("kind", "form"), ALL)
def test_a_document_is_as_it_was_looked_at(kind: str, form: str) -> None:
    name, content = made(kind, form)
    if form == "pdf":
        pages = PdfReader(io.BytesIO(content)).pages
        text = "\f\n".join(page.extract_text() + "\n" for page in pages)
        assert_golden(text, GOLDEN / f"{name}.txt")
    else:
        assert_golden(content.decode(), GOLDEN / name)


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_format_that_makes_no_sense_is_refused(kind: str) -> None:
    for form in set(FORMATS) - set(KINDS[kind].formats):
        with pytest.raises(DocumentRefused, match=f"{form} is not a format of {kind}"):
            made(kind, form)
