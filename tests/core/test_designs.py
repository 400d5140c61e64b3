"""What the designs say, and what no design can be."""

from dataclasses import replace
from importlib.metadata import entry_points

import numpy as np
import pytest

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.cube import Cube, Face
from fabric_twin.core.design import Design
from fabric_twin.core.designs import design_names, find_design
from fabric_twin.core.designs.ironwood import rule as ironwood_rule
from fabric_twin.core.errors import DesignRefused, UnusableInput
from fabric_twin.core.rule import CubePorts, Plant, SwitchPorts

OURS = ["ironwood", "tpu-v4", "tpu-v4-cwdm8", "tpu-v4-duplex", "tpu-v5p"]

STATIC = ["static-3d", "tpu-v2", "tpu-v3", "tpu-v5e", "tpu-v6e"]

GROUPS = ["groups-a", "groups-b"]

CHIPS = ["atac"]


@pytest.mark.parametrize(
    ("name", "chips", "cables", "switches"),
    [
        ("ironwood", 9216, 13824, 48),
        ("tpu-v5p", 8960, 13440, 48),
        ("tpu-v4", 4096, 6144, 48),
        ("tpu-v4-duplex", 4096, 12288, 96),
        ("tpu-v4-cwdm8", 4096, 6144, 24),
        ("tpu-v2-static", 256, 128, 0),
        ("static-3d", 4096, 3072, 0),
        ("tpu-v2", 256, 128, 0),
        ("tpu-v3", 1024, 512, 0),
        ("tpu-v5e", 256, 128, 0),
        ("tpu-v6e", 256, 128, 0),
        ("groups-a", 9216, 28800, 624),
        ("groups-b", 9216, 36864, 768),
        ("atac", 4096, 0, 0),
    ],
)
def test_a_design_has_the_published_sizes(name, chips, cables, switches):
    design = find_design(name)
    assert (design.chips, design.cables, len(design.layout.switches)) == (chips, cables, switches)


def cabling(name: str, pod: str) -> dict[tuple[str, str], tuple[str, str]]:
    plant = intended_plant(find_design(name), pod)
    ends = [zip(*plant.names.ends(column), strict=True) for column in (plant.a, plant.b)]
    return dict(zip(*ends, strict=True))


@pytest.mark.parametrize(
    ("name", "near", "far"),
    [
        ("ironwood", ("p-c007-t08", "4.3.2/X+"), ("p-ocs-x-3-2", "7A")),
        ("ironwood", ("p-c007-t07", "1.3.2/X-"), ("p-ocs-x-3-2", "7B")),
        ("ironwood", ("p-c144-t13", "2.2.4/Z+"), ("p-ocs-z-2-2", "144A")),
        ("tpu-v4", ("p-c007-t08", "4.3.2/X+"), ("p-ocs-x-3-2", "7")),
        ("tpu-v4", ("p-c007-t07", "1.3.2/X-"), ("p-ocs-x-3-2", "71")),
        ("tpu-v4-duplex", ("p-c007-t08", "4.3.2/X+/1"), ("p-ocs-x-3-2-1", "7")),
        ("tpu-v4-duplex", ("p-c007-t07", "1.3.2/X-/2"), ("p-ocs-x-3-2-2", "71")),
        ("tpu-v4-cwdm8", ("p-c007-t04", "4.3.1/X+"), ("p-ocs-x-3-1", "7A")),
        ("tpu-v4-cwdm8", ("p-c007-t07", "1.3.2/X-"), ("p-ocs-x-3-1", "71B")),
        ("tpu-v4-cwdm8", ("p-c007-t12", "4.3.3/X+"), ("p-ocs-x-3-2", "7A")),
        ("tpu-v5p", ("p-c140-t08", "4.3.2/X+"), ("p-ocs-x-3-2", "140A")),
        ("tpu-v2-static", ("p-c004-t02", "4.1/X+"), ("p-c001-t01", "1.1/X-")),
        ("tpu-v2-static", ("p-c014-t03", "2.4/Y+"), ("p-c002-t01", "2.1/Y-")),
    ],
)
def test_the_rule_joins_a_port_to_its_switch_or_neighbour(name, near, far):
    assert cabling(name, "p")[near] == far


@pytest.mark.parametrize("name", OURS)
def test_every_cube_has_the_same_index_on_the_same_switch(name):
    switches = {}
    for (_, port), (switch, _) in cabling(name, "p").items():
        chip, face = port.split("/", 1)
        place = [c for axis, c in zip("XYZ", chip.split("."), strict=True) if axis != face[0]]
        switches.setdefault((face[0], *place, face[2:]), set()).add(switch)
    assert {len(found) for found in switches.values()} == {1}


