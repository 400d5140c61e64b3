"""What a slice does without, drawn: each lost index, and the one that its traffic goes by."""

import json
from xml.etree import ElementTree as ET

import pytest

from fabric_twin.core.designs import find_design
from fabric_twin.core.pods.names import Names
from fabric_twin.core.slices.shapes import parse_shape
from fabric_twin.documents import embed
from fabric_twin.documents.pods.legend import owners
from fabric_twin.documents.sheet import Document
from fabric_twin.documents.slices.detour_map import detour_map
from fabric_twin.services.slices.allocate import allocate_slice

SVG = "{http://www.w3.org/2000/svg}"


def document(design: str, *out: str, shape: str = "8x4x4", bear: int = 1) -> Document:
    """The drawing of a slice of a pod of which some switches are out."""
    kind = find_design(design)
    in_use = json.dumps({"unhealthy": {"switches": list(out)}}).encode()
    found = allocate_slice(
        kind, "p", parse_shape(shape, kind), name="a", in_use=(in_use, "in use"), bear=bear
    )
    assert found.bearing
    return detour_map("p", found.bearing, owners(["a"], {"a": "C"})["a"])


def cells(made: Document) -> dict[str, str]:
    """Every place of the drawing that says something: its title, by what it is called."""
    root = ET.fromstring(embed.svg(made, "p", {"switch p-ocs-x-3-2": "/switches/1/"}))  # noqa: S314
    titles = [title.text or "" for title in root.iter(f"{SVG}title")]
    return dict(title.split(": ", 1) for title in titles if ": " in title)


def test_it_says_what_is_missing_why_and_by_what_it_goes() -> None:
    made = document("ironwood", "p-ocs-x-3-2")
    assert made.lines == (
        "Pod p: 8x4x4",
        "Capacity left: X 0.9375, Y 1, Z 1. Slowest link: 1/2, where 1 detour shares a circuit",
    )
    assert [(table.title, table.columns, table.rows) for table in made.tables] == [
        (
            "Circuits that are not made",
            ("switch", "circuits", "why"),
            [("p-ocs-x-3-2", "2", "p-ocs-x-3-2 is unhealthy")],
        ),
        (
            "Detours",
            ("axis", "lost", "by", "joins", "the first"),
            [("X", "3,2", "4,2", "2", "1:4.3.2 to 1:4.4.2, p-ocs-x-4-2 1A-2B, 2:1.4.2 to 2:1.3.2")],
        ),
    ]
    assert cells(made) == {"p-ocs-x-3-2": "lost 2", "p-ocs-x-4-2": "detours 2"}


def test_only_axes_that_lost_something_are_drawn_and_switches_lead_to_their_pages() -> None:
    made = document("ironwood", "p-ocs-x-3-2", "p-ocs-z-1-1")
    assert [face.name for face in made.drawing.faces] == ["X", "Z"]
    drawn = embed.svg(made, "p", {"switch p-ocs-x-3-2": "/switches/1/"})
    assert drawn.count('<a href="/switches/1/">') == 1
    arrows = [path for path in drawn.split("<path ") if "marker-end" in path]
    assert len(arrows) == 2


@pytest.mark.parametrize(
    ("design", "indices"),
    [("tpu-v4", 1), ("tpu-v5p", 1), ("ironwood", 1), ("tpu-v4-duplex", 1), ("tpu-v4-cwdm8", 2)],
)
def test_a_switch_takes_what_its_design_gives_it(design: str, indices: int) -> None:
    first = Names(find_design(design).layout, "p").switches[0]
    [face] = document(design, first).drawing.faces
    assert [cell.lost for cell in face.cells if cell.lost] == [2] * indices
