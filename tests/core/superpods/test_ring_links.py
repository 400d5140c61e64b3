"""What a change of links leaves to rings that run, over their own links and no third block."""

from types import SimpleNamespace

import numpy as np
import pytest

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.proposals.ring_links import check_rings_close, ring_links_lost
from fabric_twin.core.topology.network import placed

NETWORK = placed("dc1", 2, [(name, 8, 400.0) for name in ("ab01", "ab02", "ab03")])
NOW = np.array([[0, 4, 2], [4, 0, 0], [2, 0, 0]])
ASKED = np.array([[0, 1600.0, 400.0], [1600.0, 0, 800.0], [400.0, 800.0, 0]])


def in_use() -> SimpleNamespace:
    return SimpleNamespace(network=NETWORK, links=NOW, rings={"job7": ASKED}, coming=None)


def after(*links: int) -> np.ndarray:
    first, second, third = links
    return np.array([[0, first, second], [first, 0, third], [second, third, 0]])


def test_links_that_others_take_are_told_by_pair() -> None:
    lost = check_rings_close(in_use(), NOW, after(3, 1, 4))
    assert lost == [
        "ab01 and ab02 keep 3 links of 4 for the rings of multislice job7, which ask for "
        "1,600 Gbit/s"
    ]


def test_a_ring_that_would_end_is_refused_though_a_third_block_could_carry_it() -> None:
    with pytest.raises(NotPossible, match=r"ab01 and ab03 keep no link of 2 .* multislice job7"):
        check_rings_close(in_use(), NOW, after(8, 0, 8))
    with pytest.raises(NotPossible, match="Meanwhile ab01 and ab02 keep no link of 4"):
        check_rings_close(in_use(), after(0, 2, 0), NOW)


def test_a_pair_that_had_no_link_misses_none() -> None:
    assert not list(ring_links_lost(in_use(), after(4, 1, 0)))


def test_rings_that_are_to_be_made_get_a_link_for_each_pair() -> None:
    now = in_use()
    now.coming = ASKED
    with pytest.raises(NotPossible, match="ab02 and ab03 would get no link for the rings"):
        check_rings_close(now, NOW, NOW)
    assert check_rings_close(now, NOW, after(4, 2, 1)) == []
