"""Which cubes a slice gets that may bear: whole ones first, then those that lost least."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.cabling.plant import Substitution, intended_plant
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.rule import CubePorts, SwitchPorts
from fabric_twin.core.slices.arrangement import arrange, is_borne
from fabric_twin.core.slices.bearing import Bearing
from fabric_twin.core.slices.lost_links import carried_by
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.slices.slice import slice_circuits
from fabric_twin.core.slices.torus import rings_of
from fabric_twin.documents.slices.bearing_report import capacity_left
from fabric_twin.services.slices.allocate import allocate_slice, allocate_within
from tests.examples import examples

IRONWOOD = find_design("ironwood")
INTENDED = intended_plant(IRONWOOD, "p")


def wish(text, *, twisted=False):
    return Shape(tuple(map(int, text.split("x"))), twisted)


def pod(*lost, last=6, **more):
    """Cubes 1 to `last` of an Ironwood pod, less a port, `x-1-1 7A`, or a whole switch, `x-1-1`."""
    occupancy = Occupancy(IRONWOOD, range(1, last + 1), **more)
    for row in lost:
        switch, _, port = row.partition(" ")
        ports = [port] if port else [f"{n}{side}" for side in "AB" for n in range(1, 145)]
        for number in INTENDED.names.find([f"p-ocs-{switch}"] * len(ports), ports).tolist():
            occupancy.fail_port(number)
    return occupancy


def refused(occupancy, text):
    with pytest.raises(NotPossible) as refusal:
        occupancy.allocate("a", wish(text))
    return str(refusal.value)


@pytest.mark.parametrize(
    ("design", "switches", "links"),
    [
        ("tpu-v4", 16, 1),
        ("tpu-v5p", 16, 1),
        ("ironwood", 16, 1),
        ("tpu-v4-cwdm8", 8, 2),
        ("tpu-v4-duplex", 32, 1),  # of 32: half an index
    ],
)
def test_what_a_switch_carries_is_read_from_the_rule(design, switches, links):
    carried = carried_by(find_design(design).layout)
    for of_axis in carried.by_axis:
        assert len(of_axis) == switches
        assert {of.bit_count() for of in of_axis} == {links}
        assert sum(of_axis) == carried.every  # each link by one switch


def test_a_design_of_someone_elses_says_so_by_its_rule_too():
    def rule(port: CubePorts) -> SwitchPorts:
        """A row of four indices on each switch."""
        i, j = port.index.T
        number = i.reshape(-1, 1).astype(np.int32)
        return SwitchPorts(port.axis, number, port.sign, (port.slot - 1) * 4 + j)

    design = replace(IRONWOOD, name="rows", slots=4, radix=16, rule=rule, largest_offer=0)
    assert {of.bit_count() for of in carried_by(design.layout).by_axis[0]} == {4}
    occupancy = Occupancy(design, bear=1)
    for port in range(32):
        occupancy.fail_port(design.layout.cube_ports + port)
    found = allocate_within(occupancy, intended_plant(design, "p"), wish("8x8x4"))
    assert found.bearing
    assert found.bearing.capacity == (0.75, 1, 1)


def test_nothing_is_borne_where_nobody_asks():
    occupancy = pod("x-3-2")
    assert refused(occupancy, "4x4x8") == (
        "slice: 4x4x8 takes 2 cubes, and 0 of 6 cubes are free (6 with an unhealthy port). "
        "The largest shape under a cube that fits now: 2x4x4."
    )


def test_a_shortage_says_what_bearing_would_give():
    assert refused(pod("x-3-2", bear=0), "4x4x8") == (
        "slice: 4x4x8 takes 2 cubes, and 0 of 6 cubes are free (6 with an unhealthy port); if "
        "it bears 1 switch: 6. The largest shape under a cube that fits now: 2x4x4."
    )
    # Two switches of one axis are two at every join; one of each axis is one.
    assert "); if it bears 2 switches: 6. " in refused(pod("x-3-2", "x-3-3", bear=0), "4x4x8")
    assert "); if it bears 1 switch: 6. " in refused(pod("x-3-2", "y-3-3", bear=0), "4x4x8")


def test_a_shortage_that_bearing_does_not_end_says_what_it_gives():
    assert refused(pod("x-3-2 1A", "x-3-2 2A", last=2, bear=0), "4x4x12") == (
        "slice: 4x4x12 takes 3 cubes, and 0 of 2 cubes are free (2 with an unhealthy port); if "
        "it bears 1 switch: 2. The largest shape under a cube that fits now: 2x4x4."
    )
    assert refused(pod("x-3-2", last=2, bear=1), "4x4x12") == (
        "slice: 4x4x12 takes 3 cubes, and 0 of 2 cubes are free (2 with an unhealthy port); if "
        "it bears 1 switch: 2. The largest 3D shapes found to fit now: 4x4x8, 4x4x4."
    )
    assert "bears" not in refused(pod(last=2, bear=0), "4x4x12")
    assert "bears" not in refused(pod("x-3-2", bear=0, held_back=6), "4x4x4")


def test_whole_cubes_come_first_and_then_those_that_lost_least():
    lost = ("x-1-1 1A", "x-2-2 2A", "y-2-2 2A", "x-1-1 4A", "x-1-2 4A")
    occupancy = pod(*lost, last=5, bear=1)
    assert occupancy.allocate("whole", wish("4x4x4")).slots == (3,)
    occupancy.release("whole")
    assert occupancy.allocate("a", wish("4x4x8")).slots == (3, 5)
    occupancy.release("a")
    assert occupancy.place(wish("4x4x12")).slots == (1, 3, 5)
    assert occupancy.place(wish("4x4x16")).slots == (1, 2, 3, 5)
    assert occupancy.place(wish("4x4x20")) is None  # the cube in slot 4 lacks two by itself
    occupancy.bear = 2
    assert occupancy.place(wish("4x4x20")).slots == (1, 2, 3, 4, 5)


def test_cubes_are_held_back_whole_as_long_as_there_are():
    occupancy = pod("x-1-1 1A", "x-1-1 2A", last=4, bear=1, held_back=1)
    assert occupancy.place(wish("4x4x12")).slots == (1, 2, 3)
    assert occupancy.place(wish("4x4x16")) is None
    occupancy.held_back = 3
    assert occupancy.place(wish("4x4x8")) is None
    assert occupancy.place(wish("4x4x4")).slots == (1,)
    occupancy.held_back = 5  # more than there are
    assert occupancy.place(wish("4x4x4")) is None


def test_a_shortage_names_the_cubes_that_are_held_back_from_bearing():
    assert refused(pod("x-3-2", last=3, bear=1, held_back=1), "4x4x12") == (
        "slice: 4x4x12 takes 3 cubes, and 0 of 3 cubes are free (3 with an unhealthy port); if "
        "it bears 1 switch: 2 (1 more held back). The largest 3D shapes found to fit now: 4x4x8, "
        "4x4x4."
    )


def test_small_slices_still_prefer_the_cube_that_lost_a_port():
    assert pod("x-1-1 5A", bear=1).place(wish("2x2x2")).slots == (5,)


def test_what_is_lost_at_a_cube_and_at_its_port_of_a_switch_is_one_link():
    occupancy = pod("x-3-2 3A", last=3, bear=1)
    end = int(INTENDED.mate[next(iter(occupancy.failed_ports))])
    occupancy.fail_port(end)
    made = occupancy.allocate("a", wish("4x4x12"))
    assert made.without == ((IRONWOOD.layout.switches.index((0, (3, 2))), 3, 3),)


def test_order_keeps_two_losses_from_meeting_at_one_join():
    # Along Z, slot 1 lost one index at `+` and slot 2 another at `-`: 1 -> 2 would lack two.
    occupancy = pod("z-1-1 1A", "z-2-2 2B", last=3, bear=1)
    made = occupancy.allocate("a", wish("4x4x12"))
    assert sorted(made.slots) == [1, 2, 3]
    at = made.slots.index(1)
    assert made.slots[(at + 1) % 3] == 3
    # Two cubes have no such order.
    assert refused(pod("z-1-1 1A", "z-2-2 2B", last=2, bear=1), "4x4x8") == (
        "slice: 4x4x8 takes 2 cubes, and 0 of 2 cubes are free (2 with an unhealthy port); if "
        "it bears 1 switch: 2, but no order of them was found in which every join lacks at most "
        "1 switch; if it bears 2 switches: 2. The largest 3D shapes found to fit now: 4x4x4."
    )


def test_a_refusal_names_smaller_shapes_where_the_cubes_cannot_all_be_joined():
    # Each cube lost an index of its own along every axis: it can be joined to itself alone.
    lost = [f"{axis}-1-{n} {n}{side}" for n in (1, 2, 3) for axis in "xyz" for side in "AB"]
    assert refused(pod(*lost, last=3, bear=1), "4x4x12").endswith(
        "The largest 3D shapes found to fit now: 4x4x4."
    )
    # Two of three can be joined, and not to the third.
    lost = [f"{axis}-1-{n // 2} {n}{side}" for n in (1, 2, 3) for axis in "xyz" for side in "AB"]
    assert refused(
        pod(*[row.replace("-0 ", "-4 ") for row in lost], last=3, bear=1), "4x4x12"
    ).endswith("The largest 3D shapes found to fit now: 4x4x8, 4x4x4.")


FACES = st.sampled_from([0, 0, 0, 1, 2, 3])


@settings(max_examples=examples(60))
@given(
    lost=st.lists(st.tuples(*[FACES] * 6), min_size=4, max_size=6),
    grid=st.sampled_from([(1, 1, 4), (1, 2, 2), (1, 1, 3)]),
    most=st.integers(1, 2),
)
def test_an_order_is_found_where_there_is_one(lost, grid, most):
    carried = carried_by(IRONWOOD.layout)
    faces, rings = dict(enumerate(lost)), rings_of(grid, twisted=False)
    need = len(rings[0])
    found = arrange(rings, list(faces), faces, carried, most)
    any_order = any(
        is_borne(rings, order, faces, carried, most) for order in permutations(faces, need)
    )
    assert (found is not None) == any_order
    if found:
        assert len(set(found)) == need
        assert is_borne(rings, found, faces, carried, most)


@pytest.mark.parametrize("twisted", [False, True])
def test_one_switch_out_leaves_every_shape_a_place(twisted):
    occupancy = pod("y-4-4", last=16, bear=1)
    made = occupancy.allocate("a", wish("8x8x16", twisted=twisted))
    assert made.slots == tuple(range(1, 17))
    assert len(made.without) == 16
    assert len(slice_circuits(IRONWOOD, made)) == 16 * 47


def test_a_spare_in_place_of_the_lost_port_leaves_nothing_to_bear():
    design = find_design("tpu-v4")
    lost = {"unhealthy": {"ports": [["p-ocs-x-3-2", "2"]]}}
    file = (str(lost).replace("'", '"').encode(), "file")
    plain = allocate_slice(design, "p", wish("4x4x8"), slots=[2, 3], in_use=file, bear=1)
    assert plain.made.without
    spare = [Substitution("p-ocs-x-3-2", "2", "130")]
    mended = allocate_slice(
        design, "p", wish("4x4x8"), slots=[2, 3], in_use=file, bear=1, substitutions=spare
    )
    assert mended.made.without == ()
    assert mended.bearing
    assert mended.bearing.as_json() == {
        "without": [],
        "capacity": {"x": 1, "y": 1, "z": 1},
        "detours": [],
        "slowest_link": 1,
    }


def test_cubes_joined_already_stay_as_they_are_where_all_is_borne():
    occupancy = pod("x-3-2", last=4, bear=1)
    made = replace(occupancy.place(wish("4x4x12")), slots=(2, 3, 4))
    there = slice_circuits(IRONWOOD, replace(made, without=()))
    found = allocate_within(occupancy, INTENDED, wish("4x4x12"), present=there)
    assert found.placement
    assert found.placement.changed == found.placement.lower_bound == 0
    assert len(found.circuits) == 3 * 47
    assert found.made.slots == (2, 3, 4)


def test_cubes_that_lost_more_are_not_taken_for_their_joins_and_the_count_says_so():
    occupancy = pod("x-3-2", "y-1-1 3A", last=4, bear=1)
    made = replace(occupancy.place(wish("4x4x8")), slots=(3, 4), without=())
    there = slice_circuits(IRONWOOD, made)
    found = allocate_within(occupancy, INTENDED, wish("4x4x8"), present=there)
    assert found.made.slots == (4, 1)  # 4 keeps its own joins of X and Y
    assert found.placement
    assert (found.placement.changed, found.placement.lower_bound) == (8, 0)


def test_a_slice_on_whole_cubes_stays_though_others_are_held_back():
    occupancy = pod("x-3-2 1A", last=6, bear=1, held_back=2)
    made = replace(occupancy.place(wish("4x4x8")), slots=(5, 6))
    there = slice_circuits(IRONWOOD, made)
    found = allocate_within(occupancy, INTENDED, wish("4x4x8"), present=there)
    assert found.made.slots == (5, 6)
    assert found.placement
    assert (found.placement.changed, found.placement.lower_bound) == (0, 0)


def test_an_order_that_cannot_be_borne_is_not_taken_for_its_joins():
    lost = ("z-1-1 1A", "z-2-2 2B")
    occupancy = pod(*lost, last=3, bear=1)
    ring = replace(occupancy.place(wish("4x4x12")), slots=(1, 2, 3), without=())
    there = slice_circuits(IRONWOOD, ring)
    found = allocate_within(occupancy, INTENDED, wish("4x4x12"), present=there)
    assert found.made.slots == pod(*lost, last=3, bear=1).place(wish("4x4x12")).slots
    assert found.placement
    assert (found.placement.changed, found.placement.lower_bound) == (6, 0)
    assert len(found.circuits) == 3 * 48 - 2


def test_a_join_without_a_circuit_has_no_slowest_link():
    made = replace(pod(last=1).place(wish("4x4x4")), name="a")
    circuits = slice_circuits(IRONWOOD, made)
    rows = zip(*(c.tolist() for c in (circuits.switch, circuits.a, circuits.b)), strict=True)
    none = Bearing(INTENDED, replace(made, without=tuple(rows)))
    assert list(none.cut_joins()) == [(0, 1, 1), (1, 1, 1), (2, 1, 1)]
    assert none.slowest_link == 0
    assert capacity_left(none) == "Capacity left: X 0, Y 0, Z 0. A join has no circuit left"


def test_no_switch_of_a_static_plant_can_be_done_without():
    with pytest.raises(NotPossible) as refusal:
        allocate_slice(find_design("tpu-v2-static"), "p", wish("8x8"), bear=1)
    assert str(refusal.value) == (
        "design tpu-v2-static: this plant is static: it has no switches that a slice could do "
        "without. Ask for a slice that bears none."
    )
