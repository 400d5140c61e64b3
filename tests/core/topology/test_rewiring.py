"""Circuits for a topology: balanced over switches, and few are changed.

What is asserted is counted from the circuits and the rule; `tests/proofs/rewiring.py` compares
how few are changed with an optimum of its own.
"""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.topology.joined import Joined, spread_of
from fabric_twin.core.topology.links import Links, engineered, uniform
from fabric_twin.core.topology.network import Network, SwitchEnd, placed
from fabric_twin.core.topology.ports import with_ports
from fabric_twin.core.topology.rewiring import rewire
from fabric_twin.core.topology.stages import in_stages
from tests.examples import examples

BEFORE = "1A-4B 2A-7B 3A-10B 4A-1B 5A-8B 6A-9B 7A-2B 8A-11B 9A-12B 10A-3B 11A-5B 12A-6B"

#: What a fifth block takes away and adds, switch by switch: of the sources, and of ours.
THEIRS = (
    ("2A-7B 4A-1B 12A-6B", "2A-13B 4A-14B 12A-15B 13A-1B 14A-6B 15A-7B"),
    ("6A-9B 9A-12B 10A-3B", "6A-13B 9A-14B 10A-15B 13A-3B 14A-9B 15A-12B"),
)
OURS = (
    ("1A-4B 6A-9B 9A-12B", "1A-13B 6A-14B 9A-15B 13A-4B 14A-9B 15A-12B"),
    ("2A-7B 3A-10B 12A-6B", "2A-13B 3A-14B 12A-15B 13A-6B 14A-7B 15A-10B"),
)


def network(blocks: int, strands: int, switches: int) -> Network:
    return placed("dc1", switches, [(f"ab{n:02}", strands, 1.0) for n in range(blocks)])


def circuits(switch: int, text: str) -> list[Joined]:
    """`1A-4B 2A-7B` of one switch."""
    pairs = (word.replace("A-", " ").rstrip("B").split() for word in text.split())
    return [Joined(switch, int(a), int(b)) for a, b in pairs]


def check(of: Network, wanted: Links, made: list[Joined]) -> None:
    """The laws: a port once, A to B, the links that are wanted, no pair far off its share."""
    ends = [(c.switch, "A", c.a) for c in made] + [(c.switch, "B", c.b) for c in made]
    assert len(ends) == len(set(ends))
    count: dict[tuple[str, str], list[int]] = {}
    for one in made:
        ends_of = (SwitchEnd(one.switch, one.a, 0), SwitchEnd(one.switch, one.b, 1))
        pair = tuple(sorted(at[0].name for end in ends_of if (at := of.strand_at(end))))
        assert len(pair) == 2
        count.setdefault(pair, [0] * of.switches)[one.switch - 1] += 1
    for i, first in enumerate(of.blocks):
        for j in range(i):
            there = count.get(tuple(sorted((first.name, of.blocks[j].name))), [0] * of.switches)
            assert sum(there) == wanted[i, j]
            assert max(there) <= -(-wanted[i, j] // of.switches) + 1


def test_a_fifth_block_joins_four_at_the_bound() -> None:
    """The worked growth: 6 removed, 12 added, half of each on each switch."""
    grown = network(5, 12, 2)
    present = [*circuits(1, BEFORE), *circuits(2, BEFORE)]
    found = rewire(grown, uniform(grown), spread_of(grown, present))
    after = list(with_ports(grown, found.circuits, present))
    check(grown, uniform(grown), after)
    removed, added = set(present) - set(after), set(after) - set(present)
    assert (len(removed), len(added), found.bound, found.proved) == (6, 12, 12, True)
    assert [tuple(set(circuits(k, text)) for text in texts) for k, texts in enumerate(OURS, 1)] == [
        tuple({c for c in some if c.switch == k} for some in (removed, added)) for k in (1, 2)
    ]


def test_what_the_sources_add_is_as_good_and_goes_in_stages() -> None:
    """Another of the equal answers: lots are drawn among them."""
    grown = network(5, 12, 2)
    present = [*circuits(1, BEFORE), *circuits(2, BEFORE)]
    after = set(present)
    for switch, (gone, new) in enumerate(THEIRS, 1):
        after = (after - set(circuits(switch, gone))) | set(circuits(switch, new))
    check(grown, uniform(grown), sorted(after))
    assert rewire(grown, uniform(grown), spread_of(grown, after)).added == 0
    stages = in_stages(grown, present, after, np.ones((5, 5)) - np.eye(5), at_once=1)
    assert [(stage.switches, set(stage.remove), set(stage.add)) for stage in stages] == [
        ((switch,), set(circuits(switch, gone)), set(circuits(switch, new)))
        for switch, (gone, new) in enumerate(THEIRS, 1)
    ]


@st.composite
def networks(draw: st.DrawFn) -> Network:
    switches = draw(st.sampled_from([2, 4]))
    return network(draw(st.integers(3, 7)), 2 * switches * draw(st.integers(1, 3)), switches)


def some_demand(draw: st.DrawFn, of: Network) -> np.ndarray:
    blocks = len(of.blocks)
    parts = draw(st.lists(st.floats(0, 1), min_size=blocks**2, max_size=blocks**2))
    matrix = np.triu(np.array(parts).reshape(blocks, blocks) ** 3, 1)
    return matrix + matrix.T


def some_links(of: Network, asked: np.ndarray) -> Links:
    """Every pair is direct where strands allow."""
    return engineered(of, asked, least=int(of.blocks[0].strands >= len(of.blocks) - 1))


@settings(max_examples=examples(25))
@given(st.data())
def test_from_any_topology_to_any_other(data: st.DataObject) -> None:
    of = data.draw(networks())
    one, other = (some_links(of, some_demand(data.draw, of)) for _ in range(2))
    present = list(with_ports(of, rewire(of, one).circuits))
    check(of, one, present)
    found = rewire(of, other, spread_of(of, present), patience=2)
    after = list(with_ports(of, found.circuits, present))
    check(of, other, after)
    assert len(set(after) - set(present)) == found.added >= found.bound
    assert rewire(of, other, found.circuits).added == 0, "nothing changes when nothing is wished"


@settings(max_examples=examples(25))
@given(networks())
def test_a_switch_that_is_lost_takes_its_share_of_each_pair_and_no_more(of: Network) -> None:
    """A first topology is even: 1/K of a block's links, exactly where it uses all its strands."""
    wanted = uniform(of)
    circuits, links = rewire(of, wanted).circuits, wanted.sum(axis=1)
    check(of, wanted, list(with_ports(of, circuits)))
    full = links == [block.strands for block in of.blocks]
    for of_switch in circuits:
        lost = of_switch.sum(axis=0) + of_switch.sum(axis=1)
        assert (abs(lost - links / of.switches) < np.where(full, 1e-9, 2)).all()
