"""Which shapes there are, and where they stand."""

import pytest

from fabric_twin.core.cube import STANDARD_CUBE, Cube
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.slices.blocks import blocks_of
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import (
    Shape,
    check_shape,
    largest_shapes,
    parse_shape,
    twist,
    under_a_cube,
    warning,
)
from fabric_twin.core.slices.slice import slice_circuits


def pod(name="tpu-v4", last=None, **more):
    design = find_design(name)
    return Occupancy(design, None if last is None else range(1, last + 1), **more)


def wish(text, *, twisted=False):
    return Shape(tuple(map(int, text.split("x"))), twisted)


def refused(call, *arguments):
    with pytest.raises(NotPossible) as refusal:
        call(*arguments)
    return str(refusal.value)


def test_a_cube_is_cut_by_halves_down_to_trays_and_chips():
    blocks = blocks_of(STANDARD_CUBE)
    assert blocks.boxes == (
        (4, 4, 4), (4, 4, 2), (4, 2, 2), (2, 2, 2), (2, 2, 1), (2, 1, 1), (1, 1, 1),
    )  # fmt: skip
    assert sorted(blocks.chips) == sorted(blocks.bit)
    assert len(set(blocks.chips)) == 64
    trays = [
        {STANDARD_CUBE.tray_of(chip) for chip in blocks.chips[first : first + 4]}
        for first in range(0, 64, 4)
    ]
    assert {len(tray) for tray in trays} == {1}


@pytest.mark.parametrize("cube", [STANDARD_CUBE, Cube((4, 4), (2, 2)), Cube((6, 6, 6), (2, 2, 1))])
def test_every_block_is_a_box(cube):
    blocks = blocks_of(cube)
    for box in blocks.boxes:
        size = len(blocks.lay(box, 0))
        for start in blocks.starts(size):
            laid = set(blocks.lay(box, start))
            assert laid == set(blocks.chips[start : start + size])


def test_the_shapes_under_a_cube_are_those_of_the_facts():
    assert under_a_cube(STANDARD_CUBE) == ["1x1x1", "1x1x2", "1x2x2", "2x2x2", "2x2x4", "2x4x4"]


def test_only_the_published_families_can_be_twisted():
    assert twist((2, 1, 1)) == {1: (1, 0, 0), 2: (1, 0, 0)}
    assert twist((2, 1, 2)) == {1: (1, 0, 1)}
    assert twist((2, 2, 2)) == twist((1, 2, 4)) == twist((1, 1, 3)) == twist(()) == {}


def test_a_shape_that_no_pod_of_the_design_can_have_is_refused():
    design = find_design("tpu-v4")
    assert refused(check_shape, design, wish("3x4x4")) == (
        "shape of tpu-v4: 3x4x4 is neither whole cubes nor a part of one. Make every side a "
        "multiple of 4, or take one of 1x1x1, 1x1x2, 1x2x2, 2x2x2, 2x2x4, 2x4x4 in any order of "
        "axes."
    )
    assert refused(check_shape, design, wish("16x16x20")) == (
        "shape of tpu-v4: 16x16x20 takes 80 cubes and the pod has 64 slots. The largest shapes "
        "are 16x16x16, 12x12x12, 8x8x8, 4x4x4."
    )
    assert refused(check_shape, design, wish("8x8x8", twisted=True)) == (
        "shape of tpu-v4: 8x8x8 cannot be twisted. Twisted are n x n x 2n and n x 2n x 2n of "
        "whole cubes in any order of axes, such as 4x4x8 and 4x8x8."
    )
    with pytest.raises(NotPossible):
        check_shape(design, wish("2x2x4", twisted=True))


@pytest.mark.parametrize(
    "text", ["", "4x4", "4x4x4x4", "0x4x4", "-4x4x4", "4X4x4", "4x4x99999", "٤x٤x٤"]
)
def test_what_is_not_a_shape_is_unusable(text):
    with pytest.raises(UnusableInput):
        parse_shape(text, find_design("tpu-v4"))


def test_a_slice_that_has_no_place_is_told_what_has():
    occupied = pod(last=16)
    occupied.allocate("a", wish("2x2x4"))
    occupied.fail(3)
    occupied.fail_port(occupied.design.layout.mate[4 * 96])
    occupied.held_back = 1
    assert refused(occupied.allocate, "b", wish("8x8x16")) == (
        "slice: 8x8x16 takes 16 cubes, and 12 of 16 cubes are free (1 in use, 1 unhealthy, 1 with "
        "an unhealthy port, 1 held back). The largest 3D shapes that fit now: 8x8x12, 8x8x8, 4x4x4."
    )


