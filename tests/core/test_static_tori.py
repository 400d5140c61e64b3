"""Static tori against arithmetic of their own: every chip by its place in the pod, and its links.

Nothing here asks a design what it knows: chips, units, hosts and links are counted anew.
"""

from collections import deque
from dataclasses import replace
from itertools import pairwise, product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.cube import Cube
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import DesignRefused, NotPossible
from fabric_twin.core.pods.grid import closes_ring, unit_grid
from fabric_twin.core.slices.boxes import (
    farthest,
    largest_boxes,
    links,
    places,
    pod_sides,
    wraps_of,
)
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape, check_shape, parse_shape
from fabric_twin.core.static_torus import static_torus

#: The sides of a pod, of a unit and of a host, in chips.
PODS = {
    "static-3d": ((16, 16, 16), (4, 4, 4), (2, 2, 1)),
    "tpu-v2": ((16, 16), (4, 4), (2, 2)),
    "tpu-v3": ((32, 32), (4, 4), (4, 2)),
    "tpu-v5e": ((16, 16), (4, 4), (4, 2)),
    "tpu-v6e": ((16, 16), (4, 4), (4, 2)),
    "tpu-v2-static": ((16, 16), (4, 4), (2, 2)),
    "v5e-hosts": ((16, 16), (4, 2), (4, 2)),
    "flat": ((8, 6, 4), (4, 3, 2), (2, 3, 1)),
}
CABLES = {"static-3d": 3072, "tpu-v2": 128, "tpu-v3": 512, "tpu-v5e": 128, "tpu-v6e": 128}
CABLES |= {"tpu-v2-static": 128, "v5e-hosts": 192, "flat": 8 * (6 + 8 + 12)}
#: Units whose sides differ.
UNEQUAL = {
    "v5e-hosts": static_torus("v5e-hosts", "", (4, 8), Cube((4, 2), (4, 2))),
    "flat": static_torus("flat", "", (2, 2, 2), Cube((4, 3, 2), (2, 3, 1))),
}


def design_of(name):
    return UNEQUAL.get(name) or find_design(name)


