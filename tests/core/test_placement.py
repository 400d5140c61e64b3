"""The choice of cubes, against every choice there is."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.cabling.plant import Substitution, intended_plant
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.circuits.links import agreed, joined_cubes
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.slices.placement import Placement, place_cubes


def torus(x: int, y: int, z: int) -> list[list[int]]:
    """Where `+` leads from each of x*y*z positions, along each axis."""
    places = list(product(range(x), range(y), range(z)))
    number = {place: position for position, place in enumerate(places)}
    steps = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    return [
        [number[(i + di) % x, (j + dj) % y, (k + dk) % z] for i, j, k in places]
        for di, dj, dk in steps
    ]


def joins(rings, slots):
    return [{slots[p]: slots[q] for p, q in enumerate(ring)} for ring in rings]


def changed(rings, slots, joined) -> int:
    wanted = [set(axis.items()) for axis in joins(rings, slots)]
    return sum(len(want ^ set(axis.items())) for want, axis in zip(wanted, joined, strict=True))


@st.composite
def small(draw):
    """Up to four positions on up to three axes, six slots, and any joins between slots."""
    positions, axes = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    rings = [draw(st.permutations(range(positions))) for _ in range(axes)]
    slots = st.permutations(range(1, 8))
    joined = [
        dict(list(zip(draw(slots), draw(slots), strict=True))[: draw(st.integers(0, 7))])
        for _ in range(axes)
    ]
    free = draw(st.lists(st.integers(1, 6), min_size=positions, max_size=6, unique=True))
    return rings, free, joined


@given(small())
def test_a_small_choice_is_the_best_there_is(wish):
    rings, free, joined = wish
    placed = place_cubes(rings, free, joined)
    best = min(changed(rings, slots, joined) for slots in permutations(free, len(rings[0])))
    assert placed.exact
    assert placed.changed == changed(rings, placed.slots, joined) == best


@given(small(), st.integers(0, 3))
def test_the_lower_bound_holds_when_the_search_is_given_up(wish, steps):
    rings, free, joined = wish
    placed = place_cubes(rings, free, joined, steps=steps)
    best = min(changed(rings, slots, joined) for slots in permutations(free, len(rings[0])))
    assert placed.lower_bound <= best <= placed.changed
    assert placed.changed == changed(rings, placed.slots, joined)
    assert set(placed.slots) <= set(free)
    assert len(set(placed.slots)) == len(rings[0])


@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 1, 4), (2, 2, 4), (3, 4, 4), (4, 6, 6)])
@pytest.mark.parametrize("seed", range(3))
def test_the_same_slice_again_changes_nothing(shape, seed):
    rings = torus(*shape)
    count = len(rings[0])
    slots = [1 + (97 * (k + 31 * seed)) % 144 for k in range(count)]
    placed = place_cubes(rings, range(1, 145), joins(rings, slots))
    assert (placed.changed, placed.lower_bound) == (0, 0)


@pytest.mark.parametrize(
    ("old", "new", "least"),
    [
        ((2, 2, 2), (2, 2, 4), 32),  # Z is cut open and a second half comes
        ((2, 2, 4), (2, 2, 3), 20),
        ((1, 1, 4), (1, 2, 2), 12),
        ((3, 4, 4), (4, 4, 4), 80),
        ((4, 4, 4), (2, 4, 8), 96),
    ],
)
def test_a_slice_that_grows_or_is_reshaped_keeps_what_it_can(old, new, least):
    slots = [1 + (37 * k) % 64 for k in range(old[0] * old[1] * old[2])]
    joined = joins(torus(*old), slots)
    placed = place_cubes(torus(*new), range(1, 65), joined)
    assert (placed.changed, placed.lower_bound) == (least, least)
    assert changed(torus(*new), placed.slots, joined) == least


def test_cubes_that_are_not_free_are_not_chosen():
    rings = torus(1, 1, 2)
    placed = place_cubes(rings, [3, 4, 5], joins(rings, [1, 2]))
    assert placed == Placement(slots=(3, 4), changed=12, lower_bound=12)


def test_a_slice_needs_as_many_cubes_as_it_has():
    with pytest.raises(NotPossible) as refusal:
        place_cubes(torus(1, 1, 2), [7], [{}, {}, {}])
    assert str(refusal.value) == (
        "slots: the slice needs 2 cubes and 1 are free. Ask for a smaller slice, or release cubes."
    )


@pytest.mark.parametrize(
    ("design", "rows"),
    [
        ("ironwood", [("x-3-2", 7, 9), ("z-1-1", 9, 9)]),
        ("tpu-v4", [("x-3-2", 7, 73), ("x-3-2", 73, 7), ("z-1-1", 9, 73), ("z-1-1", 73, 9)]),
        ("tpu-v4-cwdm8", [("x-3-1", 71, 73), ("z-1-1", 9, 9)]),
    ],
)
def test_what_circuits_join_is_seen_from_the_cubes(design, rows):
    intended = intended_plant(find_design(design), "p")
    numbers = intended.names.devices[-len(intended.design.layout.switches) :]
    columns = zip(*((numbers.index(f"p-ocs-{switch}"), a, b) for switch, a, b in rows), strict=True)
    circuits = Circuits(*(np.array(column, dtype=np.int32) for column in columns))
    assert joined_cubes(intended, circuits) == [{7: 9}, {}, {9: 9}]


def test_a_spare_stands_for_the_cube_whose_cable_is_on_it():
    spare = [Substitution("p-ocs-x-1-1", "7A", "141A")]
    intended = intended_plant(find_design("tpu-v5p"), "p", None, spare)
    columns = (np.array([number], dtype=np.int32) for number in (0, 141, 9))
    assert joined_cubes(intended, Circuits(*columns)) == [{7: 9}, {}, {}]


def test_an_odd_sibling_is_outvoted():
    assert agreed(1, {(0, 7, 8): 1, (0, 7, 9): 15, (0, 8, 9): 1}) == [{7: 9}]
