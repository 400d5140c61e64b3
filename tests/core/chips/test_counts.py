"""ATAC as its source describes it: every number counted anew from the netlist, part by part."""

import io
import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.chips.chip import WIDTHS, Chip, Core
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import DesignRefused, NotPossible, UnusableInput
from fabric_twin.inventory.chips.netlist import write_netlist
from tests.core.chips.by_hand import parts

ATAC = find_design("atac").chip
GUIDES = {"d01..ck": "d01..d32 pw ck"}


def text_of(chip, rings=None):
    out = io.StringIO()
    write_netlist(chip, rings or chip.rings, out)
    return out.getvalue()


@pytest.fixture(scope="module")
def ring():
    """All parts of one ring."""
    return parts(text_of(ATAC, [ATAC.ring("a0-07")]), GUIDES)


def test_a_ring_has_the_parts_of_the_source(ring):
    assert Counter(key[1] for key in ring) == {
        "loop": 32 + 3 + 4,
        "modulator": 64 * 32,
        "filter": 64 * 63 * 32,
        "fifo": 64 * 63,
    }
    assert sum(key[1:3] == ("filter", "12") for key in ring) == 2016
    assert sum(key[1] == "filter" for key in ring) == 129_024
    assert {key[2] for key in ring if key[1] == "loop"} == {
        *(f"d{bit:02d}" for bit in range(1, 33)),
        *("pw", "ck", "fc", "m01", "m02", "m03", "m04"),
    }


def test_each_sender_has_a_wavelength_and_each_bit_a_waveguide_of_its_own(ring):
    for key, (guide, wavelength) in ((k, held) for k, held in ring.items() if len(k) == 5):
        _, part, endpoint, sender, bit = key
        assert (guide, wavelength) == (f"d{int(bit):02d}", sender or endpoint)
        assert part == "modulator" or sender != endpoint


def test_every_loop_passes_every_endpoint_and_steps_to_a_neighbour(ring):
    loops = {key[2]: held for key, held in ring.items() if key[1] == "loop"}
    assert len({loop for guide, loop in loops.items() if guide != "fc"}) == 1
    there, back = loops["d01"], loops["fc"]
    assert set(there) == set(map(str, range(1, 65)))
    assert len(there) == 65
    assert there[0] == there[-1]
    assert back[0] == back[-1]
    steps = set(itertools.pairwise(there))
    assert {(b, a) for a, b in itertools.pairwise(back)} == steps
    for a, b in list(itertools.pairwise(there))[:-1]:
        (row, column), (to_row, to_column) = divmod(int(a) - 1, 8), divmod(int(b) - 1, 8)
        assert abs(row - to_row) + abs(column - to_column) == 1


def test_the_chip_has_the_numbers_of_the_source():
    cores = {(x, y) for x in range(64) for y in range(64)}
    links = {frozenset({(x, y), to}) for x, y in cores for to in ((x + 1, y), (x, y + 1))}
    links = {link for link in links if link <= cores}
    assert (ATAC.cores, ATAC.mesh_links) == (len(cores), len(links)) == (4096, 8064)
    assert [ring.name for ring in ATAC.rings] == [*(f"a0-{n:02d}" for n in range(1, 65)), "a1"]
    assert ATAC.rate_gbps == 32 * 1
    assert ATAC.controller_gbyte_s == 64 * 2 / 8 == 16
    assert ATAC.memory * ATAC.controller_gbyte_s == 64
    assert ATAC.bytes_per_flop == 64 / (64 * 1) == 1
    assert ATAC.memory_gbyte_s == 256 * 16 == 4096  # the source prints 4 TB/s
    assert ATAC.cache_mib == 8 * 1024 / 4096 == 2
    assert ATAC.areas_mm2 == (400, 200)


@pytest.mark.parametrize(("data", "cycles"), [(32, 1), (16, 2), (8, 4), (4, 8)])
def test_a_word_over_fewer_waveguides_takes_more_cycles(data, cycles):
    chip = Chip(region=(8, 8), regions=(8, 8), data=data)
    assert (chip.cycles, chip.rate_gbps) == (cycles, data)
    assert chip.rings[0].modulators == 64 * data


@given(st.tuples(*[st.integers(1, 4)] * 4), st.sampled_from(WIDTHS), st.integers(0, 16), st.data())
def test_the_counts_of_any_chip_are_those_of_its_netlist(sides, data, metadata, draw):
    region, regions = sides[:2], sides[2:]
    if 1 in (region[0] * region[1], regions[0] * regions[1]):
        return
    chip = Chip(region, regions, data, metadata, memory=0)
    ring = draw.draw(st.sampled_from(chip.rings))
    found = parts(text_of(chip, [ring]), {"d01..ck": f"d01..d{data:02d} pw ck"})
    count = Counter(key[1] for key in found)
    assert {key[0] for key in found} == {ring.name}
    assert len(found) == ring.parts
    assert count["modulator"] == ring.modulators
    assert count["filter"] == ring.filters
    assert count["fifo"] == ring.fifos
    assert count["loop"] == data + 3 + metadata


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            {"region": (8, 9)},
            "region: a ring of 8x9 endpoints cannot be laid out. Give a grid of 2 to 64, such as "
            "8x8.",
        ),
        (
            {"regions": (1, 1)},
            "regions: a ring of 1x1 endpoints cannot be laid out. Give a grid of 2 to 64, such as "
            "8x8.",
        ),
        (
            {"data": 12},
            "data: 12 waveguides for data cannot be laid out. Give 32, 16, 8 or 4.",
        ),
        (
            {"metadata": 17},
            "metadata: 17 waveguides for metadata cannot be laid out. Give 0 to 16.",
        ),
        (
            {"memory": 64},
            "memory: 64 of 64 cores of a region cannot be for memory. Give 0 to 63.",
        ),
    ],
)
def test_what_no_ring_can_be_is_refused(wrong, said):
    with pytest.raises(DesignRefused) as refused:
        Chip(**({"region": (8, 8), "regions": (8, 8)} | wrong))
    assert str(refused.value) == said


def test_two_broadcasts_cross_levels_and_64_stay_within_each_region():
    everyone = [Core(region, core) for region in range(1, 65) for core in range(1, 65)]
    ATAC.check_broadcasts(everyone, across=False)
    for first in everyone[::97]:
        for second in everyone[::89]:
            if first != second:
                ATAC.check_broadcasts([first, second], across=True)
    with pytest.raises(NotPossible, match="3 broadcasts to all cores cannot be at once"):
        ATAC.check_broadcasts(everyone[:3], across=True)
    with pytest.raises(NotPossible, match=r"core 7\.12 cannot send two broadcasts at once"):
        ATAC.check_broadcasts([Core(7, 12), Core(7, 12)], across=False)


@pytest.mark.parametrize("word", ["", "7", "7.", "7.65", "0.1", "65.1", "7.1.1", "²٣.1", "9" * 99])
def test_a_core_that_is_not_there_is_refused(word):
    with pytest.raises(UnusableInput, match="there is no core"):
        ATAC.core(word)
