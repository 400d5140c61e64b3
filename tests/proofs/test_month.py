"""Some days of a small pod in which much goes wrong: the month of `make proof`, in seconds."""

import pytest

from .month import Month


@pytest.mark.parametrize("seed", [1])
def test_in_some_days_every_fault_is_found_and_every_finding_is_closed(seed: int) -> None:
    slots = (1, 2, 4, 5, 7, 8, 10, 11)
    month = Month(seed, days=1, times=60, slots=slots).run()
    assert len(month.lives) > 10
    assert month.failures == []
