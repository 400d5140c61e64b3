"""Some hours of the year of `make proof`."""

from .year import Year


def test_in_some_hours_no_finding_is_falsely_closed_opened_or_renamed_and_none_is_missed() -> None:
    year = Year(seed=2, hours=60).run()
    assert year.counts["faults"] > 2
    assert year.failures == []
