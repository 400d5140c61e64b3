"""The name of a zone says which one; where it does not, its offset is written."""

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

from fabric_twin.core.moments import moment

WINTER, SUMMER = (datetime(2026, month, 22, 7, 13, tzinfo=UTC) for month in (1, 7))


def test_a_name_that_several_zones_have_gives_way_to_the_offset() -> None:
    zones = ("Europe/Berlin", "Asia/Shanghai", "America/Chicago", "Asia/Kolkata")
    zones += ("America/Sao_Paulo", "Asia/Kathmandu", "Asia/Tokyo")
    assert [moment(WINTER, ZoneInfo(zone)) for zone in zones] == [
        "2026-01-22 08:13 CET",
        "2026-01-22 15:13 UTC+8",
        "2026-01-22 01:13 UTC-6",
        "2026-01-22 12:43 UTC+5:30",
        "2026-01-22 04:13 UTC-3",
        "2026-01-22 12:58 UTC+5:45",
        "2026-01-22 16:13 JST",
    ]


def test_each_name_is_one_offset() -> None:
    offsets: dict[str, set[timedelta | None]] = defaultdict(set)
    for zone in map(ZoneInfo, available_timezones()):
        for at in (WINTER, SUMMER):
            offsets[moment(at, zone).split()[-1]].add(at.astimezone(zone).utcoffset())
    assert {name: many for name, many in offsets.items() if len(many) > 1} == {}
