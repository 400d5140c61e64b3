"""What a fault of a static pod takes from its slices: cables between two cubes of one slice."""

from collections.abc import Collection

import numpy as np

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.cube import Cube
from fabric_twin.core.designs import find_design
from fabric_twin.core.findings.cost import Cost, Costs
from fabric_twin.core.slices.hits import Hits
from fabric_twin.core.slices.shapes import parse_shape
from fabric_twin.core.slices.slice import Slice
from fabric_twin.core.static_torus import static_torus

DESIGN = find_design("tpu-v5e")
PLANT = intended_plant(DESIGN, "e5")
#: 2x4 units; its cables close Y, and X has two ends.
HALF = Slice("half", parse_shape("8x16", DESIGN), (1, 5, 9, 13, 2, 6, 10, 14))
#: In one unit, a quarter of it.
PART = Slice("part", parse_shape("2x2", DESIGN), (3,), ((3, 1, 1), (3, 1, 2), (3, 2, 1), (3, 2, 2)))


def ports(*names: str) -> list[int]:
    ends = [name.rsplit(" ", 1) for name in names]
    return PLANT.names.find([end[0] for end in ends], [end[1] for end in ends]).tolist()


def cost(*names: str, copper: Collection[tuple[int, str]] = (), slices=(HALF,)) -> Cost:
    idle = set(range(1, 17)).difference(*(made.slots for made in slices))
    costs = Costs(DESIGN.layout, PLANT.mate, circuits=Circuits.none(), idle=idle, slices=slices)
    return costs.of(ports(*names), copper)


def hit(*names: str) -> list[str]:
    return [str(one) for one in Hits(PLANT, [HALF], bear=0).of(ports(*names))]


def test_a_cable_within_a_slice_is_a_link_of_it() -> None:
    assert str(cost("e5-c001-t01 4.1/X+")) == "1 link in use"
    assert hit("e5-c001-t01 4.1/X+") == ["half: X 1 -> 0.75"]
    assert hit("e5-c002-t01 1.1/X-") == ["half: X 1 -> 0.75"]


def test_a_cable_that_closes_a_ring_of_the_slice_is_one_too() -> None:
    assert hit("e5-c013-t02 1.4/Y+") == ["half: Y 1 -> 0.75"]


def test_a_cable_that_leads_out_of_the_slice_is_none() -> None:
    """Nor does it bar a cube: only a box that has both its cubes cannot be made."""
    assert str(cost("e5-c002-t01 4.1/X+")) == "nothing now"
    assert str(cost("e5-c003-t01 4.1/X+")) == "nothing now"
    assert hit("e5-c002-t01 4.1/X+") == []


def test_a_cube_takes_all_links_to_its_neighbours() -> None:
    whole = [port for name in ("t01", "t02") for port in named(f"e5-c006-{name}")]
    assert str(cost(*whole)) == f"{12 + 24} links in use"
    assert hit(*whole) == ["half: X 1 -> 0, Y 1 -> 0; it stands still: a join has no link left"]


def test_a_cube_that_is_out_takes_the_links_within_it_too() -> None:
    lone = Slice("lone", parse_shape("4x4", DESIGN), (3,))
    dark = [*named("e5-c003-t01"), *named("e5-c003-t02")]
    assert str(cost(*dark, slices=(lone,))) == "24 links in use"
    assert str(cost(*dark, slices=(PART,))) == "4 links in use"
    chip = Slice("chip", parse_shape("1x1", DESIGN), (3,), ((3, 1, 1),))
    assert str(cost(*dark, slices=(chip,))) == "1 link in use"
    assert str(cost(*named("e5-c003-t02"), slices=(chip,))) == "nothing now"


def test_joins_of_unequal_faces_are_each_counted_by_their_own_links() -> None:
    """Hosts of 4x2: two cables along X, four along Y."""
    design = static_torus("hosts", "", (4, 8), Cube((4, 2), (4, 2)))
    plant = intended_plant(design, "e5")
    made = Slice(
        "half", parse_shape("8x16", design), tuple(range(1, 30, 4)) + tuple(range(2, 31, 4))
    )
    hits = Hits(plant, [made], bear=0)

    def hit(device: str, port: str) -> list[str]:
        return [str(one) for one in hits.of(plant.names.find([device], [port]).tolist())]

    assert hit("e5-c001-t01", "4.1/X+") == ["half: X 1 -> 0.5"]
    assert hit("e5-c029-t01", "1.2/Y+") == ["half: Y 1 -> 0.75"]
    assert hit("e5-c032-t01", "1.2/Y+") == []


def test_copper_within_a_cube_is_a_link_of_the_slice_that_has_both_its_chips() -> None:
    assert str(cost(copper=[(1, "1.1/Y+")])) == "1 link in use"
    assert str(cost(copper=[(3, "1.1/Y+")])) == "1 idle cube"
    assert str(cost(copper=[(3, "1.1/Y+")], slices=(HALF, PART))) == "1 link in use"
    assert str(cost(copper=[(3, "2.1/X+")], slices=(HALF, PART))) == "nothing now"


def test_a_tray_that_is_out_takes_its_cube() -> None:
    assert str(cost(*named("e5-c003-t01"))) == "1 idle cube"


def named(device: str) -> list[str]:
    cube = np.arange(DESIGN.layout.cube_ports)
    return [" ".join(end) for end in zip(*PLANT.names.ends(cube), strict=True) if end[0] == device]