def test_a_tray_holds_the_four_chips_of_its_place():
    cube = Cube(chips=(4, 4, 4), tray=(2, 2, 1))
    assert cube.tray_of((1, 1, 1)) == cube.tray_of((2, 2, 1)) == 1
    assert cube.tray_of((3, 1, 1)) == 2
    assert cube.tray_of((1, 3, 1)) == 3
    assert cube.tray_of((4, 4, 4)) == 16


def test_only_face_chips_have_optics():
    cube = Cube(chips=(4, 4, 4), tray=(2, 2, 1))
    ports = [cube.chip(face, place) for face in cube.faces for place in cube.indices(face.axis)]
    assert len(ports) == 96
    assert ports.count((1, 1, 1)) == 3
    assert ports.count((1, 1, 2)) == 2
    assert ports.count((1, 2, 2)) == 1
    assert (2, 2, 2) not in ports


def test_a_face_is_where_its_coordinate_ends():
    cube = Cube(chips=(4, 4, 4), tray=(2, 2, 1))
    assert cube.chip(Face(0, 0), (3, 2)) == (4, 3, 2)
    assert cube.chip(Face(0, 1), (3, 2)) == (1, 3, 2)
    assert cube.chip(Face(2, 0), (3, 2)) == (3, 2, 4)


def made(**changes):
    facts = {"name": "odd", "title": "", "slots": 4, "radix": 4, "rule": ironwood_rule}
    return Design(**facts | changes)


def ring(port: CubePorts) -> CubePorts:
    """Name the next slot; the last has none."""
    return CubePorts(port.slot + 1, port.axis, 1 - port.sign, port.index, port.lane)


def one_way(port: CubePorts) -> CubePorts:
    return CubePorts(port.slot, port.axis, port.sign * 0, port.index, port.lane)


def all_on_one(port: CubePorts) -> SwitchPorts:
    return SwitchPorts(port.axis, port.index, port.sign, port.slot * 0 + 1)


def beyond(port: CubePorts) -> SwitchPorts:
    return SwitchPorts(port.axis, port.index, port.sign + 1, port.slot)


def too_few(port: CubePorts) -> SwitchPorts:
    return SwitchPorts(port.axis[1:], port.index[1:], port.sign[1:], port.slot[1:])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"slots": 0},
            "design odd: 0 slots with 1 cables a port leave nothing to wire. "
            "Give at least one slot and one cable a port.",
        ),
        (
            {"radix": 3},
            "design odd, ocs-x-1-1: the rule asks for port 4, but a side has ports 1 to 3. "
            "Give the switch a larger radix, or the pod fewer slots.",
        ),
        (
            {"spares": (4,)},
            "design odd, ocs-x-1-1: the rule puts a cable on port 4, which is a spare. "
            "Make the switch's radix larger, or name other spares.",
        ),
        (
            {"spares": (5,)},
            "design odd: spare ports (5,) are not all among ports 1 to 4. "
            "Name spares within the radix.",
        ),
        (
            {"rule": all_on_one},
            "design odd, ocs-x-1-1: the rule puts two cables on port 1A. "
            "Give every cube port a switch port of its own.",
        ),
        (
            {"rule": all_on_one, "plant": Plant.PAIRED},
            "design odd: the rule names a side that a paired plant does not have. "
            "Answer side 0 or 1 in a split plant, and always 0 in a paired one.",
        ),
        (
            {"rule": beyond},
            "design odd: the rule names a side that a split plant does not have. "
            "Answer side 0 or 1 in a split plant, and always 0 in a paired one.",
        ),
        (
            {"rule": too_few},
            "design odd: the rule does not name one switch port for each of 384 cube ports. "
            "Answer with columns as long as those asked about, and no number below 0.",
        ),
        (
            {"plant": Plant.STATIC},
            "design odd: the plant is static, but its rule names switches. "
            "Make the plant split or paired, or let the rule name neighbours.",
        ),
        (
            {"rule": ring},
            "design odd: the plant is split, but its rule names neighbours and no switch. "
            "Make the plant static, or let the rule name switch ports.",
        ),
        (
            {"rule": ring, "plant": Plant.STATIC},
            "design odd, cube 4 port 4.1.1/X+: "
            "its neighbour is a cube in slot 5, but slots go from 1 to 4. "
            "Let the rule name a slot of the pod.",
        ),
        (
            {"rule": one_way, "plant": Plant.STATIC},
            "design odd, cube 1 port 4.1.1/X+: "
            "the rule does not join it to one neighbour that is joined back to it. "
            "Make the rule its own inverse: what A names must name A.",
        ),
    ],
)
def test_what_no_pod_could_be_built_from_is_refused_when_it_is_made(changes, words):
    with pytest.raises(DesignRefused) as refusal:
        made(**changes)
    assert str(refusal.value) == words