def slot_of(chip, name):
    """The slot of a chip, counted from 0 along X first."""
    slot, step = 1, 1
    for at, side, unit in zip(chip, *PODS[name][:2], strict=True):
        slot, step = slot + step * (at // unit), step * (side // unit)
    return slot


def end(chip, name, face):
    """Device and port as a cut sheet has them."""
    _, units, host = PODS[name]
    tray, step = 1, 1
    for at, unit, part in zip(chip, units, host, strict=True):
        tray, step = tray + step * (at % unit // part), step * (unit // part)
    port = ".".join(str(1 + at % unit) for at, unit in zip(chip, units, strict=True))
    return f"p-c{slot_of(chip, name):03d}-t{tray:02d}", f"{port}/{face}"


def neighbours(chip, pod):
    """The chips one hop away, with the axis and whether the link closes a ring."""
    for axis, side in enumerate(pod):
        for step in (1, -1):
            there = (*chip[:axis], (chip[axis] + step) % side, *chip[axis + 1 :])
            yield there, axis, step


@pytest.mark.parametrize("name", PODS)
def test_the_rule_lays_the_cables_that_chips_of_two_units_need(name):
    pod, wanted, closing = PODS[name][0], {}, set()
    for chip in product(*map(range, pod)):
        for there, axis, step in neighbours(chip, pod):
            if step == 1 and slot_of(there, name) != slot_of(chip, name):
                near = end(chip, name, f"{'XYZ'[axis]}+")
                wanted[near] = end(there, name, f"{'XYZ'[axis]}-")
                if there[axis] == 0:
                    closing.add(near)
    plant = intended_plant(design_of(name), "p")
    near, far = ([*zip(*plant.names.ends(ports), strict=True)] for ports in (plant.a, plant.b))
    assert dict(zip(near, far, strict=True)) == wanted
    assert len(wanted) == len(near) == CABLES[name]
    optical = closes_ring(plant.design.layout, plant.a, plant.b).tolist()
    assert {port for port, is_optical in zip(near, optical, strict=True) if is_optical} == closing


@pytest.mark.parametrize("name", ["tpu-v5e", "v5e-hosts"])
def test_however_a_pod_is_cut_into_units_its_chips_are_the_same_torus(name):
    """The chips that a link joins, by names alone: cables, and copper within a unit."""
    plant, (pod, units, _) = intended_plant(design_of(name), "p"), PODS[name]
    row = pod[0] // units[0]

    def chip_at(device, port):
        up, along = divmod(int(device[3:6]) - 1, row)
        x, y = map(int, port.partition("/")[0].split("."))
        return along * units[0] + x - 1, up * units[1] + y - 1

    joined = [
        frozenset(chip_at(*plant.names.port(int(port))) for port in ends)
        for ends in zip(plant.a, plant.b, strict=True)
    ]
    for x, y in product(*map(range, pod)):
        joined += [frozenset({(x, y), (x + 1, y)})] * ((x + 1) % units[0] > 0)
        joined += [frozenset({(x, y), (x, y + 1)})] * ((y + 1) % units[1] > 0)
    torus = {frozenset({(x, y), ((x + 1) % 16, y)}) for x, y in product(range(16), repeat=2)}
    torus |= {frozenset({(x, y), (x, (y + 1) % 16)}) for x, y in product(range(16), repeat=2)}
    assert (len(joined), set(joined)) == (512, torus)


def test_units_turned_in_the_grid_make_no_shape_and_switches_take_no_unequal_faces():
    design = design_of("v5e-hosts")
    with pytest.raises(NotPossible) as refused:
        check_shape(design, parse_shape("2x4", design))
    assert str(refused.value) == (
        "shape of v5e-hosts: 2x4 is neither whole cubes nor a part of one. Make the sides "
        "multiples of 4x2 in this order, or take one of 1x1, 1x2, 2x2 in any order of axes."
    )
    with pytest.raises(DesignRefused) as refusal:
        replace(find_design("ironwood"), cube=Cube((4, 4, 2), (2, 2, 1)))
    assert str(refusal.value) == (
        "design ironwood: the faces of a cube of (4, 4, 2) chips differ in size; only in a static "
        "plant may they. Make all sides of the cube equal or the plant static."
    )


def test_the_worked_cables_of_a_v5e_pod():
    plant = intended_plant(find_design("tpu-v5e"), "p")
    ends = [[*zip(*plant.names.ends(ports), strict=True)] for ports in (plant.a, plant.b)]
    cables = dict(zip(*ends, strict=True))
    assert cables["p-c004-t01", "4.2/X+"] == ("p-c001-t01", "1.2/X-")
    assert cables["p-c013-t02", "3.4/Y+"] == ("p-c001-t01", "3.1/Y-")


@pytest.mark.parametrize(
    ("name", "text", "wraps", "hops", "joins", "many"),
    [
        ("tpu-v5e", "4x4", "", 6, 24, 16),
        ("tpu-v5e", "8x8", "", 14, 112, 4),
        ("tpu-v5e", "8x16", "Y", 15, 240, 2),
        ("tpu-v6e", "16x8", "X", 15, 240, 2),
        ("tpu-v2", "16x16", "XY", 16, 512, 1),
        ("tpu-v3", "16x16", "", 30, 480, 4),
        ("tpu-v3", "16x32", "Y", 31, 992, 2),
        ("tpu-v3", "32x32", "XY", 32, 2048, 1),
        ("static-3d", "8x8x16", "Z", 22, 2816, 4),
        ("tpu-v2-static", "8x8", "", 14, 112, 4),
        ("v5e-hosts", "4x4", "", 6, 24, 16),
        ("v5e-hosts", "8x8", "", 14, 112, 4),
        ("v5e-hosts", "8x16", "Y", 15, 240, 2),
        ("v5e-hosts", "16x8", "X", 15, 240, 2),
        ("v5e-hosts", "16x16", "XY", 16, 512, 1),
        ("flat", "8x3x4", "XZ", 8, 256, 2),
    ],
)
def test_a_slice_is_a_box_that_wraps_where_its_side_is_the_pods(
    name, text, wraps, hops, joins, many
):
    design, pod = design_of(name), PODS[name][0]
    shape = parse_shape(text, design)
    found = wraps_of(design, shape.sides)
    assert "".join(axis for axis, wrap in zip("XYZ", found, strict=False) if wrap) == wraps
    assert (farthest(shape.sides, found), links(shape.sides, found)) == (hops, joins)
    everywhere = [*places(design.layout, shape.grid(design.cube))]
    assert len(everywhere) == many
    assert sorted(slot for slots in everywhere for slot in slots) == [*range(1, design.slots + 1)]
    for slots in (everywhere[0], everywhere[-1]):
        chips = {chip for chip in product(*map(range, pod)) if slot_of(chip, name) in set(slots)}
        near = {c: [n for n, _, _ in neighbours(c, pod) if n in chips] for c in chips}
        assert sum(map(len, near.values())) == 2 * joins
        assert max(steps_from(chip, near) for chip in sorted(chips)[:4]) == hops


def steps_from(chip, near):
    """How far the farthest chip is, by breadth first search."""
    steps, queue = {chip: 0}, deque([chip])
    while queue:
        at = queue.popleft()
        for there in near[at]:
            if there not in steps:
                steps[there] = steps[at] + 1
                queue.append(there)
    assert len(steps) == len(near), "all chips of a slice reach each other"
    return max(steps.values())


def test_a_box_begins_at_multiples_of_its_sides_unless_it_may_begin_anywhere():
    layout = find_design("tpu-v5e").layout
    assert [slots[0] for slots in places(layout, (2, 2))] == [1, 3, 9, 11]
    assert [s[0] for s in places(layout, (2, 2), anywhere=True)] == [1, 2, 3, 5, 6, 7, 9, 10, 11]
    assert [slots[0] for slots in places(layout, (3, 2))] == [1, 2, 5, 6, 9, 10], "3 is no power"
    assert [*places(layout, (1, 5))] == []


def test_what_does_not_fit_is_refused_with_where_it_would():
    pod = Occupancy(find_design("tpu-v5e"))
    for slot in (1, 3, 9, 11):
        pod.fail(slot)
    wish = parse_shape("8x8", pod.design)
    with pytest.raises(NotPossible) as refused:
        pod.allocate("a", wish)
    assert str(refused.value) == (
        "slice: 8x8 takes 4 cubes, and 12 of 16 cubes are free (4 unhealthy), but this plant is "
        "static, and no box of 2x2 cubes is free. The largest boxes that fit now: 4x16, 16x4."
    )
    pod.repair(1)
    pod.repair(3)
    pod.fail(4)
    pod.allocate("b", parse_shape("4x4", pod.design))
    for anywhere, remedy in (
        (None, "The largest boxes that fit now: 4x16, 16x4."),
        (False, "Let it begin anywhere: it fits at slot 2."),
    ):
        pod.anywhere = anywhere
        with pytest.raises(NotPossible) as refused:
            pod.allocate("a", parse_shape("8x8", pod.design))
        assert str(refused.value) == (
            "slice: 8x8 takes 4 cubes, and 12 of 16 cubes are free (1 in use, 3 unhealthy), but "
            "this plant is static, and no box of 2x2 cubes is free at multiples of its sides. "
            + remedy
        )
    pod.anywhere = True
    assert pod.allocate("a", parse_shape("8x8", pod.design)).slots == (2, 6, 3, 7)


def test_what_fits_leaves_what_is_held_back():
    pod = Occupancy(find_design("tpu-v5e"), held_back=4)
    with pytest.raises(NotPossible) as refused:
        pod.allocate("a", parse_shape("16x16", pod.design))
    assert str(refused.value) == (
        "slice: 16x16 takes 16 cubes, and 12 of 16 cubes are free (4 held back). "
        "The largest boxes that fit now: 12x16, 16x12."
    )
    pod.held_back = 17
    assert pod.what_fits() == "Nothing fits now: release a slice, or repair a cube"


def test_a_box_longer_than_the_pod_is_refused():
    pod = Occupancy(find_design("tpu-v5e"))
    with pytest.raises(NotPossible) as refused:
        pod.allocate("a", parse_shape("4x32", pod.design))
    assert str(refused.value) == (
        "shape of tpu-v5e: 4x32 is no box of a pod of 16x16 chips. "
        "Make no side longer than the pod's; X comes first."
    )


def boxes_of(wide, high, used, anywhere):
    """The lowest corner of each free box."""
    aligned = not anywhere and {wide, high} <= {1, 2, 4}
    return [
        corner
        for corner in product(range(5 - wide), range(5 - high))
        if not (aligned and (corner[0] % wide or corner[1] % high))
        and not any(
            corner[0] <= x < corner[0] + wide and corner[1] <= y < corner[1] + high
            for x, y in (GRID[slot] for slot in used)
        )
    ]


GRID = {slot: (x, y) for slot, (y, x) in enumerate(product(range(4), range(4)), 1)}


@settings(max_examples=60, deadline=None)
@given(
    down=st.sets(st.sampled_from(sorted(GRID)), max_size=6),
    wishes=st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=6),
    anywhere=st.booleans(),
)
def test_slices_are_whole_boxes_apart_and_are_refused_only_where_none_is_free(
    down, wishes, anywhere
):
    pod = Occupancy(find_design("tpu-v5e"), anywhere=anywhere)
    for slot in down:
        pod.fail(slot)
    used = set(down)
    for number, (wide, high) in enumerate(wishes):
        free = boxes_of(wide, high, used, anywhere)
        made = pod.place(parse_shape(f"{4 * wide}x{4 * high}", pod.design))
        assert (made is not None) == bool(free)
        if made:
            at = [GRID[slot] for slot in made.slots]
            assert at[0] in free
            assert at == sorted(at) == [*product(*(sorted({p[a] for p in at}) for a in (0, 1)))]
            assert len(at) == wide * high
            for axis in (0, 1):
                row = sorted({p[axis] for p in at})
                assert all(b - a == 1 for a, b in pairwise(row))
            pod.allocate(str(number), made.shape)
            used |= set(made.slots)
    left = [
        (wide, high)
        for wide, high in product(range(1, 5), repeat=2)
        if boxes_of(wide, high, used, anywhere)
    ]
    most = max(map(prod, left), default=0)
    assert set(largest_boxes(pod.design.layout, len(pod.free), pod.place_box)) == {
        box for box in left if prod(box) == most
    }


def cabled(right, up):
    """A v5e pod where `X+` and `Y+` of the unit at (x, y) go to units of one's own choice."""
    after, before = np.zeros((2, 17), np.int32), np.zeros((2, 17), np.int32)
    for slot, (x, y) in GRID.items():
        for axis, step in enumerate((right, up)):
            to_x, to_y = step(x, y)
            after[axis, slot] = to = 1 + to_x % 4 + 4 * (to_y % 4)
            before[axis, to] = slot

    def rule(port):
        there = np.where(port.sign == 0, after[port.axis, port.slot], before[port.axis, port.slot])
        return replace(port, slot=there, sign=1 - port.sign)

    return replace(find_design("tpu-v5e"), rule=rule)


def to_the_right(x, y):
    return x + 1, y


def upwards(x, y):
    return x, y + 1


@pytest.mark.parametrize(
    ("right", "up"),
    [
        pytest.param(to_the_right, lambda x, y: (x + (y == 3), y + 1), id="a ring of all units"),
        pytest.param(lambda x, y: (x - 1 if y == 1 else x + 1, y), upwards, id="a row backwards"),
        pytest.param(lambda x, y: (x ^ 1, y), upwards, id="two grids side by side"),
    ],
)
def test_cables_that_make_no_grid_make_no_boxes(right, up):
    design = cabled(right, up)
    assert unit_grid(design.layout) is None
    assert pod_sides(design) == ()
    with pytest.raises(NotPossible, match="make no grid"):
        Occupancy(design).allocate("a", Shape((8, 8)))


def test_a_grid_is_read_from_its_cables_and_pods_with_switches_have_none():
    grid = unit_grid(cabled(to_the_right, upwards).layout)
    assert {int(slot): at for at, slot in np.ndenumerate(grid)} == GRID
    assert unit_grid(find_design("ironwood").layout) is None


def test_a_cable_that_is_down_bars_only_boxes_that_have_both_its_ends():
    pod = Occupancy(find_design("tpu-v5e"))
    layout = pod.design.layout
    cables = {
        (int(layout.slot[port]), int(layout.slot[layout.mate[port]])): port
        for port in range(layout.cube_ports)
        if layout.sign[port % layout.ports_per_cube] == 0
    }
    beside, closing = cables[1, 2], cables[4, 1]
    pod.allocate("whole", parse_shape("16x16", pod.design))
    assert [made.name for made in pod.fail_port(closing)] == ["whole"]
    pod.release("whole")
    wishes = [parse_shape(text, pod.design) for text in ("4x4", "8x8", "8x16", "16x8", "16x16")]

    def stands():
        return [made.slots[0] if (made := pod.place(wish)) else None for wish in wishes]

    assert stands() == [1, 1, 1, 9, None], "the ring that it closes is in no box but the long"
    pod.repair_port(closing)
    pod.allocate("a", parse_shape("4x4", pod.design))
    assert pod.fail_port(beside) == [], "its other end is not in the slice"
    pod.release("a")
    assert stands() == [1, 3, 3, 9, None]
    assert len(pod.free) == 16
    with pytest.raises(NotPossible) as refused:
        pod.allocate("b", wishes[-1])
    assert str(refused.value) == (
        "slice: 16x16 takes 16 cubes, and 16 of 16 cubes are free, but this plant is static, and "
        "no box of 4x4 cubes is free and has all its cables. "
        "The largest boxes that fit now: 12x16, 16x12."
    )
    pod.repair_port(int(layout.mate[beside]))
    assert stands()[-1] is None, "that end was not down"
    pod.repair_port(beside)
    assert stands() == [1, 1, 1, 1, 1]