def test_cubes_that_somebody_has_in_hand_are_healthy_and_not_free():
    occupied = pod(last=16)
    occupied.allocate("a", wish("4x4x8"))
    for slot in (1, 5, 6):
        occupied.reserve(slot)
    again = occupied.copy()
    assert (len(again.free), again.healthy) == (12, 16)
    assert refused(again.allocate, "b", wish("8x8x16")) == (
        "slice: 8x8x16 takes 16 cubes, and 12 of 16 cubes are free (2 in use, 2 reserved or "
        "joined by hand). The largest 3D shapes that fit now: 8x8x12, 8x8x8, 4x4x4."
    )
    # What ends leaves its cubes to whoever has them in hand.
    again.release("a")
    assert 1 not in again.free
    assert 2 in again.free


def test_when_no_cube_is_free_a_part_of_a_shared_one_may_be():
    occupied = pod(last=1)
    occupied.allocate("a", wish("2x2x2"))
    assert refused(occupied.allocate, "b", wish("4x4x4")).endswith(
        "The largest shape under a cube that fits now: 2x4x4."
    )
    occupied.allocate("c", wish("2x4x4"))
    occupied.allocate("d", wish("2x2x4"))
    occupied.allocate("e", wish("2x2x2"))
    assert refused(occupied.allocate, "b", wish("1x1x1")) == (
        "slice: 1x1x1 takes 1 chip of one cube, and 0 of 1 cubes are free (1 in use). "
        "Nothing fits now: release a slice, or repair a cube."
    )


def test_what_fits_is_listed_from_the_largest_to_the_most_compact():
    assert largest_shapes(STANDARD_CUBE, 11) == ("4x4x44", "4x8x20", "4x12x12", "8x8x8")
    assert largest_shapes(STANDARD_CUBE, 1) == ("4x4x4",)
    assert largest_shapes(Cube((4, 4), (2, 2)), 7) == ("4x28", "8x12", "8x8", "4x4")


def test_a_cube_is_shared_before_another_is_broken():
    occupied = pod()
    for name, shape in enumerate(["1x1x1", "2x4x4", "1x2x2", "2x2x4", "2x2x2", "1x1x2"]):
        occupied.allocate(str(name), wish(shape))
    assert {made.slots for made in occupied.slices.values()} == {(1,)}
    assert occupied.allocate("cube", wish("4x4x4")).slots == (2,)


def test_small_slices_take_the_smallest_gap_and_then_the_cube_no_whole_slice_can_have():
    occupied = pod()
    occupied.fail_port(occupied.design.layout.mate[8 * 96])
    first = occupied.allocate("first", wish("1x2x2"))
    assert first.slots == (9,)  # its X+ port is down, which copper does not mind
    assert occupied.allocate("second", wish("1x1x1")).slots == (9,)
    assert occupied.allocate("third", wish("4x4x4")).slots == (1,)


def test_cubes_held_back_stay_free():
    occupied = pod(last=4, held_back=1)
    occupied.allocate("a", wish("4x4x12"))
    assert occupied.place(wish("4x4x4")) is None
    assert occupied.place(wish("1x1x1")) is None
    occupied.held_back = 0
    assert occupied.place(wish("4x4x4")).slots == (4,)


def test_ironwood_warns_of_slices_larger_than_are_offered():
    ironwood = find_design("ironwood")
    assert warning(ironwood, wish("8x16x16")) == ""
    assert warning(ironwood, wish("16x16x16")) == (
        "16x16x16 has 4,096 chips; slices of ironwood are offered up to 2,048 chips today"
    )
    assert warning(find_design("tpu-v4"), wish("16x16x16")) == ""


def test_a_static_plant_makes_no_circuits_and_is_never_twisted():
    static = pod("tpu-v2-static")
    whole = static.allocate("b", wish("16x16"))
    assert dict(whole.places(static.design.cube))[1, 0] == 2  # X+ of slot 1 is cabled to slot 2
    assert len(slice_circuits(static.design, whole)) == 0
    static.release("b")
    assert static.allocate("c", wish("2x4")).slots == (1,)
    assert static.place(wish("16x16")) is None
    assert "static plant" in refused(static.allocate, "d", wish("8x16", twisted=True))


def test_whole_cubes_never_fragment():
    occupied = pod()
    for number in range(64):
        occupied.allocate(str(number), wish("4x4x4"))
    for number in range(0, 64, 2):
        occupied.release(str(number))
    assert occupied.allocate("scattered", wish("8x16x16")).slots == tuple(range(1, 65, 2))
