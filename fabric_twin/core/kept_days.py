"""Which days of a history are kept: all of the last ones, then one a week, then one a month.

    today                                                             long ago
    | every day ......... | the last of each week ... | of each month | none
    '- daily -------------'                           |               |
    '- weekly ----------------------------------------'               |
    '- monthly -------------------------------------------------------'

A week is thinned as one, and counts to the month that it begins in: what is thinned every day ends
as what is thinned once.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from fabric_twin.core.errors import UnusableInput

#: A century: more days than a history has.
MOST = 36_525


@dataclass(frozen=True, kw_only=True)
class KeptDays:
    """For how many days back each is kept, one a week, and one a month."""

    daily: int
    weekly: int
    #: None is for ever.
    monthly: int | None

    def dropped(self, days: Iterable[date], today: date) -> frozenset[date]:
        """Those that are kept no longer.

        >>> keep = KeptDays(daily=30, weekly=365, monthly=None)
        >>> days = [date(2026, 3, day) for day in range(2, 9)]
        >>> sorted(day.day for day in keep.dropped(days, today=date(2026, 6, 1)))
        [2, 3, 4, 5, 6, 7]
        """
        days = frozenset(days)
        last: dict[tuple[date, bool], date] = {}
        kept = set()
        for day in days:
            if day >= today - timedelta(days=self.daily):
                kept.add(day)
            elif group := self._group(day, today):
                last[group] = max(day, last.get(group, day))
        return days - kept - frozenset(last.values())

    def _group(self, day: date, today: date) -> tuple[date, bool] | None:
        """The week or month of which one day is kept, by its first day; None where none is."""
        week = day - timedelta(days=day.weekday())
        if week + timedelta(days=6) >= today - timedelta(days=self.weekly):
            return week, True
        month = week.replace(day=1)
        # The last week that begins in the month may end in the next one.
        last = (month + timedelta(days=31)).replace(day=1) + timedelta(days=5)
        is_kept = self.monthly is None or last >= today - timedelta(days=self.monthly)
        return (month, False) if is_kept else None


def kept_days_of(given: Mapping[str, Any], names: Mapping[str, str], *, least: int) -> KeptDays:
    """What is set, by the names of the settings for `daily`, `weekly` and `monthly`.

    `least` is for how many days something reads every one of them.
    """
    asked = {kind: given[name] for kind, name in names.items()}
    for kind, days in asked.items():
        if kind == "monthly" and days is None:
            continue
        if not isinstance(days, int) or isinstance(days, bool) or not 0 <= days <= MOST:
            raise UnusableInput(
                f"{days!r:.40} is not a number of days",
                where=names[kind],
                remedy=f"A whole number from {least} to {MOST:,}"
                + (", or None for ever" if kind == "monthly" else ""),
            )
    if asked["daily"] < least:
        raise UnusableInput(
            f"{asked['daily']} days are fewer than light is compared with",
            where=names["daily"],
            remedy=f"At least {least}",
        )
    for kind, before in (("weekly", "daily"), ("monthly", "weekly")):
        if asked[kind] is not None and asked[kind] < asked[before]:
            raise UnusableInput(
                f"{asked[kind]} days are fewer than the {asked[before]} of {names[before]}",
                where=names[kind],
                remedy="At least as many",
            )
    return KeptDays(**asked)
