"""A cube that is being installed: its cables go in one end at a time, and every sheet says so.

Of the four cables of the face X+ of cube 3, one is in, one has its plug in the cube, one in the
switch, and one is still to come; those of its other faces are in.
"""

import importlib.util
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.documents.pods import fabric_json
from fabric_twin.documents.pods.fabric import Cable, Cables, Fabric
from fabric_twin.documents.pods.fabric_json import fabric_from_json, fabric_to_json
from fabric_twin.services.pods.render import render_fabric
from fabric_twin.services.pods.which import Which

_spec = importlib.util.spec_from_file_location("small", Path(__file__).with_name("small.py"))
small = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(small)

PLANT = intended_plant(small.DESIGN, "s", [1, 2, 3])
FACE = [f"s-c003:2.{y}.{z}/X+" for y, z in ((1, 1), (2, 1), (1, 2), (2, 2))]
IN, IN_CUBE, IN_SWITCH, TO_COME = (PLANT.names.cables(PLANT.a).index(name) for name in FACE)


def installing() -> Fabric:
    rule = Cables.of_rule(PLANT)
    there = ~np.isin(np.arange(len(rule)), [IN_CUBE, IN_SWITCH, TO_COME])
    name = [name for name, is_there in zip(rule.name, there, strict=True) if is_there]
    ports = PLANT.design.layout.ports_per_cube
    return Fabric(
        intended=PLANT,
        cables=Cables(name, rule.a[there], rule.b[there], ["4"] * len(name), [""] * len(name)),
        recorded=True,
        to_come=dict.fromkeys(range(2 * ports, 3 * ports), "installing"),
        begun={
            int(PLANT.a[IN_CUBE]): Cable(FACE[1], "7.5", "Hall 3"),
            int(PLANT.b[IN_SWITCH]): Cable(FACE[2], "8"),
        },
        ordered={int(PLANT.a[TO_COME]): Cable(FACE[3], "9", "Hall 4")},
    )


def sheet(fabric: Fabric, kind: str, form: str = "csv", **which: object) -> list[str]:
    [content] = dict(render_fabric(kind, form, fabric, Which(**which)).files).values()
    return content.decode().splitlines()


def of_face(lines: list[str]) -> list[str]:
    return [line for line in lines if "/X+" in line]


def test_a_cut_list_has_what_is_plugged_and_what_is_still_to_come() -> None:
    lines = sheet(installing(), "cut-list", cube=3)
    assert len(lines) == 1 + 24
    assert lines[0] == "rack,tray,port,to,port there,length m,cable,label,state"
    assert of_face(lines) == [
        "s-c003,s-c003-t01,2.1.1/X+,s-ocs-x-1-1,3A,4,s-c003:2.1.1/X+,s-c003:2.1.1/X+,cabled",
        "s-c003,s-c003-t01,2.2.1/X+,s-ocs-x-2-1,3A,7.5,s-c003:2.2.1/X+,Hall 3,one end in",
        "s-c003,s-c003-t02,2.1.2/X+,s-ocs-x-1-2,3A,8,s-c003:2.1.2/X+,s-c003:2.1.2/X+,one end in",
        "s-c003,s-c003-t02,2.2.2/X+,s-ocs-x-2-2,3A,9,s-c003:2.2.2/X+,Hall 4,installing",
    ]
    told = sheet(installing(), "cut-list", "txt", cube=3)
    assert told[2] == "24 cables from 1 rack: 21 cabled, 1 installing, 2 one end in"


def test_every_cable_of_the_cube_gets_its_two_labels() -> None:
    lines = sheet(installing(), "labels", cube=3)
    assert len(lines) == 1 + 2 * 24
    assert of_face(lines)[2:4] == [
        "s-c003:2.2.1/X+,a,Hall 3,s-c003-t01,2.2.1/X+,s-ocs-x-2-1,3A",
        "s-c003:2.2.1/X+,b,Hall 3,s-ocs-x-2-1,3A,s-c003-t01,2.2.1/X+",
    ]
    assert len(sheet(installing(), "labels")) == 1 + 2 * 72


