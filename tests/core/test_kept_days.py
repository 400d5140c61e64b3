"""Which days of a history are kept: nothing young is thinned, and often is as good as once."""

from datetime import date, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.kept_days import MOST, KeptDays, kept_days_of

TODAY = date(2026, 11, 25)
NAMES = {"daily": "kept_days", "weekly": "kept_weekly_days", "monthly": "kept_monthly_days"}


@st.composite
def policies(draw):
    daily = draw(st.integers(0, 60))
    weekly = daily + draw(st.integers(0, 120))
    return KeptDays(
        daily=daily,
        weekly=weekly,
        monthly=draw(st.none() | st.integers(weekly, weekly + 400)),
    )


def ago(days):
    return TODAY - timedelta(days=days)


HISTORIES = st.sets(st.integers(0, 700).map(ago), max_size=120)


def week_of(day):
    return day - timedelta(days=day.weekday())


def kept(keep, days, today=TODAY):
    return frozenset(days) - keep.dropped(days, today)


@given(policies(), HISTORIES)
def test_what_is_younger_than_the_daily_limit_is_never_thinned(keep, days):
    young = {day for day in days if day >= ago(keep.daily)}
    assert young <= kept(keep, days)


@example(KeptDays(daily=0, weekly=0, monthly=143), {date(2026, 7, 5)})  # of a week of June
@given(policies(), HISTORIES)
def test_of_each_week_and_month_that_had_a_day_one_is_left_until_its_limit(keep, days):
    left = kept(keep, days)
    weeks = {week_of(day) for day in days if day >= ago(keep.weekly)}
    assert weeks <= {week_of(day) for day in left}
    is_kept = [day for day in days if keep.monthly is None or day >= ago(keep.monthly)]
    months = {week_of(day).replace(day=1) for day in is_kept}
    assert months <= {week_of(day).replace(day=1) for day in left}


@given(policies(), HISTORIES)
def test_no_week_and_no_month_keeps_two_once_its_limit_is_over(keep, days):
    old = [day for day in kept(keep, days) if day < ago(keep.daily)]
    assert len({week_of(day) for day in old}) == len(old)
    old = [day for day in old if week_of(day) < ago(keep.weekly + 6)]
    assert len({week_of(day).replace(day=1) for day in old}) == len(old)


@given(policies(), HISTORIES)
def test_what_is_older_than_all_limits_is_gone(keep, days):
    if keep.monthly is not None:
        assert min(kept(keep, days), default=TODAY) >= ago(keep.monthly + 31 + 6)


@given(policies(), HISTORIES, st.lists(st.integers(0, 500), max_size=6))
def test_thinned_again_and_again_is_thinned_once(keep, days, moments):
    """Idempotent where no time went by; and a worker that was away for months thins the same."""
    left = frozenset(days)
    for later in sorted(moments):
        left = kept(keep, left, TODAY + timedelta(days=later))
    last = TODAY + timedelta(days=max(moments, default=0))
    assert kept(keep, left, last) == kept(keep, days, last)


@given(policies(), HISTORIES, st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_who_keeps_longer_keeps_as_many_days_at_least(keep, days, daily, weekly, monthly):
    """Which day stands for a month may be another one: the last that is no longer of a week."""
    more = KeptDays(
        daily=keep.daily + daily,
        weekly=keep.weekly + daily + weekly,
        monthly=None if keep.monthly is None else keep.monthly + daily + weekly + monthly,
    )
    assert len(kept(more, days)) >= len(kept(keep, days))


def test_a_pod_read_every_day_for_ten_years():
    keep = KeptDays(daily=60, weekly=365, monthly=1825)
    every_day = [ago(days) for days in range(3650)]
    left = sorted(kept(keep, every_day))
    weeks = [day for day in left if ago(371) <= day < ago(60)]
    assert len([day for day in left if day >= ago(60)]) == 61
    assert {day.weekday() for day in weeks[:-1]} == {6}
    assert (len(weeks), len(left), left[0]) == (45, 154, date(2021, 12, 5))
    for_ever = KeptDays(daily=60, weekly=365, monthly=None)
    assert len(kept(for_ever, every_day)) == 214


def test_what_is_set_must_be_numbers_of_days_that_grow():
    assert kept_days_of(
        {"kept_days": 30, "kept_weekly_days": 30, "kept_monthly_days": None}, NAMES, least=30
    ) == KeptDays(daily=30, weekly=30, monthly=None)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((29, 365, 1825),
         "kept_days: 29 days are fewer than light is compared with. At least 30."),
        ((60, 59, 1825),
         "kept_weekly_days: 59 days are fewer than the 60 of kept_days. At least as many."),
        ((60, 365, 364),
         "kept_monthly_days: 364 days are fewer than the 365 of kept_weekly_days. "
         "At least as many."),
        ((60, None, None),
         "kept_weekly_days: None is not a number of days. A whole number from 30 to 36,525."),
        ((60, 365, "ever"),
         "kept_monthly_days: 'ever' is not a number of days. A whole number from 30 to 36,525, "
         "or None for ever."),
        ((True, 365, None),
         "kept_days: True is not a number of days. A whole number from 30 to 36,525."),
        ((60, 365, MOST + 1),
         "kept_monthly_days: 36526 is not a number of days. A whole number from 30 to 36,525, "
         "or None for ever."),
    ],
)  # fmt: skip
def test_what_is_set_wrongly_is_refused_in_words(given, said):
    with pytest.raises(UnusableInput) as refused:
        kept_days_of(dict(zip(NAMES.values(), given, strict=True)), NAMES, least=30)
    assert str(refused.value) == said
