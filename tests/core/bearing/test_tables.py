"""What one switch takes from a slice, in every design: counted from the circuits alone."""

import pytest

from tests.core.bearing.witness import (
    circuits_of_a_link,
    joins,
    links_made,
    made_by,
    wanted_links,
)

#: Design; its largest cube of cubes; a switch; what is left of its axis; of all links of the slice.
TABLE = [
    ("tpu-v4", "16x16x16", "p-ocs-x-3-2", 0.9375, 0.9792),
    ("tpu-v5p", "16x20x28", "p-ocs-x-3-2", 0.9375, 0.9792),
    ("ironwood", "16x16x36", "p-ocs-x-3-2", 0.9375, 0.9792),
    ("tpu-v4-cwdm8", "16x16x16", "p-ocs-x-3-2", 0.8750, 0.9583),
    ("tpu-v4-duplex", "16x16x16", "p-ocs-x-3-2-1", 0.96875, 0.9896),
]


@pytest.mark.parametrize(("design", "shape", "switch", "axis", "pod"), TABLE)
def test_a_switch_out_leaves_every_slice_what_the_design_says(
    run, design, shape, switch, axis, pod
):
    """The whole pod as one slice."""
    made = made_by(run, design, shape, "--bear", "1", unhealthy={"switches": [switch]})
    links, whole = links_made(design, made), wanted_links(design)
    worst = {
        "xyz"[a]: min(len(there) for (of, _, _), there in links.items() if of == a) / len(whole)
        for a in range(3)
    }
    assert made["capacity"] == worst == {"x": axis, "y": 1, "z": 1}
    left = sum(map(len, links.values())) / (len(whole) * len(links))
    assert round(left, 4) == pod
    assert made["slowest_link"] == 0.5
    assert len(made["detours"]) == sum(len(whole - there) for there in links.values())


@pytest.mark.parametrize(("design", "switch"), [(row[0], row[2]) for row in TABLE])
@pytest.mark.parametrize("shape", ["4x4x4", "4x4x8", "8x8x8"])
def test_smaller_slices_lose_the_same_share_and_one_cube_its_own_wrap(run, design, switch, shape):
    made = made_by(run, design, shape, "--bear", "1", unhealthy={"switches": [switch]})
    expected = {row[0]: row[3] for row in TABLE}[design]
    assert made["capacity"] == {"x": expected, "y": 1, "z": 1}
    # What is made and what is not are the torus together, and each once.
    made_now = {(c["switch"], c["a"], c["b"]) for c in made["circuits"]}
    without = {(c["switch"], c["a"], c["b"]) for c in made["without"]}
    torus = {
        circuit
        for axis, slot, after in joins(made)
        for index, lane in wanted_links(design)
        for circuit in circuits_of_a_link(design, axis, slot, after, index, lane)
    }
    assert (made_now & without, made_now | without) == (set(), torus)
    assert {circuit[0] for circuit in without} == {switch}
    assert {row["why"] for row in made["without"]} == {f"{switch} is unhealthy"}
