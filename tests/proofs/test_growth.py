"""A pod grows by one order of crews whose hands often slip: the growth of `make proof`, short."""

import pytest

from .growth import Growth


@pytest.mark.parametrize("seed", [1])
def test_every_slip_is_found_when_its_bundle_is_checked_and_no_slice_loses_a_circuit(
    seed: int,
) -> None:
    growth = Growth(seed, last=12, errors=0.05).run()
    assert growth.failures == []
    assert growth.counts["orders"] == 1
    assert growth.counts["bundles"] == 48
    assert growth.counts["slips found when their bundle was checked"] > 20
    assert growth.counts["rack visits"] == 14
