"""Which circuit bears a lost one: near, whole, and as few on one as a maximum flow allows."""

import json
from collections import Counter
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.slices.detours import detours_of
from tests.core.bearing.witness import INDICES, LANES, PAIRED, links_made, plugged, wanted_links
from tests.examples import examples

FACE = tuple(INDICES)


def neighbours(index):
    """The places one step of copper away, in the order in which they are preferred."""
    i, j = index
    near = [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)]
    return [place for place in near if place in FACE]


def chosen(*lost):
    """The detours of lost indices, by index."""
    links = frozenset(map(FACE.index, lost))
    return {FACE[link]: FACE[by] for link, by in detours_of(FACE, 1, links)}


def test_a_lost_index_goes_by_its_first_neighbour():
    assert chosen((3, 2)) == {(3, 2): (4, 2)}
    assert chosen((4, 2)) == {(4, 2): (3, 2)}
    assert chosen((3, 2), (4, 2)) == {(3, 2): (2, 2), (4, 2): (4, 3)}
    assert chosen((3, 1), (3, 2)) == {(3, 1): (4, 1), (3, 2): (4, 2)}


def test_one_gives_way_where_another_has_no_other_neighbour():
    # (1,1) would go by (2,1), which is all that is left to (3,1).
    assert chosen((1, 1)) == {(1, 1): (2, 1)}
    assert chosen((1, 1), (3, 1), (4, 1), (3, 2)) == {
        (1, 1): (1, 2),
        (3, 1): (2, 1),
        (4, 1): (4, 2),
        (3, 2): (2, 2),
    }


def test_where_no_neighbour_is_left_the_nearest_is_found_over_the_face():
    assert chosen((1, 1), (1, 2), (2, 1))[1, 1] in {(2, 2), (1, 3), (3, 1)}
    assert detours_of(FACE, 1, frozenset(range(16))) == ()


def test_a_lost_lane_keeps_its_lane_and_comes_to_its_own_index_last():
    two = [(index, lane) for index in FACE for lane in (1, 2)]
    lost = two.index(((3, 2), 1))
    [(_, by)] = detours_of(FACE, 2, frozenset([lost]))
    assert two[by] == ((4, 2), 1)
    lane_one = frozenset(number for number, (_, lane) in enumerate(two) if lane == 1)
    detours = {two[link]: two[by] for link, by in detours_of(FACE, 2, lane_one)}
    assert len(detours) == 16
    # Another index bears it, though the other lane of its own is whole.
    assert all(by[0] != index for (index, _), by in detours.items())
    assert set(Counter(detours.values()).values()) == {1}
    alone = frozenset(range(32)) - {two.index(((3, 2), 2))}
    assert {two[by] for _, by in detours_of(FACE, 2, alone)} == {((3, 2), 2)}


def over_the_face(lost, most):
    """How many lost links a maximum flow brings over copper to whole ones, `most` on each."""
    net = nx.DiGraph()
    net.add_nodes_from(["from", "to"])
    for index in FACE:
        for other in neighbours(index):
            net.add_edge(index, other)  # without a capacity: copper carries them all
        if index in lost:
            net.add_edge("from", index, capacity=1)
        else:
            net.add_edge(index, "to", capacity=most)
    return nx.maximum_flow_value(net, "from", "to")


def by_neighbours(lost):
    """How many lost links a maximum flow brings to neighbours, one on each."""
    net = nx.DiGraph()
    net.add_nodes_from(["from", "to"])
    for index in lost:
        net.add_edge("from", ("lost", index), capacity=1)
        for other in set(neighbours(index)) - lost:
            net.add_edge(("lost", index), other, capacity=1)
            net.add_edge(other, "to", capacity=1)
    return nx.maximum_flow_value(net, "from", "to")


LOST = st.sets(st.sampled_from(FACE), max_size=15)


@settings(max_examples=examples(100))
@given(lost=LOST)
def test_the_most_loaded_circuit_bears_as_few_as_a_maximum_flow_allows(lost):
    detours = chosen(*lost)
    assert set(detours) == lost  # every lost index has its detour
    assert not lost & set(detours.values())
    loads = Counter(detours.values())
    least = next(most for most in range(17) if over_the_face(lost, most) == len(lost))
    assert max(loads.values(), default=0) == least
    # No circuit bears two while a whole neighbour of one of them is free.
    for index, by in detours.items():
        if loads[by] > 1:
            assert all(other in lost or loads[other] for other in neighbours(index))


@settings(max_examples=examples(100))
@given(lost=LOST)
def test_as_many_go_by_a_neighbour_as_can_where_all_can(lost):
    if by_neighbours(lost) == len(lost):
        assert all(by in neighbours(index) for index, by in chosen(*lost).items())


