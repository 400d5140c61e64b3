"""Maps that pages of Nautobot show: the slots of a pod and the torus of a slice."""

from xml.etree import ElementTree as ET

import pytest

from fabric_twin.core.cube import STANDARD_CUBE
from fabric_twin.core.designs import find_design
from fabric_twin.core.findings.noted import Noted
from fabric_twin.core.pods.grid import unit_grid
from fabric_twin.core.slices.boxes import wraps_of
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.slices.slice import Slice
from fabric_twin.documents import embed
from fabric_twin.documents.pods.legend import owners
from fabric_twin.documents.pods.slot_map import Slot, slot_map
from fabric_twin.documents.sheet import Document
from fabric_twin.documents.slices.torus_map import torus_map

SVG = "{http://www.w3.org/2000/svg}"
LINKS = {"slot 1": "/cubes/1/", "slice a<b": "/slices/1/"}


def noted(cause: str, *, seen: bool = True) -> Noted:
    return Noted("dark", cause, is_error=True, seen=seen)


def drawn(document: Document) -> ET.Element:
    """The drawing, read as XML."""
    return ET.fromstring(embed.svg(document, "p", LINKS))  # noqa: S314


def words(document: Document) -> list[str]:
    return ["".join(text.itertext()).strip() for text in drawn(document).iter(f"{SVG}text")]


def four_slots() -> Document:
    slots = (
        Slot(1, "p-c001", "active", "in a slice", slices=("a<b",), findings=2),
        Slot(2, "r2", "out", "out"),
        Slot(3, "r3", "draining", "in a slice", slices=("c", "d", "e")),
        Slot(4),
        Slot(5, "r5", "active", "held", "held by p-t1"),
    )
    return slot_map("p", slots, {"a<b": "E"})


def test_a_slot_map_says_what_stands_in_every_slot_and_how_it_is_used() -> None:
    assert four_slots().tables[0].rows == [
        ("1", "p-c001", "active", "in a slice", "", "a<b", "2"),
        ("2", "r2", "out", "out", "", "", "0"),
        ("3", "r3", "draining", "in a slice", "", "c, d, e", "0"),
        ("4", "", "", "no cube", "", "", "0"),
        ("5", "r5", "active", "held", "held by p-t1", "", "0"),
    ]


def test_a_cell_has_the_slices_letter_what_is_wrong_and_what_keeps_it() -> None:
    told = words(four_slots())
    legend = ["in a slice 2", "free 0", "held 1", "out 1", "no cube 1", "!1", "a finding"]
    cells = ["1", "E", "!2", "2", "out", "3", "C D+1", "draining", "4", "no cube", "5", "held"]
    assert told[: len(legend) + len(cells)] == legend + cells


@pytest.mark.parametrize(
    ("design", "first", "right"),
    [
        ("tpu-v5e", ["1", "2", "3", "4", "5"], 4),
        ("static-3d", ["1", "2", "3", "4", "17"], 16),
    ],
)
def test_slots_of_a_static_pod_stand_as_its_grid(design, first, right) -> None:
    layout = find_design(design).layout
    slots = [Slot(number) for number in range(1, layout.slots + 1)]
    document = slot_map("p", slots, grid=unit_grid(layout))
    assert [str(cell.slot.number) for cell in document.drawing.cells[:5]] == first
    assert (document.drawing.across, document.drawing.together) == (right, 4)
    places = [
        tuple(map(float, mark.get("transform")[10:-1].split()))
        for mark in drawn(document).iter(f"{SVG}g")
        if mark.find(f"{SVG}title") is not None
    ]
    at = {
        cell.slot.number: place for cell, place in zip(document.drawing.cells, places, strict=True)
    }
    assert at[2][1] == at[1][1] < at[5][1], "X to the right, Y down"
    assert at[5][0] == at[1][0] < at[2][0]
    if design == "static-3d":
        assert (at[17][1], at[17][0] - at[4][0]) == (at[1][1], 66 + 12), "Z beside, with a gap"


def dashed(document: Document) -> int:
    """How many marks are those of findings that are not seen since."""
    return sum("unseen" in rect.get("class", "") for rect in drawn(document).iter(f"{SVG}rect"))


def test_a_grid_and_a_torus_mark_what_is_not_seen_since_otherwise_and_say_so() -> None:
    slots = [Slot(n, findings=2, unseen=unseen) for n, unseen in enumerate((0, 1, 2), 1)]
    grids = [slot_map("p", slots[:many]) for many in (2, 3)]
    made = Slice("s", Shape((4, 4, 8)), (1, 2))
    there, unseen = noted("x"), noted("y", seen=False)
    told = ({1: [there, unseen]}, {1: [there, unseen], 2: [unseen]})
    toruses = [torus_map("p", made, STANDARD_CUBE, owners(["s"])["s"], one) for one in told]
    for without, some in (grids, toruses):
        assert dashed(without) == 0
        assert dashed(some) == 2, "the mark, and that in the key"
        for document in (without, some):
            assert words(document).count("a finding") == 1
        assert "not seen since" not in words(without)
        assert words(some).count("not seen since") == 1
    assert slots[1].summary.endswith("2 findings, 1 of them not seen since")
    titles = [title.text for title in drawn(toruses[1]).iter(f"{SVG}title")]
    assert "slot 2; dark, not seen since: y" in titles


