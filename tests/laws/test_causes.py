"""What a cause is called, and where a hand mends it."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.examples import examples

from .bench.mistakes import swap_anywhere
from .bench.mixtures import Mistake, Mixture, mixtures
from .bench.more_mistakes import MISTAKES, turned
from .bench.plant import Plant
from .bench.product import audit
from .bench.words import KINDS, is_switch


@pytest.mark.parametrize(
    "mistake", [m for m in MISTAKES if m is not turned], ids=lambda mistake: mistake.__name__
)
@settings(max_examples=examples(10))
@given(st.data())
def test_one_mistake_is_one_finding_with_the_code_of_the_contract(
    mistake: Mistake, data: st.DataObject
) -> None:
    mixture = data.draw(mixtures(kinds=(mistake,), least=1, most=1, apart=True))
    assume(mixture.made)
    findings = audit(mixture.plant)["findings"]
    assert len(findings) == 1
    if mixture.codes[0] is not None:
        assert findings[0]["code"] in mixture.codes[0]


@given(mixtures(kinds=(swap_anywhere,), least=1, most=1, apart=True))
def test_a_swap_is_mended_where_a_hand_reaches_both_ends(mixture: Mixture) -> None:
    assume(mixture.made)
    (finding,) = audit(mixture.plant)["findings"]
    cables = [mixture.plant.right[cable] for cable in finding["cables"]]
    near, far = (set(ends) for ends in zip(*cables, strict=True))
    moves = [step for step in finding["remedy"] if step["do"] == "move"]
    at_switch = {is_switch(tuple(step["to"])) for step in moves}
    one_tray, one_switch = (len({device for device, _ in ends}) == 1 for ends in (near, far))
    one_rack = len({device.rpartition("-")[0] for device, _ in near}) == 1
    if one_switch and one_tray:
        assert len(at_switch) == 1
    elif one_switch or one_tray:
        assert at_switch == {one_switch}
    else:
        assert at_switch == {not one_rack}


def _exchanged(first: list[int], second: list[int]) -> list[dict]:
    plant = Plant("tpu-v4", (1, 2, 3, 4, 5, 6, 7, 8))
    stand = {int(p[1]): c for c, (_, p) in plant.right.items() if p[0] == "p1-ocs-x-1-1"}
    for one, other in zip(first, second, strict=True):
        plant.rows[stand[one]][1] = ("p1-ocs-x-1-1", str(other))
    return audit(plant)["findings"]


def test_a_pair_of_neighbours_exchanged_is_swapped_not_reversed() -> None:
    assert [f["code"] for f in _exchanged([1, 2], [2, 1])] == ["swapped"]


@pytest.mark.parametrize("design", sorted(KINDS))
def test_an_empty_record_is_only_missing(design: str) -> None:
    plant = Plant(design, (1, 2, 3))
    plant.rows = {}
    assert {finding["code"] for finding in audit(plant)["findings"]} == {"missing"}