DESIGNS = ["ironwood", "tpu-v5p", "tpu-v4", "tpu-v4-cwdm8", "tpu-v4-duplex"]


@st.composite
def losses(draw):
    """A design, a small shape, and switches of any axis and ports of its cubes that are out."""
    design = draw(st.sampled_from(DESIGNS))
    shape = draw(st.sampled_from(["4x4x4", "4x4x8", "8x4x12", "8x8x8"]))
    place = (st.integers(0, 2), st.sampled_from(INDICES), st.integers(1, LANES.get(design, 1)))
    switches = draw(st.lists(st.tuples(*place), max_size=4))
    # Fewer than a face has: with four switches out, each join keeps a link.
    ports = draw(st.lists(st.tuples(st.integers(1, 12), st.integers(0, 1), *place), max_size=7))
    unhealthy = {"switches": [plugged(design, 1, a, 0, *of)[0] for a, *of in switches], "ports": []}
    for slot, sign, axis, *of in ports:
        switch, number = plugged(design, slot, axis, sign, *of)
        unhealthy["ports"].append([switch, f"{number}{'AB'[sign]}"])
    return design, shape, unhealthy


@settings(max_examples=examples(40))
@given(loss=losses())
def test_detours_avoid_what_is_lost_and_end_where_they_began(loss):
    from click.testing import CliRunner

    from fabric_twin.cli import main

    design, shape, unhealthy = loss
    pod = ["slice", "--design", design, "--pod", "p", "--shape", shape, "--in-use", "-", "--json"]
    slots = ["--slots", "1-12"]
    in_use = json.dumps({"unhealthy": unhealthy})
    done = CliRunner().invoke(main, [*pod, *slots, "--bear", "32"], input=in_use)
    assert done.exit_code == 0, done.output
    made = json.loads(done.stdout)
    links = links_made(design, made)
    whole = wanted_links(design)
    capacity = dict.fromkeys("xyz", 1.0)
    for (axis, _, _), there in links.items():
        assert there
        capacity["xyz"[axis]] = min(capacity["xyz"[axis]], len(there) / len(whole))
    assert made["capacity"] == capacity
    there = {(c["switch"], c["a"], c["b"]) for c in made["circuits"]}
    loads = Counter()
    for detour in made["detours"]:
        lost, via = (tuple(detour[key].values()) for key in ("lost", "via"))
        assert lost not in there
        assert via in there
        loads[via] += 1
        check_way(design, "xyz".index(detour["axis"]), detour["way"], lost, via)
    assert made["slowest_link"] == 1 / (1 + max(loads.values(), default=0))
    lost_links = sum(len(whole - there) for there in links.values())
    assert len(made["detours"]) == lost_links
    assert len(made["without"]) == lost_links * (1 + (design in PAIRED))


def check_way(design, axis, way, lost, via):
    """Copper from the lost index to another, its circuit, and copper back to the same index."""
    half = len(way) // 2
    here, there = way[:half], way[half:]
    indices = []
    for end, chips in ((4, here), (1, list(reversed(there)))):
        assert len({slot for slot, *_ in chips}) == 1
        assert all(chip[axis] == end for _, *chip in chips)
        for (_, *one), (_, *other) in pairwise(chips):
            assert sum(abs(a - b) for a, b in zip(one, other, strict=True)) == 1
        indices.append([tuple(c for a, c in enumerate(chip) if a != axis) for _, *chip in chips])
    assert indices[0] == indices[1]
    for circuit, index in ((lost, indices[0][0]), (via, indices[0][-1])):
        ends = [
            {plugged(design, slot, axis, sign, index, lane) for lane in range(1, 3)}
            for slot, sign in ((here[0][0], 0), (there[0][0], 1))
        ]
        switch, a, b = circuit
        assert (switch, int(a[:-1])) in ends[0]
        assert (switch, int(b[:-1])) in ends[1]


@pytest.mark.parametrize("most", [1, 2])
def test_two_switches_of_an_axis_are_borne_only_where_two_may_be(run, most):
    out = {"switches": ["p-ocs-x-3-2", "p-ocs-x-3-3"]}
    pod = ("slice", "--design", "ironwood", "--pod", "p", "--shape", "4x4x4", "--in-use", "-")
    done = run(*pod, "--bear", str(most), "--json", stdin=json.dumps({"unhealthy": out}))
    if most == 1:
        assert done.exit_code == 1
        assert "if it bears 1 switch: 0; if it bears 2 switches: 144" in done.stderr
    else:
        made = json.loads(done.stdout)
        assert made["capacity"] == {"x": 0.875, "y": 1, "z": 1}
        assert [(one["lost"]["switch"], one["via"]["switch"]) for one in made["detours"]] == [
            ("p-ocs-x-3-2", "p-ocs-x-4-2"),
            ("p-ocs-x-3-3", "p-ocs-x-4-3"),
        ]
