"""What a port map and a face map say is wrong."""

import csv
import dataclasses
import importlib.util
import io
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.designs.tpu_v4 import DESIGN as PAIRED
from fabric_twin.core.designs.tpu_v4_cwdm8 import DESIGN as SHARED
from fabric_twin.core.findings.noted import Noted
from fabric_twin.documents.pods.fabric import Cables, Fabric
from fabric_twin.documents.pods.face_map import face_map
from fabric_twin.documents.pods.light_path import light_path
from fabric_twin.documents.pods.port_map import port_map
from fabric_twin.documents.rendering import render
from fabric_twin.services.pods.which import Which

_spec = importlib.util.spec_from_file_location("small", Path(__file__).with_name("small.py"))
small = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(small)


def rows(design, **files):
    """The rows of the port map of switch x-1-1, by port."""
    which = Which(switch="x-1-1")
    [content] = small.documents("port-map", "csv", which, design=design, pod="s", **files).values()
    return {row["port"]: row for row in csv.DictReader(io.StringIO(content.decode()))}


def joined(*pairs, owner="job"):
    return small.circuits(*(("s-ocs-x-1-1", a, b, owner) for a, b in pairs))


@pytest.mark.parametrize(
    ("design", "pairs", "port", "wrong"),
    [
        (small.DESIGN, [("1A", "2B")], "1A", ""),
        (small.DESIGN, [("1A", "6B")], "1A", "its circuit ends on a port without a cable"),
        (small.DESIGN, [("1A", "6B")], "6B", "a circuit, but no cable"),
        (small.DESIGN, [("1A", "2B"), ("1A", "3B")], "1A", "in 2 circuits, to 2B and 3B"),
        (small.DESIGN, [("1A", "2B"), ("1A", "3B")], "3B", ""),
        (small.DESIGN, [("1A", "2B"), ("3A", "2B")], "2B", "in 2 circuits, to 1A and 3A"),
        (PAIRED, [("1A", "66B"), ("1A", "67B")], "1", "in 2 circuits, to 66 and 67"),
        (PAIRED, [("1A", "66B"), ("66A", "1B")], "1", ""),
        (PAIRED, [("1A", "66B")], "1", "half a link: the circuit back is missing"),
        (PAIRED, [("1A", "66B"), ("67A", "1B")], "1", "half a link: the circuit back is missing"),
        (PAIRED, [("1A", "2B"), ("2A", "1B")], "1", "joins X+ to X+"),
        (SHARED, [("1A", "66B")], "1A", "joins 4.1.1/X+ to 1.1.2/X-, another index"),
    ],
)
def test_a_circuit_that_breaks_a_rule_is_named(design, pairs, port, wrong):
    assert rows(design, circuits=joined(*pairs))[port]["wrong"] == wrong


def test_one_link_has_one_owner():
    circuits = small.circuits(
        ("s-ocs-x-1-1", "1A", "66B", "one"), ("s-ocs-x-1-1", "66A", "1B", "other")
    )
    assert rows(PAIRED, circuits=circuits)["1"]["wrong"] == "two owners of one link"


def test_an_unhealthy_cube_makes_its_ports_unhealthy():
    in_use = (b'{"unhealthy": {"slots": [2]}}', "in-use.json")
    found = rows(small.DESIGN, circuits=joined(("1A", "2B")), in_use=in_use)
    assert [port for port, row in found.items() if row["unhealthy"]] == ["2A", "2B"]
    assert found["2B"]["wrong"] == "in a circuit, but unhealthy"


def test_cables_that_stand_wrong_are_named_where_they_stand():
    found = rows(small.DESIGN, cables=small.CABLES)
    assert {port: row["wrong"] for port, row in found.items() if row["wrong"]} == {
        "2A": "s-c002-t01 2.1.1/X+ belongs here",
        "3A": "s-c003-t01 2.1.1/X+ belongs here",
        "4A": "the cable of s-c004-t01 2.1.1/X+ is missing",
        **{f"{slot}B": f"the cable of s-c00{slot}-t01 1.1.1/X- is missing" for slot in range(1, 5)},
    }


