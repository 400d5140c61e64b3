"""The bench and the product mean the same plant."""

import pytest

from .bench.plant import Plant
from .bench.product import audit, intended
from .bench.words import KINDS


@pytest.mark.parametrize("design", sorted(KINDS))
def test_the_plant_in_words_is_the_cut_sheet_the_product_intends(design: str) -> None:
    plant = Plant(design, tuple(range(1, KINDS[design].slots + 1)))
    want = intended(plant)
    near, far = (list(zip(*want.names.ends(ends), strict=True)) for ends in (want.a, want.b))
    cables = want.names.cables(want.a)
    assert dict(zip(cables, zip(near, far, strict=True), strict=True)) == plant.right


@pytest.mark.parametrize("design", sorted(KINDS))
def test_a_right_plant_has_no_findings(design: str) -> None:
    plant = Plant(design, (1, 2, 3, 7))
    report = audit(plant)
    assert report["findings"] == []
    assert report["summary"] == {}
    assert report["cables"] == report["expected"] == len(plant.right)
