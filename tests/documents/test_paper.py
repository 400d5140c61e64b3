"""Documents on paper, as another program reads their PDF: type, pages, long names."""

import io
from collections.abc import Iterator

import numpy as np
import pytest
from pypdf import PageObject, PdfReader

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.design import Design
from fabric_twin.core.designs import find_design
from fabric_twin.core.findings.noted import Noted
from fabric_twin.documents.formats import make
from fabric_twin.documents.pods.cut_list import cut_list
from fabric_twin.documents.pods.fabric import Cables, Fabric
from fabric_twin.documents.pods.face_map import face_map
from fabric_twin.documents.pods.labels import labels
from fabric_twin.documents.pods.light_path import light_path
from fabric_twin.documents.pods.port_map import port_map
from fabric_twin.documents.sheet import Document, table

#: Points; a browser's printed page is as fine.
SMALLEST = 7.0
LONG = "a-name-that-nobody-would-like-to-type-twice-" * 4 + "end"
DESIGNS = ("ironwood", "tpu-v4-duplex")


def fabric_of(design: str | Design, **more: object) -> Fabric:
    known = find_design(design) if isinstance(design, str) else design
    plant = intended_plant(known, "iw1", None, ())
    return Fabric(plant, Cables.of_rule(plant), **more)  # type: ignore[arg-type]


def printed(document: Document) -> PdfReader:
    return PdfReader(io.BytesIO(make(document, "pdf", "iw1")))


def sizes(reader: PdfReader) -> Iterator[float]:
    for page in reader.pages:
        yield from sizes_on(page)


def sizes_on(page: PageObject) -> list[float]:
    """The size of each piece of text as it stands on the page."""
    found: list[float] = []

    def keep(text: str, now: list[float], at: list[float], _font: object, size: float) -> None:
        if text.strip():
            found.append(abs(size * at[3] * now[3]))

    page.extract_text(visitor_text=keep)
    return found


def documents(fabric: Fabric) -> dict[str, Document]:
    return {
        "port-map": port_map(fabric, 6),
        "face-map": face_map(fabric, 7),
        "labels": labels(fabric, "iw1-c007", 7),
        "cut-list": cut_list(fabric, "iw1-c007", 7),
        "light-path": light_path(fabric, 700),
    }


@pytest.mark.parametrize("design", DESIGNS)
def test_no_type_is_smaller_than_seven_points_and_no_page_is_blank(design: str) -> None:
    for kind, document in documents(fabric_of(design)).items():
        pages = printed(document).pages
        for page in (*pages[:2], pages[-1]):  # those between are as the second
            assert min(sizes_on(page), default=0) >= SMALLEST, kind


@pytest.mark.parametrize("design", DESIGNS)
def test_a_port_map_is_two_pages(design: str) -> None:
    fabric = fabric_of(design)
    for switch in (0, len(fabric.switches) - 1):
        reader = printed(port_map(fabric, switch))
        assert len(reader.pages) == 2
        ports = reader.pages[1].extract_text()
        assert "iw1" in ports
        radix = fabric.layout.radix
        for name in (f"{radix}A", f"{radix}B") if design == "ironwood" else (str(radix),):
            assert f"\n{name} " in ports


def test_ports_have_a_row_each_beside_a_drawing_with_what_is_wrong() -> None:
    fabric = fabric_of("ironwood", findings={13_824: (Noted("swapped", LONG, is_error=True),)})
    drawing, ports = (page.extract_text() for page in printed(port_map(fabric, 0)).pages)
    assert "1A c001:4.1.1/X+ t02" in " ".join(ports.split())
    assert "".join(f"!1A:swapped:{LONG}".split()) in "".join(drawing.split())


