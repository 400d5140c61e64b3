"""Maps that pages of Nautobot show: the slots of a pod and the torus of a slice."""

from xml.etree import ElementTree as ET

from fabric_twin.core.cube import STANDARD_CUBE
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.slices.slice import Slice
from fabric_twin.documents import embed
from fabric_twin.documents.pods.legend import owners
from fabric_twin.documents.pods.slot_map import Stand, slot_map
from fabric_twin.documents.sheet import Document
from fabric_twin.documents.slices.torus_map import torus_map

SVG = "{http://www.w3.org/2000/svg}"
LINKS = {"slot 1": "/cubes/1/", "slice a<b": "/slices/1/"}


def drawn(document: Document) -> ET.Element:
    """The drawing, read as XML."""
    return ET.fromstring(embed.svg(document, "p", LINKS))  # noqa: S314


def words(document: Document) -> list[str]:
    return ["".join(text.itertext()).strip() for text in drawn(document).iter(f"{SVG}text")]


def four_slots() -> Document:
    stands = {1: Stand("p-c001", "active"), 2: Stand("r2", "out"), 3: Stand("r3", "draining")}
    return slot_map("p", 4, stands, {1: ["a<b"], 3: ["c", "d", "e"]})


def test_a_slot_map_says_what_stands_in_every_slot() -> None:
    assert four_slots().tables[0].rows == [
        ("1", "p-c001", "active", "a<b"),
        ("2", "r2", "out", ""),
        ("3", "r3", "draining", "c, d, e"),
        ("4", "", "empty", ""),
    ]


def test_a_shared_cube_names_two_slices_and_counts_the_rest() -> None:
    assert "D E+1" in words(four_slots())


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


def test_a_twisted_torus_says_where_it_shifts() -> None:
    made = Slice("s", Shape((4, 4, 8), twisted=True), (1, 2))
    document = torus_map("p", made, STANDARD_CUBE, owners(["s"])["s"])
    assert document.drawing.closes == (
        "x: each cube onto itself, shifted by 1 along z",
        "y: each cube onto itself, shifted by 1 along z",
        "z: a ring of 2",
    )


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
