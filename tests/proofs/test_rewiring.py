"""Changes of topology against an optimum of its own: the rewiring of `make proof`, small."""

import numpy as np
import pytest

from .rewiring import BUDGET, broken, growth, optimum, random_changes

SMALL = {"switches": (2, 4), "patience": 20.0}


@pytest.mark.parametrize("blocks", [3, 4, 6, 8])
def test_no_answer_of_the_programme_adds_less(blocks: int) -> None:
    for one in random_changes(blocks, 3, blocks=(blocks, blocks), **SMALL):
        assert broken(one) == []
        assert (one.added, True) == optimum(one)


def test_changes_come_near_the_bound_in_the_mean() -> None:
    changes = list(random_changes(1, 12, blocks=(4, 9), **SMALL))
    assert [rule for one in changes for rule in broken(one)] == []
    assert np.mean([one.ratio for one in changes]) <= BUDGET


@pytest.mark.parametrize("family", [(8, 64, 16), (12, 96, 8)])
def test_growth_comes_to_the_bound(family: tuple[int, int, int]) -> None:
    grown = growth(*family, patience=20.0)
    assert broken(grown) == []
    assert (grown.added, grown.bound) == (family[1], family[1])
