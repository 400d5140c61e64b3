"""What faults take from slices, against a count of the links that are left, by names alone."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.cabling.plant import Substitution, intended_plant
from fabric_twin.core.designs import find_design
from fabric_twin.core.slices.hits import Hit, Hits
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.slices.slice import Slice
from tests.core.bearing.witness import (
    PAIRED,
    circuits_of_a_link,
    joins,
    wanted_links,
)
from tests.examples import examples

#: Design; a switch; what is left of its axis without it.
TABLE = [
    ("tpu-v4", "p-ocs-x-3-2", 0.9375),
    ("tpu-v5p", "p-ocs-x-3-2", 0.9375),
    ("ironwood", "p-ocs-x-3-2", 0.9375),
    ("tpu-v4-cwdm8", "p-ocs-x-3-2", 0.8750),
    ("tpu-v4-duplex", "p-ocs-x-3-2-1", 0.96875),
]
WHOLE = (1, 1, 1)


@cache
def plant(design):
    return intended_plant(find_design(design), "p")


def cubes(name, shape, slots, without=()):
    """A slice of whole cubes."""
    return Slice(name, Shape(tuple(map(int, shape.split("x")))), tuple(slots), without=without)


def ports_of(design, *named):
    """The numbers of ports: `x-1-1 7A`, all of a switch, `x-1-1`, or all of a cube, `7`."""
    layout, found = plant(design).design.layout, []
    for row in named:
        if row.isdigit():
            found += range((int(row) - 1) * layout.ports_per_cube, int(row) * layout.ports_per_cube)
            continue
        switch, _, port = row.partition(" ")
        if port:
            port = port[:-1] if design in PAIRED else port  # both sides of a port are one
            found += plant(design).names.find([f"p-ocs-{switch}"], [port]).tolist()
            continue
        first = plant(design).names.switches.index(f"p-ocs-{switch}") * layout.ports_per_switch
        found += range(
            layout.cube_ports + first, layout.cube_ports + first + layout.ports_per_switch
        )
    assert min(found, default=0) >= 0
    return found


def hits(design, slices, *named, bear=1):
    return Hits(plant(design), slices, bear=bear).of(ports_of(design, *named))


def numbers_of(design, circuit):
    """A circuit by numbers."""
    switch, a, b = circuit
    return plant(design).names.switches.index(switch), int(a[:-1]), int(b[:-1])


def lost_links(design, made, dead):
    """By join: the links of which a port is dead, or that the slice does without; by names."""
    gone, found = set(made.without), {}
    at = [{"at": at, "slot": slot} for at, slot in made.places(plant(design).design.cube)]
    for axis, slot, after in joins({"cubes": at}):
        lost = {}
        for index, lane in wanted_links(design):
            circuits = circuits_of_a_link(design, axis, slot, after, index, lane)
            switch = circuits[0][0]
            of_link = {switch, str(slot), str(after)}
            of_link |= {f"{switch} {end}" for circuit in circuits for end in circuit[1:]}
            was = any(numbers_of(design, circuit) in gone for circuit in circuits)
            if was or of_link & dead:
                lost[index, lane] = (switch, was)
        found[axis, slot, after] = lost
    return found


def counted(design, made, dead):
    """The capacity before and after, and the switches that the worst join hit lacks; or None."""
    every, joined = len(wanted_links(design)), lost_links(design, made, dead)
    before, after = [1.0] * 3, [1.0] * 3
    switches = 0
    for (axis, _, _), lost in joined.items():
        was = sum(1 for _, already in lost.values() if already)
        before[axis] = min(before[axis], 1 - was / every)
        after[axis] = min(after[axis], 1 - len(lost) / every)
        if len(lost) > was:
            switches = max(switches, len({switch for switch, _ in lost.values()}))
    return (tuple(before), tuple(after), switches) if switches else None


@pytest.mark.parametrize(("design", "switch", "left"), TABLE)
def test_a_switch_that_dies_takes_the_same_share_from_every_slice(design, switch, left):
    """Cubes 1 to 8, 9 and 10, 11: of 2 x 2 x 2 cubes, of two, and of one with its own wrap."""
    slices = [
        cubes("eight", "8x8x8", range(1, 9)),
        cubes("two", "8x4x4", (10, 9)),
        cubes("one", "4x4x4", (11,)),
        Slice("under a cube", Shape((2, 2, 1)), (12,), ((1, 1, 1), (1, 2, 1))),
    ]
    found = hits(design, slices, switch.removeprefix("p-ocs-"))
    assert found == tuple(
        Hit(name, WHOLE, (left, 1, 1), switches=1, bear=1) for name in ("eight", "two", "one")
    )
    assert [str(hit) for hit in found] == [
        f"{name}: X 1 -> {left:.4g}" for name in ("eight", "two", "one")
    ]
    for hit, made in zip(found, slices, strict=False):
        assert (hit.before, hit.after, hit.switches) == counted(design, made, {switch})
        assert hit.is_borne


@pytest.mark.parametrize(("design", "switch", "left"), TABLE)
def test_one_port_is_as_bad_as_its_switch_for_the_slice_that_uses_it(design, switch, left):
    """As far as its switch carries one link there: the worst join counts."""
    slices = [cubes("mine", "8x4x4", (7, 9)), cubes("other", "8x4x4", (1, 2))]
    [hit] = hits(design, slices, f"{switch.removeprefix('p-ocs-')} 7A")
    share = 1 / len(wanted_links(design))
    assert (hit.name, hit.after, hit.is_borne) == ("mine", (1 - share, 1, 1), True)
    assert hit.after[0] >= left


def test_a_cube_that_dies_leaves_its_slice_standing_still():
    slices = [cubes("mine", "8x4x4", (7, 9)), cubes("other", "8x4x4", (1, 2))]
    [hit] = hits("ironwood", slices, "7")
    assert hit == Hit("mine", WHOLE, (0, 0, 0), switches=16, bear=1)
    assert str(hit) == (
        "mine: X 1 -> 0, Y 1 -> 0, Z 1 -> 0; it stands still: a join has no link left"
    )
    assert hit.as_json() == {
        "name": "mine",
        "capacity_before": {"x": 1, "y": 1, "z": 1},
        "capacity_after": {"x": 0, "y": 0, "z": 0},
        "switches_lacking": 16,
        "borne": False,
        "stands_still": True,
        "with_other_findings": {
            "capacity_after": {"x": 0, "y": 0, "z": 0},
            "switches_lacking": 16,
            "borne": False,
            "stands_still": True,
        },
    }


def test_more_switches_than_a_pod_bears_are_said_whether_one_fault_takes_them_or_several():
    mine = [cubes("mine", "8x4x4", (7, 9))]
    [both] = hits("ironwood", mine, "x-3-2", "x-4-2")
    assert str(both) == "mine: X 1 -> 0.875; a join lacks 2 switches, and the pod bears 1"
    [one] = hits("ironwood", mine, "x-3-2")
    assert one.beside(both).told == (
        "X 1 -> 0.9375. With the other findings: "
        "X 1 -> 0.875; a join lacks 2 switches, and the pod bears 1"
    )
    assert one.beside(one) == one
    [bears] = hits("ironwood", mine, "x-3-2", "x-4-2", bear=2)
    assert str(bears) == "mine: X 1 -> 0.875"
    [none] = hits("ironwood", mine, "x-3-2", bear=0)
    assert str(none) == "mine: X 1 -> 0.9375; a join lacks 1 switch, and the pod bears 0"
    # Ports on different switches at different joins do not add up.
    [apart] = hits("ironwood", mine, "x-3-2 7A", "x-4-2 9A")
    assert str(apart) == "mine: X 1 -> 0.9375"


def test_what_a_slice_does_without_is_not_taken_from_it_again():
    without = ((9, 7, 9), (9, 9, 7))  # x-3-2: both joins of X
    assert plant("ironwood").names.switches[9] == "p-ocs-x-3-2"
    mine = [cubes("mine", "8x4x4", (7, 9), without)]
    assert hits("ironwood", mine, "x-3-2") == ()
    [hit] = hits("ironwood", mine, "x-4-2 7A")
    assert str(hit) == "mine: X 0.9375 -> 0.875; a join lacks 2 switches, and the pod bears 1"
    one_join = [cubes("mine", "8x4x4", (7, 9), without[:1])]
    [hit] = hits("ironwood", one_join, "x-4-2 9A")
    assert str(hit) == "mine: capacity as before: another join lacks as much"


def test_a_port_in_whose_place_a_spare_is_used_takes_nothing():
    moved = Substitution("p-ocs-x-3-2", "7A", "141A")
    spared = intended_plant(find_design("tpu-v5p"), "p", None, [moved])
    known = Hits(spared, [cubes("mine", "8x4x4", (7, 9))], bear=1)
    bad, spare = spared.names.find(["p-ocs-x-3-2"] * 2, ["7A", "141A"]).tolist()
    assert known.of([bad]) == ()
    assert [str(hit) for hit in known.of([spare])] == ["mine: X 1 -> 0.9375"]


def test_where_no_slice_is_made_nothing_is_hit():
    assert hits("ironwood", [], "x-3-2") == ()
    assert Hits(plant("ironwood"), [], bear=1).of([]) == ()
    assert Hits(plant("ironwood"), [cubes("mine", "4x4x4", (7,))], bear=1).of([-1, 10**9]) == ()


@st.composite
def faults(draw):
    """A design, slices that do without some circuits, and what is dead."""
    design = draw(st.sampled_from([row[0] for row in TABLE]))
    slots = draw(st.permutations(range(1, 13)))
    slices = []
    for name, shape, many in (("a", "8x8x4", 4), ("b", "4x4x12", 3), ("c", "4x4x4", 1)):
        made, slots = cubes(name, shape, slots[:many]), slots[many:]
        links = [
            circuits_of_a_link(design, *join, *link)
            for join in lost_links(design, made, set())
            for link in sorted(wanted_links(design))
        ]
        gone = draw(st.lists(st.sampled_from(links), max_size=3))
        without = {numbers_of(design, circuit) for circuits in gone for circuit in circuits}
        slices.append(cubes(name, shape, made.slots, tuple(sorted(without))))
    switches = st.sampled_from(plant(design).names.switches)
    ports = st.builds("{} {}{}".format, switches, st.integers(1, 76), st.sampled_from("AB"))
    dead = draw(st.lists(st.one_of(switches, ports, ports, ports), max_size=5))
    dead += draw(st.lists(st.integers(1, 12).map(str), max_size=1))
    return design, slices, set(dead)


@settings(max_examples=examples(50), deadline=None)
@given(faults())
def test_capacity_is_what_a_count_of_the_links_left_says_and_never_grows(fault):
    design, slices, dead = fault
    named = [row.removeprefix("p-ocs-") for row in dead]
    found = {hit.name: hit for hit in hits(design, slices, *named)}
    if design in PAIRED:  # both sides of a port are one
        dead |= {f"{row[:-1]}{side}" for row in dead if " " in row for side in "AB"}
    for made in slices:
        expected = counted(design, made, dead)
        hit = found.pop(made.name, None)
        assert (hit and (hit.before, hit.after, hit.switches)) == expected
        if hit:
            assert all(now <= was for was, now in zip(hit.before, hit.after, strict=True))
            assert hit.stands_still == any(
                len(lost) == len(wanted_links(design))
                for lost in lost_links(design, made, dead).values()
            )
    assert found == {}