@pytest.mark.parametrize(
    ("chips", "tray", "words"),
    [
        ((4,), (2,), "a cube of (4,) chips with trays of (2,) has no faces to wire"),
        ((4, 4, 4), (3, 2, 1), "trays of (3, 2, 1) chips do not fill a cube of (4, 4, 4)"),
    ],
)
def test_a_box_that_is_no_cube_is_refused(chips, tray, words):
    with pytest.raises(DesignRefused, match="^" + words.replace("(", r"\(").replace(")", r"\)")):
        Cube(chips=chips, tray=tray)


def test_designs_of_other_packages_stand_beside_ours():
    assert design_names() == sorted([*OURS, *STATIC, *GROUPS, *CHIPS, "tpu-v2-static"])


def test_an_unknown_design_is_refused_with_a_guess():
    with pytest.raises(UnusableInput) as refusal:
        find_design("ironwod")
    assert str(refusal.value) == "design: there is no design 'ironwod'. Perhaps ironwood is meant."


@pytest.mark.parametrize("name", [*OURS, *STATIC, "tpu-v2-static"])
def test_each_port_knows_its_mate_and_neighbours_on_a_panel_differ_by_one(name):
    layout = find_design(name).layout
    a, b = layout.cable_a, layout.cable_b
    assert (layout.mate[a] == b).all()
    assert (layout.mate[b] == a).all()
    assert len(np.unique(layout.position)) == len(layout.position)
    panels, sizes = np.unique(layout.position // layout.stride, return_counts=True)
    assert set(sizes.tolist()) <= {len(layout.cube.indices(0)), layout.radix}
    assert len(panels) == layout.slots * len(layout.cube.faces) * layout.lanes + (
        len(layout.switches) * layout.plant.sides
    )


def test_our_designs_are_the_modules_that_the_entry_points_name():
    named = {entry.name: entry.load() for entry in entry_points(group="fabric_twin.designs")}
    assert all(find_design(name) is design for name, design in named.items())
    assert {*OURS, *STATIC, *GROUPS, *CHIPS} < set(named)


#: What pods keep of the designs of this package. Another digest here would refuse every such pod.
DIGESTS = {
    "ironwood": "11591b281722450c9d9306fa5adde991",
    "atac": "8fa8c703c2e4659ab8298f57a9d0b07a",
    "groups-a": "ef0ce4a9cc5a5ef2bb0ed387748c0be4",
    "groups-b": "df40bfc31ccab84e952094e077b32b2c",
    "static-3d": "780141bcd183bc6d6c40b4d6b8c2ce25",
    "tpu-v2": "8adee5a7780c5060b23c4bcf0e4066cf",
    "tpu-v3": "510cf24987b6f29a5a7696f1e3ffb208",
    "tpu-v4": "5b66274e67d1a73834fe9285e37a0291",
    "tpu-v4-cwdm8": "778525eba2eda3f2d6cf4589174ae9e6",
    "tpu-v4-duplex": "d48f98db654d21b140e8165e94c16a88",
    "tpu-v5e": "2dc8c4f062da9bc8445b673f113020fc",
    "tpu-v5p": "2db638c783b2df7e47b667d417d29c3f",
    "tpu-v6e": "2dc8c4f062da9bc8445b673f113020fc",
}


@pytest.mark.parametrize(("name", "digest"), DIGESTS.items())
def test_the_layout_of_each_design_is_the_one_that_pods_keep(name, digest):
    assert find_design(name).digest == digest


@pytest.mark.parametrize(
    "changed",
    [
        {"slots": 143},
        {"radix": 145},
        {"rule": lambda ports: replace(ironwood_rule(ports), side=1 - ports.sign)},
        {"cube": Cube((4, 4, 4), (4, 1, 1))},
    ],
)
def test_a_layout_with_other_ports_names_or_cables_has_another_digest(changed):
    facts = {"slots": 144, "rule": ironwood_rule, "radix": 144, "title": "Titles do not count"}
    same = Design(name="as-ironwood", **facts)
    assert same.digest == find_design("ironwood").digest
    assert Design(name="other", **(facts | changed)).digest != same.digest


def test_ports_that_are_declared_spare_keep_their_numbers():
    facts = {"slots": 4, "rule": ironwood_rule, "radix": 6, "title": "Four cubes"}
    bare = Design(name="bare", **facts)
    assert Design(name="spared", spares=(5, 6), **facts).digest == bare.digest