def test_a_face_map_tells_a_cable_with_one_end_in_from_one_that_is_in_or_awaited() -> None:
    assert of_face(sheet(installing(), "face-map", cube=3)) == [
        "X+,2.1.1/X+,s-c003-t01,s-c003:2.1.1/X+,s-ocs-x-1-1,3A,free,,,,,",
        "X+,2.1.2/X+,s-c003-t02,s-c003:2.1.2/X+,s-ocs-x-1-2,3A,one end in,,,,,",
        "X+,2.2.1/X+,s-c003-t01,s-c003:2.2.1/X+,,,one end in,,,,,",
        "X+,2.2.2/X+,s-c003-t02,,,,installing,,,,,",
    ]
    told = sheet(installing(), "face-map", "txt", cube=3)
    assert told[2] == "Ports: 21 free, 1 installing, 2 one end in"


@pytest.mark.parametrize("form", ["face-map", "port-map"])
def test_a_drawing_marks_it_with_a_sign_and_a_border_and_not_with_colour_alone(form: str) -> None:
    which = {"face-map": {"cube": 3}, "port-map": {"switch": "x-2-1"}}[form]
    drawn = "\n".join(sheet(installing(), form, "svg", **which))
    assert '<g class="begun"' in drawn
    assert ">½</text>" in drawn
    assert ">one end in " in drawn  # the legend
    assert ".begun .box { fill: #f2f2f2; stroke: #111; stroke-width: 1.4; stroke-dash" in drawn


def test_a_port_map_names_the_cube_whose_plug_is_in() -> None:
    ports = {}
    for switch in ("x-1-1", "x-2-1", "x-1-2", "x-2-2"):
        lines = sheet(installing(), "port-map", switch=switch)
        [ports[switch]] = [line for line in lines if line.startswith("3A,")]
    assert ports == {
        "x-1-1": "3A,free,s-c003:2.1.1/X+,s-c003,s-c003-t01,2.1.1,X+,,,,,",
        "x-2-1": "3A,one end in,s-c003:2.2.1/X+,s-c003,s-c003-t01,2.2.1,X+,,,,,",
        "x-1-2": "3A,one end in,s-c003:2.1.2/X+,,,,,,,,,",
        "x-2-2": "3A,installing,,,,,,,,,,",
    }


def test_a_light_path_says_what_it_waits_for() -> None:
    told = [
        sheet(installing(), "light-path", "txt", port=name.removeprefix("s-"))[3] for name in FACE
    ]
    assert told == [
        "Wrong: no circuit begins here",
        "Waits: one end of s-c003:2.2.1/X+ is in: installing",
        "Waits: one end of s-c003:2.1.2/X+ is in: installing",
        "Waits: the cable is still to come: installing",
    ]


def test_where_nothing_is_awaited_a_loose_end_is_wrong() -> None:
    fabric = replace(installing(), to_come={})
    wrong = [line.rsplit(",", 1)[1] for line in of_face(sheet(fabric, "face-map", cube=3))]
    assert wrong == [
        "",
        "only one end of s-c003:2.1.2/X+ is in",
        "only one end of s-c003:2.2.1/X+ is in",
        "the cable to s-ocs-x-2-2 3A is missing",
    ]
    states = [line.rsplit(",", 1)[1] for line in of_face(sheet(fabric, "cut-list", cube=3))]
    assert states == ["cabled", "one end in", "one end in"]


def test_a_pod_that_goes_over_as_json_is_drawn_there_to_the_byte(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fabric_json, "find_design", lambda _name: small.DESIGN)
    here = installing()
    there = fabric_from_json(json.loads(json.dumps(fabric_to_json(here, ()))))
    for kind, form in (("face-map", "svg"), ("cut-list", "html"), ("labels", "csv")):
        assert sheet(there, kind, form, cube=3) == sheet(here, kind, form, cube=3)
