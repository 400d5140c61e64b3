"""How far a running job is, and what is said of its end."""

from datetime import UTC, datetime, timedelta

from fabric_twin.core.how_far import HowFar, Progress

BEGAN = datetime(2026, 11, 26, 10, tzinfo=UTC)


def after(seconds: float) -> datetime:
    return BEGAN + timedelta(seconds=seconds)


def rows(done: int, at: float, usual: timedelta | None = None) -> Progress:
    """A job that began at 0 s, to count 1,200 rows at 10 s, and said this at `at`."""
    return Progress("rows written", BEGAN, after(10), after(at), done, 1200, usual)


def test_no_end_is_told_before_something_is_measured() -> None:
    assert str(rows(0, 10)) == "0 of 1,200 rows written"
    assert rows(0, 10).how_far(after(15)) == HowFar(0, 1200)
    reading = Progress("Reads the records of the pod", BEGAN, BEGAN, BEGAN)
    assert str(reading) == "Reads the records of the pod"
    assert reading.how_far(after(5)) == HowFar(0, 0)


def test_the_rest_goes_on_at_the_pace_so_far() -> None:
    """300 rows took 5 s: 900 more take 15 s from when that was said."""
    assert rows(300, 15).how_far(after(15)) == HowFar(300, 1200, timedelta(seconds=15))
    assert rows(300, 15).how_far(after(21)).rest == "9 s"
    assert rows(300, 15).how_far(after(21)).share == 25


def test_it_takes_as_long_as_the_last_time_where_that_is_known() -> None:
    usual = timedelta(minutes=3)
    assert rows(0, 10, usual).how_far(after(20)).rest == "2 min"
    assert rows(1200, 40, usual).how_far(after(150)).rest == "30 s"


def test_what_takes_longer_than_expected_claims_no_end() -> None:
    assert rows(300, 15).how_far(after(31)).rest == ""
    assert rows(300, 15, timedelta(seconds=30)).how_far(after(31)).rest == ""


def test_all_that_is_done_has_no_rest_and_more_than_all_is_all() -> None:
    assert rows(1200, 40).how_far(after(40)) == HowFar(1200, 1200)
    assert HowFar(1201, 1200).share == 100
    assert HowFar(0, 0).share == 0
