"""How a network stands: links by circuits, what is left of them, and what is uneven."""

from collections import Counter
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.topology.joined import Joined
from fabric_twin.core.topology.network import SwitchEnd, placed
from fabric_twin.core.topology.standing import NetworkStands

NETWORK = placed("dc1", 2, [(name, 12, 400.0) for name in ("ab01", "ab02", "ab03")])
NONE = np.zeros((3, 3))
#: A and B ports of two blocks that a circuit may join, on either switch.
ENDS = [
    (switch, a, b)
    for switch, a, b in product((1, 2), range(1, 10), range(1, 10))
    if (a - 1) // 3 != (b - 1) // 3
]


def matching(chosen: list[tuple[int, int, int]]) -> list[Joined]:
    """Those of some circuits that take no port twice."""
    taken: set[tuple[int, str, int]] = set()
    found = []
    for switch, a, b in chosen:
        ports = {(switch, "A", a), (switch, "B", b)}
        if not ports & taken:
            taken |= ports
            found.append(Joined(switch, a, b))
    return found


@given(
    st.lists(st.sampled_from(ENDS), max_size=24).map(matching),
    st.sets(st.tuples(st.sampled_from((1, 2)), st.integers(1, 9), st.sampled_from((0, 1)))),
)
def test_a_link_works_while_both_its_ends_do(
    circuits: list[Joined], out: set[tuple[int, int, int]]
) -> None:
    stands = NetworkStands(NETWORK, circuits, {SwitchEnd(*end) for end in out}, NONE)
    links: Counter[frozenset[int]] = Counter()
    left: Counter[frozenset[int]] = Counter()
    for switch, a, b in circuits:
        pair = frozenset({(a - 1) // 3, (b - 1) // 3})
        links[pair] += 1
        left[pair] += (switch, a, 0) not in out and (switch, b, 1) not in out
    names = [block.name for block in NETWORK.blocks]
    assert {
        frozenset({names.index(p.one), names.index(p.other)}): (p.links, p.left)
        for p in stands.pairs()
    } == {pair: (many, left[pair]) for pair, many in links.items()}


def test_load_is_of_the_links_that_are_left_at_the_lower_rate() -> None:
    network = placed("dc1", 2, [("old", 12, 100.0), ("new", 12, 400.0)])
    asked = np.array([[0, 150.0], [150.0, 0]])
    circuits = [Joined(1, 1, 4), Joined(2, 1, 4)]
    [pair] = NetworkStands(network, circuits, (), asked).pairs()
    assert (pair.carried, pair.load) == (200.0, 0.75)
    [pair] = NetworkStands(network, circuits, {SwitchEnd(1, 4, 1)}, asked).pairs()
    assert (pair.left, pair.load) == (1, 1.5)
    [pair] = NetworkStands(network, [], (), asked).pairs()
    assert (pair.links, pair.load) == (0, np.inf)


def test_a_pair_is_uneven_where_a_switch_is_off_its_share_by_more_than_one() -> None:
    even = [Joined(1, 1, 4), Joined(1, 2, 5), Joined(2, 1, 4)]
    assert not list(NetworkStands(NETWORK, even, (), NONE).odd())
    lopsided = [Joined(1, 1, 4), Joined(1, 2, 5), Joined(1, 3, 6), Joined(1, 4, 1)]
    assert [(*odd,) for odd in NetworkStands(NETWORK, lopsided, (), NONE).odd()] == [
        ("ab01", "ab02", 1, 4, 4, 1, 3),
        ("ab01", "ab02", 2, 0, 4, 1, 3),
    ]


def test_a_switch_that_is_out_has_no_share_once_its_links_were_taken() -> None:
    alone = [Joined(1, a, b) for a, b in ((1, 4), (2, 5), (3, 6), (4, 1), (5, 2), (6, 3))]
    for there, out, is_odd in (
        (alone, (), True),
        (alone, {2}, False),
        ([*alone, Joined(2, 1, 4)], {2}, True),
        ([], {1, 2}, False),
    ):
        assert any(NetworkStands(NETWORK, there, (), NONE, out).odd()) is is_odd
