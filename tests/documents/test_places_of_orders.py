"""Where a step is done, drawn: the rack and the panel, well formed, naming what they must."""

import xml.etree.ElementTree as ET

import pytest

from fabric_twin.core.designs import find_design
from fabric_twin.core.names import Names
from fabric_twin.core.orders.floor import default_floor
from fabric_twin.documents.in_page import svg
from fabric_twin.documents.panel_map import panel_map
from fabric_twin.documents.rack_map import rack_map

NAMES = Names(find_design("ironwood").layout, "iw1")


def texts(document) -> list[str]:
    drawn = ET.fromstring(svg(document, "iw1", {}))  # noqa: S314 - it is our own
    return [text.text or "" for text in drawn.iter("{http://www.w3.org/2000/svg}text")]


def test_a_rack_shows_all_its_devices_and_the_one_that_is_meant() -> None:
    floor = default_floor(NAMES)
    document = rack_map(floor, "iw1-c007", "iw1-c007-t08", ["4.3.2/X+"])
    assert document.title == "iw1-c007, row 1, place 7: iw1-c007-t08"
    assert [held.device for held in document.drawing.devices if held.meant] == ["iw1-c007-t08"]
    assert {f"iw1-c007-t{tray:02d}" for tray in range(1, 17)} <= set(texts(document))
    switches = rack_map(floor, "iw1-ocs-r06", "iw1-ocs-z-4-4", ["7A"])
    assert [(held.unit, held.units) for held in switches.drawing.devices][-1] == (43, 6)


@pytest.mark.parametrize(
    ("port", "count"), [(("iw1-ocs-x-3-2", "7A"), 144), (("iw1-c007-t08", "4.3.2/X+"), 4)]
)
def test_a_panel_shows_what_carries_light_within_reach(port: tuple[str, str], count: int) -> None:
    live = NAMES.find(["iw1-ocs-x-3-2"] * 4, ["6A", "9A", "10A", "7B"]).tolist()
    document = panel_map(NAMES, port, live)
    assert len(document.drawing.cells) == count
    assert [cell.port for cell in document.drawing.cells if cell.meant] == [port[1]]
    said = "Live beside it: 6A, 9A" if count == 144 else "Nothing live beside it"
    assert document.lines == (said,)
    assert said in texts(document)


def test_a_port_that_the_design_does_not_have_has_no_panel() -> None:
    assert panel_map(NAMES, ("iw1-c007-t08", "1.1.1/Y+ of copper")).drawing.cells == ()
