"""Every document in every format, whole, as it was last looked at.

Golden files are in `golden/`; a PDF is kept as the text on its pages.
"""

import csv
import html
import importlib.util
import io
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pypdf import PdfReader

from fabric_twin.core.errors import DocumentRefused
from fabric_twin.documents.formats import FORMATS, KINDS
from fabric_twin.services.pods.which import Which
from tests.golden import assert_golden

HERE = Path(__file__).parent
_spec = importlib.util.spec_from_file_location("small", HERE / "small.py")
small = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(small)

GIVEN = {
    "port-map": (Which(switch="x-1-1"), {"circuits": small.CIRCUITS, "in_use": small.IN_USE}),
    "face-map": (Which(cube=1), {"circuits": small.CIRCUITS}),
    "labels": (Which(), {"cables": small.CABLES}),
    "cut-list": (Which(), {"cables": small.CABLES}),
    "bill-of-materials": (Which(), {"cables": small.CABLES}),
    "light-path": (Which(port="c001:2.1.1/X+"), {"circuits": small.CIRCUITS}),
    "slice-sheet": (Which(), {"slice": small.SLICE}),
    "change-record": (Which(), {"plan": small.PLAN}),
    "work-order": (Which(), {}),
}
#: The others are of networks: test_golden_networks.py.
OF_PODS = [kind for kind in KINDS if kind in GIVEN]
ALL = [(kind, form) for kind in OF_PODS for form in KINDS[kind].formats]


def made(kind, form):
    which, files = GIVEN[kind]
    [(name, content)] = small.documents(kind, form, which, **files).items()
    return name, content


def on_paper(content):
    pages = PdfReader(io.BytesIO(content)).pages
    return "\f\n".join(page.extract_text() + "\n" for page in pages)


@pytest.mark.parametrize(("kind", "form"), ALL)
def test_a_document_is_as_it_was_looked_at(kind, form):
    name, content = made(kind, form)
    text = on_paper(content) if form == "pdf" else content.decode()
    assert_golden(text, HERE / "golden" / (f"{name}.txt" if form == "pdf" else name))


def test_every_golden_file_is_of_a_document():
    names = {made(kind, form)[0] + ".txt" * (form == "pdf") for kind, form in ALL}
    assert {path.name for path in (HERE / "golden").iterdir()} == names


@pytest.mark.parametrize("kind", OF_PODS)
def test_a_format_that_makes_no_sense_is_refused_with_those_that_do(kind):
    for form in set(FORMATS) - set(KINDS[kind].formats):
        which, files = GIVEN[kind]
        with pytest.raises(DocumentRefused, match=f"{form} is not a format of {kind}") as refusal:
            small.documents(kind, form, which, **files)
        assert refusal.value.remedy == f"Use one of {', '.join(KINDS[kind].formats)}"


class Page(HTMLParser):
    """Collects what a page refers to, and fails on a tag that is not closed in turn."""

    VOID = frozenset({"meta"})

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.references = [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.references += [value for name, value in attributes if name.endswith(("src", "href"))]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag


@pytest.mark.parametrize(("kind", "form"), [each for each in ALL if each[1] in {"html", "svg"}])
def test_a_page_is_well_formed_and_needs_nothing_else(kind, form):
    text = made(kind, form)[1].decode()
    page = Page(text)
    assert page.open == []
    assert "script" not in page.tags
    assert all(reference.startswith("#") for reference in page.references)
    assert set(re.findall(r"url\((.)", text)) <= {"#"}
    assert "@import" not in text
    if form == "svg":
        ET.fromstring(text)  # noqa: S314 - it is our own


WITH_A_HOSTILE_NAME = GIVEN | {
    "face-map": (Which(cube=3), {"circuits": small.CIRCUITS}),
    "light-path": (Which(port="c003:2.1.1/X+"), {"circuits": small.CIRCUITS}),
    "bill-of-materials": (
        Which(),
        {"cables": (small.CABLES[0].replace(b"12.5", b"=<b>&{{ 7*7 }}"), "cables.csv")},
    ),
}
#: A CSV file holds the first table only.
NOT_IN_IT = {("slice-sheet", "csv"), ("bill-of-materials", "csv")}


@pytest.mark.parametrize(("kind", "form"), [each for each in ALL if each not in NOT_IN_IT])
def test_a_hostile_name_is_only_a_name(kind, form):
    which, files = WITH_A_HOSTILE_NAME[kind]
    [(name, content)] = small.documents(kind, form, which, **files).items()
    assert re.fullmatch(r"[a-zA-Z0-9.+-]+", name)
    text = on_paper(content) if form == "pdf" else content.decode()
    if form == "csv":
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert any(cell.startswith("'=<b>&") for cell in cells)
        assert not any(cell.startswith(("=", "+", "@")) for cell in cells)
    if form in {"html", "svg"}:
        assert "<b>" not in text
        text = html.unescape(text)
    if form == "md":
        assert "<b>" not in text
        text = html.unescape(re.sub(r"\\(.)", r"\1", text))
    assert "=<b>&" in text
    assert "{{ 7*7 }}" in text


def test_a_sheet_of_labels_has_twenty_one_and_a_code_that_holds_the_name():
    [content] = small.documents("labels", "pdf", Which(cube=1)).values()
    pages = PdfReader(io.BytesIO(content)).pages
    assert len(pages) == 3  # 24 cables, two ends each
    assert "s-c001:1.1.1/X-" in pages[0].extract_text()
    assert "here" in pages[2].extract_text()