def test_each_slot_is_counted_once_and_has_one_look() -> None:
    drawing = four_slots().drawing
    assert sum(many for _, _, many in drawing.counts) == len(drawing.cells)
    looks = ["owner-3", "unhealthy", "owner-0", "empty", "spare"]
    assert [cell.look for cell in drawing.cells] == looks


def test_drawings_lead_to_pages_and_escape_names() -> None:
    links = [link.attrib["href"] for link in drawn(four_slots()).iter(f"{SVG}a")]
    assert links == ["/cubes/1/", "/slices/1/"]
    assert "a<b: 1 cube" in words(four_slots())


def test_a_torus_is_drawn_layer_by_layer_with_y_upwards() -> None:
    made = Slice("s", Shape((8, 8, 8)), tuple(range(11, 19)))
    layers = torus_map("p", made, STANDARD_CUBE, owners(["s"])["s"]).drawing.layers
    assert [layer.title for layer in layers] == ["z 1 of 2", "z 2 of 2"]
    at = {cell.name: (cell.across, cell.up) for cell in layers[0].cells}
    assert at == {"11": (0, 1), "13": (0, 0), "15": (1, 1), "17": (1, 0)}


def test_a_torus_marks_cubes_with_findings_and_says_what_they_tell() -> None:
    made, told = Slice("s", Shape((4, 4, 8)), (1, 2)), {2: [noted("a<b is out"), noted("c")]}
    document = torus_map("p", made, STANDARD_CUBE, owners(["s"])["s"], told)
    assert words(document)[:6] == ["z 1 of 2", "x", "1", "z 2 of 2", "x", "2"]
    assert "!2" in words(document)
    titles = [title.text for title in drawn(document).iter(f"{SVG}title")]
    assert titles == ["slot 1", "slot 2; dark: a<b is out; dark: c"]
    assert document.tables[0].rows[1] == ("0 0 1", "2", "dark: a<b is out; dark: c")


def test_what_is_wrong_with_the_cube_of_chips_is_said_below_them() -> None:
    made = Slice("s", Shape((2, 1, 1)), (9,), ((3, 4, 2), (4, 4, 2)))
    document = torus_map("p", made, STANDARD_CUBE, owners(["s"])["s"], {9: [noted("x")] * 7})
    assert words(document)[-6:] == [*["! dark: x"] * 5, "! and 2 more"]


def test_a_twisted_torus_says_where_it_shifts() -> None:
    made = Slice("s", Shape((4, 4, 8), twisted=True), (1, 2))
    document = torus_map("p", made, STANDARD_CUBE, owners(["s"])["s"])
    assert document.drawing.closes == (
        "x: each cube onto itself, shifted by 1 along z",
        "y: each cube onto itself, shifted by 1 along z",
        "z: a ring of 2",
    )


@pytest.mark.parametrize(
    ("shape", "slots", "closes"),
    [
        ((4, 4), (1,), ("x: 1 cube, open", "y: 1 cube, open")),
        ((8, 8), (1, 5, 2, 6), ("x: 2 cubes, open", "y: 2 cubes, open")),
        ((4, 16), (1, 5, 9, 13), ("x: 1 cube, open", "y: a ring of 4")),
    ],
)
def test_a_box_of_a_static_plant_is_open_but_where_its_side_is_the_pods(
    shape: tuple[int, ...], slots: tuple[int, ...], closes: tuple[str, ...]
) -> None:
    made, design = Slice("s", Shape(shape), slots), find_design("tpu-v5e")
    wraps = wraps_of(design, shape)
    document = torus_map("p", made, design.cube, owners(["s"])["s"], wraps=wraps)
    assert document.drawing.closes == closes


def test_chips_under_a_cube_are_drawn_from_their_own_corner() -> None:
    made = Slice("s", Shape((2, 1, 1)), (9,), ((3, 4, 2), (4, 4, 2)))
    (layer,) = torus_map("p", made, STANDARD_CUBE, owners(["s"])["s"]).drawing.layers
    assert [(cell.name, cell.across, cell.up) for cell in layer.cells] == [
        ("3.4.2", 0, 0),
        ("4.4.2", 1, 0),
    ]


def test_a_page_keeps_the_looks_of_drawings_to_drawings() -> None:
    style = embed.style()
    assert "prefers-color-scheme" not in style
    assert style.count("{") == style.count("}")
