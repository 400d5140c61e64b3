"""The intended plant, with slots and substitutions, and the recorded one."""

import pytest

from fabric_twin.core.cabling.plant import Substitution, intended_plant, recorded_plant
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.pods.names import pod_of
from fabric_twin.core.slots import format_slots, parse_slots


def test_only_the_slots_asked_for_are_cabled():
    plant = intended_plant(find_design("ironwood"), "p", (1, 7))
    assert len(plant.a) == 2 * 96
    assert {device[:6] for device in plant.names.ends(plant.a)[0]} == {"p-c001", "p-c007"}


def test_a_static_cable_needs_both_its_cubes():
    plant = intended_plant(find_design("tpu-v2-static"), "p", (1, 2, 3))
    assert plant.names.cables(plant.a) == [
        f"p-c{slot:03d}:4.{y}/X+" for slot in (1, 2) for y in (1, 2, 3, 4)
    ]


def test_a_substitution_puts_the_cable_on_the_spare():
    design = find_design("tpu-v4")
    plant = intended_plant(design, "p", None, [Substitution("p-ocs-x-1-1", "7", "130", "dim")])
    far = plant.names.ends(plant.b)
    assert ("p-ocs-x-1-1", "130") in zip(*far, strict=True)
    assert ("p-ocs-x-1-1", "7") not in zip(*far, strict=True)
    assert len(plant.a) == design.cables


@pytest.mark.parametrize(
    ("design", "substitutions", "words"),
    [
        (
            "tpu-v4",
            [("p-ocs-x-1-1", "7", "131"), ("p-ocs-x-1-1", "8", "131")],
            "substitution of p-ocs-x-1-1 port 8: spare 131 already stands in for another port. "
            "Name a spare that is free.",
        ),
        (
            "tpu-v4",
            [("p-ocs-x-1-1", "7", "131"), ("p-ocs-x-1-1", "7", "132")],
            "substitution of p-ocs-x-1-1 port 7: "
            "the rule uses no port '7' of a switch 'p-ocs-x-1-1'. "
            "Name a switch and a port as a cut sheet does, once each.",
        ),
        (
            "tpu-v5p",
            [("p-ocs-x-1-1", "7A", "141B")],
            "substitution of p-ocs-x-1-1 port 7A: spare 141B is on the other side of the switch. "
            "Name a spare on the side of the port.",
        ),
        (
            "ironwood",
            [("p-ocs-x-1-1", "7A", "8A")],
            "substitution of p-ocs-x-1-1 port 7A: port '8A' is not a spare of this design. "
            "Name a spare port, or mend the switch if the design has none.",
        ),
        (
            "tpu-v2-static",
            [("p-c001-t01", "1.1/X-", "1.2/X-")],
            "substitution of p-c001-t01 port 1.1/X-: "
            "the rule uses no port '1.1/X-' of a switch 'p-c001-t01'. "
            "Name a switch and a port as a cut sheet does, once each.",
        ),
    ],
)
def test_a_substitution_that_cannot_be_is_refused(design, substitutions, words):
    with pytest.raises(UnusableInput) as refusal:
        intended_plant(find_design(design), "p", None, [Substitution(*s) for s in substitutions])
    assert str(refusal.value) == words


def test_names_are_read_from_the_right():
    assert pod_of("a-c001-c007-t03") == "a-c001"
    assert pod_of("a-ocs-x-1-1-ocs-y-3-2-1") == "a-ocs-x-1-1"
    assert pod_of("iw1-c007") == "iw1"
    assert pod_of("IW1-c007") is None
    assert pod_of("patch panel 4") is None


def test_rows_wholly_of_other_pods_are_left_out_and_counted():
    names = intended_plant(find_design("ironwood"), "p").names
    rows = [
        ("ours", "p-c001-t02", "4.1.1/X+", "p-ocs-x-1-1", "1A"),
        ("theirs", "q-c001-t02", "4.1.1/X+", "q-ocs-x-1-1", "1A"),
        ("between", "p-c001-t02", "4.2.1/X+", "q-ocs-x-1-1", "2A"),
        ("half", "q-c001-t02", "4.3.1/X+", "", ""),
        ("nobody's", "panel 1", "1", "panel 2", "2"),
    ]
    plant = recorded_plant(names, *zip(*rows, strict=True))
    assert list(plant.cables) == ["ours", "between", "nobody's"]
    assert plant.others == 2
    assert plant.written == {1: rows[2][1:], 2: rows[4][1:]}


def test_a_port_is_only_on_the_tray_that_has_its_chip():
    names = intended_plant(find_design("ironwood"), "p").names
    devices = ["p-c007-t08", "p-c007-t09", "p-c145-t08", "p-ocs-x-3-2", "", "p-c007-t08"]
    ports = ["4.3.2/X+", "4.3.2/X+", "4.3.2/X+", "145A", "", "7A"]
    found = names.find(devices, ports).tolist()
    assert names.port(found[0]) == ("p-c007-t08", "4.3.2/X+")
    assert found[1:] == [-1, -1, -1, -2, -1]


@pytest.mark.parametrize("text", ["1-4,7", "7,1-4", "1,2,3,4,7,7", " 1-2, 3-4 ,7"])
def test_slots_are_read_in_any_order(text):
    assert parse_slots(text, last=144) == (1, 2, 3, 4, 7)
    assert format_slots(parse_slots(text, last=144)) == "1-4,7"