def test_two_cables_on_a_port_are_wrong():
    more = small.CABLES[0] + b"more,s-c004-t01,2.1.1/X+,s-ocs-x-1-1,1A,connected,,\n"
    assert rows(small.DESIGN, cables=(more, "c"))["1A"]["wrong"] == "two cables on this port"


@pytest.mark.parametrize("paper", [False, True])
@pytest.mark.parametrize("kind", ["port-map", "face-map", "light-path"])
def test_what_is_wrong_fills_its_lines_and_ends_where_the_drawing_does(kind, paper):
    """A letter is as wide as any other; beside the title a line is cut, below the map it wraps."""
    plant = intended_plant(PAIRED, "s", [1, 2])
    noted = (Noted("swapped", "very long " * 40, is_error=True),)
    everywhere = {
        "findings": {0: noted},
        "switch_findings": {0: noted},
        "cube_findings": {1: noted},
    }
    fabric = Fabric(plant, Cables.of_rule(plant), **everywhere)
    draw = {"port-map": (port_map, 0), "face-map": (face_map, 1), "light-path": (light_path, 0)}
    document = draw[kind][0](fabric, draw[kind][1])
    facts = {"document": document, "pod": "s", "paper": paper}
    drawing = ET.fromstring(render([f"{kind}/{kind}.svg"], facts))  # noqa: S314
    width = float(drawing.get("viewBox").split()[2])
    texts = drawing.iter("{http://www.w3.org/2000/svg}text")
    said = [e for e in texts if "alarm" in e.get("class", "").split()]
    beside, below = (
        [e for e in said if (e.get("text-anchor") == "end") is at_end] for at_end in (True, False)
    )
    head = {40: 32 + 12.1 * len(document.title), 60: 32 + 6.65 * len(document.lines[0])}
    assert len(beside) == (0 if kind == "light-path" else 1)
    for line in beside:
        free = float(line.get("x")) - 6.622 * len(line.text) - head[int(line.get("y"))]
        assert line.text.endswith("…")
        assert 20 <= free < 20 + 2 * 6.622 + 10
    assert len(below) > 1
    for line in below:
        letter = (9.4 if "small" in line.get("class") else 11) * 0.602
        assert float(line.get("x")) + letter * len(line.text) <= width - 30


def test_a_ring_that_does_not_come_back_is_open_and_comes_first():
    which = Which(switch="x-1-1")
    circuits = joined(("1A", "1B"), ("2A", "3B"), ("3A", "4B"))
    [text] = small.documents("port-map", "txt", which, circuits=circuits).values()
    assert "open: c002 > c003 > c004; c001 > c001" in text.decode()


def test_owners_keep_their_letters_and_differ_in_more_than_colour():
    from fabric_twin.documents.pods.legend import owners

    many = list(owners(f"job-{n}" for n in range(100)).values())
    assert [owner.letter for owner in many[:3]] == ["-", "C", "D"]
    assert many[20].letter == "CC"
    assert len({owner.letter for owner in many}) == len(many)
    assert len({(owner.colour, owner.hatch) for owner in many}) == 25


def test_every_port_of_a_design_with_lanes_is_on_its_face_map():
    from fabric_twin.core.designs.tpu_v4_duplex import DESIGN

    which = Which(cube=3)
    [text] = small.documents("face-map", "csv", which, design=DESIGN, pod="s").values()
    found = list(csv.DictReader(io.StringIO(text.decode())))
    assert len(found) == 192
    assert found[1]["port"] == "4.1.1/X+/2"
    assert found[1]["goes to"] == "s-ocs-x-1-1-2"


def test_documents_need_no_particular_radix():
    design = dataclasses.replace(small.DESIGN, radix=40, spares=())
    assert len(rows(design)) == 80