def test_what_has_no_room_beside_the_drawing_follows_whole() -> None:
    first = 13_824
    found = {first + n: (Noted("swapped", f"{LONG} {n}", is_error=True),) for n in range(9)}
    pages = [
        page.extract_text()
        for page in printed(port_map(fabric_of("ironwood", findings=found), 0)).pages
    ]
    assert len(pages) == 3
    assert "and 7 more" in pages[0]
    told = "".join(pages[2].split())
    assert all("".join(f"{n + 1}A: swapped: {LONG} {n}".split()) in told for n in range(9))


def test_long_titles_lines_and_cells_wrap_and_nothing_is_cut() -> None:
    long = " ".join(["what is wrong with it and", LONG] * 3)
    rows = [(str(number), long) for number in range(8)]
    document = Document(
        "cut-list", "iw1", f"Title {long}", (f"Line {long}",), (table("Rows", "no,cause", rows),)
    )
    reader = printed(document)
    pages = ["".join(page.extract_text().split()) for page in reader.pages]
    assert len(pages) > 1
    assert min(sizes(reader)) >= SMALLEST
    assert all("".join(f"Title {long}".split()) in page for page in pages)
    assert "".join(f"Line {long}".split()) in pages[0]
    assert "…" not in "".join(pages)
    assert "".join(pages).count("".join(long.split())) == 8 + len(pages) + 1


def test_text_stays_within_the_page() -> None:
    long = " ".join(["what is wrong with it and", LONG] * 3)
    document = Document(
        "cut-list", "iw1", long, (long,), (table("Rows", "no,cause", [("1", long)]),)
    )
    for page in printed(document).pages:
        ends: list[float] = []

        def keep(
            text: str,
            now: list[float],
            at: list[float],
            _font: object,
            size: float,
            ends: list[float] = ends,
        ) -> None:
            for line in text.splitlines():
                wide = abs(size * at[3] * now[3]) * 0.602 * len(line)
                ends.append(at[4] * now[0] + now[4] + wide)

        page.extract_text(visitor_text=keep)
        assert max(ends) <= float(page.mediabox.width)


def test_a_row_taller_than_a_page_goes_on_on_the_next() -> None:
    words = [f"word{number}" for number in range(1_600)]
    document = Document("cut-list", "iw1", "T", (), (table("Rows", "cause", [(" ".join(words),)]),))
    pages = [page.extract_text().split() for page in printed(document).pages]
    assert len(pages) > 1
    assert [word for page in pages for word in page if word.startswith("word")] == words


def test_labels_of_long_names_wrap() -> None:
    name, text = f"{LONG[:50]}-cable", f"{LONG[:80]}-text"
    near, far = f"{LONG[:40]}-near", f"{LONG[:40]}-far"
    row = (name, "a", text, near, "1A", far, "2B")
    columns = ("cable", "end", "text", "device", "port", "to_device", "to_port")
    document = Document("labels", "iw1", "Labels", (), (table("Labels", ",".join(columns), [row]),))
    reader = printed(document)
    told = "".join(reader.pages[0].extract_text().split())
    assert min(sizes(reader)) >= SMALLEST
    assert [part for part in (name, text, f"{near}1A", f"{far}2B") if part not in told] == []


def test_a_sheet_without_labels_says_so() -> None:
    document = Document("labels", "iw1", "Labels of iw1", (), (table("Labels", "cable", []),))
    (page,) = printed(document).pages
    assert page.extract_text() == "Labels of iw1\nNo labels: there are no cables to label here."


def test_a_port_map_with_many_owners_is_still_two_pages() -> None:
    pairs = [(slot, slot + 1 if slot % 4 else slot - 3) for slot in range(1, 145)]
    switch, a, b = np.zeros(144, int), *np.array(pairs).T
    owners = [f"job-{(slot - 1) // 4}" for slot, _ in pairs]
    fabric = fabric_of("ironwood", circuits=Circuits(switch, a, b), owner=owners)
    drawing, _ports = (page.extract_text() for page in printed(port_map(fabric, 0)).pages)
    assert all(f"job-{job}: 4 {4 * job + 1}>" in drawing for job in range(36))
