"""Where each strand of a block is wired, and how many links pairs of blocks should have."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.topology.links import engineered, isolated, loads, uniform
from fabric_twin.core.topology.network import Block, Network, SwitchEnd, placed
from tests.examples import examples

FOUR = placed("dc1", 2, [(name, 12, 1.0) for name in "abcd"])


def demand(*pairs: tuple[int, int, float], of: int = 4, others: float = 0.0) -> np.ndarray:
    matrix = np.full((of, of), others)
    np.fill_diagonal(matrix, 0.0)
    for one, other, many in pairs:
        matrix[one, other] = matrix[other, one] = many
    return matrix


def test_the_worked_strand() -> None:
    """Strand 3 of the second block of 12: switch 1, side B, port 4."""
    b = FOUR.by_name["b"]
    assert FOUR.end_of(b, 3) == SwitchEnd(1, 4, 1)
    assert (FOUR.device_name(b), FOUR.port_name(3), FOUR.switch_name(1)) == (
        *("dc1-b", "m02/1"),
        "dc1-ocs-01",
    )


def test_each_strand_has_a_port_of_its_own_and_a_module_two_switches() -> None:
    ends = {FOUR.end_of(block, u): (block, u) for block in FOUR.blocks for u in range(1, 13)}
    assert len(ends) == 4 * 12
    assert all(FOUR.strand_at(end) == strand for end, strand in ends.items())
    for block in FOUR.blocks:
        for u in range(1, 13, 2):
            assert FOUR.end_of(block, u).switch != FOUR.end_of(block, u + 1).switch


@pytest.mark.parametrize(("strands", "many"), [(2, 128), (4, 64), (8, 32)])
def test_as_many_blocks_as_ports_allow(strands: int, many: int) -> None:
    blocks = [(f"b{number:03}", strands * 4, 400.0) for number in range(many)]
    assert len(placed("dc1", 4, blocks).blocks) == many
    with pytest.raises(UnusableInput, match="blocks have ports 1 to 128"):
        placed("dc1", 4, [*blocks, ("more", strands * 4, 400.0)])


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        ((Block("a", 10, 1, 1),), "10 strands do not spread over 2 switches"),
        ((Block("a", 12, 0, 1),), "a rate of 0 Gbit/s carries nothing"),
        ((Block("a", 12, 1, 1), Block("a", 12, 1, 4)), "a is there twice"),
        (
            (Block("a", 12, 1, 1), Block("b", 12, 1, 3)),
            "block b: port 3 of every switch is a's too. Let it begin at 4",
        ),
        (
            (Block("a", 12, 1, 7), Block("b", 12, 1, 8), Block("c", 12, 1, 11)),
            "block b: port 8 of every switch is a's too. Let it begin at 1",
        ),
        (
            (Block("a", 256, 1, 1), Block("b", 256, 1, 65), Block("c", 4, 1, 128)),
            "block c: port 128 of every switch is b's too. No place is wide enough for it",
        ),
    ],
)
def test_what_cannot_be_wired_is_refused(blocks: tuple[Block, ...], said: str) -> None:
    with pytest.raises(UnusableInput, match=said):
        Network("dc1", 2, blocks)


def test_uniform_gives_each_pair_as_many() -> None:
    assert uniform(FOUR)[0].tolist() == [0, 4, 4, 4]


def test_engineered_follows_demand() -> None:
    """The example of the sources: AB asks for 8, each other pair for 2."""
    asked = demand((0, 1, 8.0), others=2.0)
    links = engineered(FOUR, asked)
    by_pair = {a + b: int(links[i, j]) for (i, a), (j, b) in combinations(enumerate("abcd"), 2)}
    assert by_pair == {"ab": 8, "ac": 2, "ad": 2, "bc": 2, "bd": 2, "cd": 8}
    assert (loads(FOUR, uniform(FOUR), asked).max(), loads(FOUR, links, asked).max()) == (2.0, 1.0)


def test_a_link_to_each_other_block_takes_strands() -> None:
    small = placed("dc1", 2, [(name, 4, 1.0) for name in "abcdef"])
    with pytest.raises(UnusableInput) as refusal:
        engineered(small, demand(of=6))
    assert str(refusal.value) == (
        "block a: 1 link to each other block would take 5 strands, and it has 4. Give it more "
        "strands, or ask for a uniform topology or an isolated one of fewer blocks together."
    )


def test_isolated_blocks_have_links_to_their_own_alone() -> None:
    links = isolated(FOUR, [("a", "b"), ("c", "d")])
    assert links.tolist() == [[0, 12, 0, 0], [12, 0, 0, 0], [0, 0, 0, 12], [0, 0, 12, 0]]
    with pytest.raises(UnusableInput, match="there is no block 'e'"):
        isolated(FOUR, [("a", "e")])


@settings(max_examples=examples(20), deadline=None)
@given(st.data())
def test_each_link_goes_to_the_pair_with_the_greatest_demand_a_link(data: st.DataObject) -> None:
    """Ties: fewest links, then name. All pairs are looked at anew for each link."""
    rates_of = data.draw(st.lists(st.sampled_from([100.0, 400.0]), min_size=2, max_size=6))
    many = len(rates_of)
    blocks = [(name, 12, rate) for name, rate in zip("cafbed", rates_of, strict=False)]
    net = placed("dc1", 2, blocks)
    asked = {pair: data.draw(st.integers(0, 3)) for pair in combinations(range(many), 2)}
    links, left = dict.fromkeys(asked, 1), [12 - (many - 1)] * many

    def first(pair: tuple[int, int]) -> tuple[float, int, list[str]]:
        i, j = pair
        load = asked[pair] / (links[pair] * min(rates_of[i], rates_of[j]))
        return -load, links[pair], [blocks[i][0], blocks[j][0]]

    while free := [pair for pair in asked if left[pair[0]] and left[pair[1]]]:
        pair = min(free, key=first)
        links[pair] += 1
        for end in pair:
            left[end] -= 1
    made = engineered(net, demand(*((*pair, float(some)) for pair, some in asked.items()), of=many))
    assert {pair: int(made[pair]) for pair in asked} == links
