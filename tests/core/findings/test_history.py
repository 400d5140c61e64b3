"""What became of a finding, out of what its changes and its runs left."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from fabric_twin.core.findings.history import Acknowledged, Event, Kept, Run, history


def at(minutes: int) -> datetime:
    return datetime(2026, 11, 22, 7, tzinfo=UTC) + timedelta(minutes=minutes)


KNOWN = Acknowledged(at(5), "ann", "parts come on Monday")
NOW = Kept(at=at(99), opened=at(0))
MENDED = "Mended: all that would show it was seen, without it"


def run(number: int, minutes: int, *, opened: bool = False, mended: bool = False) -> Run:
    return Run(
        name=f"s audit {number}",
        started=at(minutes) - timedelta(seconds=20),
        ended=at(minutes) + timedelta(seconds=20),
        opened=opened,
        mended=mended,
    )


def told(events: list[Event]) -> list[tuple[int, str, str]]:
    """Minutes, who, and what."""
    return [((one.at - at(0)) // timedelta(minutes=1), one.who, one.what) for one in events]


def test_what_nobody_touched_was_seen_and_mended() -> None:
    now = replace(NOW, mended=at(9))
    assert told(history(at(0), (), now, [run(3, 0, opened=True)])) == [
        (0, "s audit 3", "First seen"),
        (9, "an audit", MENDED),
    ]


def test_an_acknowledgement_stays_after_it_was_taken_back() -> None:
    kept = (
        Kept(at=at(5), who="ann", said="acknowledged: parts", opened=at(0), acknowledged=KNOWN),
        Kept(at=at(7), who="bob", said="opened again", opened=at(0)),
    )
    assert told(history(at(0), kept, NOW)) == [
        (0, "an audit", "First seen"),
        (5, "ann", "Acknowledged: parts come on Monday"),
        (7, "bob", "Opened again"),
    ]


def test_the_record_itself_knows_without_any_line() -> None:
    assert told(history(at(0), (), replace(NOW, acknowledged=KNOWN))) == [
        (0, "an audit", "First seen"),
        (5, "ann", "Acknowledged: parts come on Monday"),
    ]


def test_tickets_orders_and_runs_are_told_in_their_own_words() -> None:
    kept = [
        Kept(at=at(n), who=who, said=said, opened=at(0))
        for n, who, said in (
            (1, "ann", "taken by s-w2"),
            (2, "", "seen as swapped, before as dark"),
            (3, "", "joined with dark 12"),
            (4, "", "joined with none any more"),
            (5, "", "released by s-w2"),
            (6, "ann", "plugins-api:fabric_twin-api:finding-detail"),
        )
    ]
    assert told(history(at(0), kept, NOW)) == [
        (0, "an audit", "First seen"),
        (1, "ann", "Taken by s-w2"),
        (2, "an audit", "Seen as swapped, before as dark"),
        (3, "an audit", "Joined with dark 12"),
        (4, "an audit", "Joined with none any more"),
        (5, "", "Released by s-w2"),
    ]


def test_an_owner_who_is_forgotten_was_not_taken_off() -> None:
    kept = (
        Kept(at=at(1), who="ann", said="assigned", owner="bob", due=at(60), opened=at(0)),
        Kept(at=at(2), who="ann", said="taken by s-w2", owner="bob", due=at(60), opened=at(0)),
        Kept(at=at(30), who="ann", said="assigned", owner="", due=None, opened=at(0)),
        Kept(at=at(31), who="cy", said="assigned", owner="cy", opened=at(0)),
        Kept(at=at(50), who="ann", said="taken by s-w3", opened=at(40)),
    )
    zone = ZoneInfo("Europe/Berlin")
    assert told(history(at(0), kept, NOW, zone=zone)) == [
        (0, "an audit", "First seen"),
        (1, "ann", "Assigned to bob, to be mended by 2026-11-22 09:00 CET"),
        (2, "ann", "Taken by s-w2"),
        (30, "ann", "Assigned to nobody"),
        (31, "cy", "Assigned to cy"),
        (40, "an audit", "Seen again"),
        (50, "ann", "Taken by s-w3"),
    ]


def test_lines_that_are_no_longer_kept_make_no_assignment() -> None:
    kept = (Kept(at=at(9), who="ann", said="taken by s-w2", owner="bob", opened=at(0)),)
    assert told(history(at(0), kept, NOW)) == [
        (0, "an audit", "First seen"),
        (9, "ann", "Taken by s-w2"),
    ]


def test_each_time_that_it_came_back_is_told_once() -> None:
    """Of the second time only runs know; of the third the record; the fourth is a person's."""
    runs = [
        run(1, 0, opened=True),
        run(4, 10, mended=True),
        run(5, 20, opened=True),
        run(6, 30, mended=True),
        run(7, 40, opened=True),
        run(8, 50, mended=True),
    ]
    kept = (Kept(at=at(60), who="ann", said="opened again", opened=at(60)),)
    now = Kept(at=at(99), opened=at(60), mended=at(70))
    assert told(history(at(0), kept, now, runs)) == [
        (0, "s audit 1", "First seen"),
        (10, "s audit 4", MENDED),
        (20, "s audit 5", "Seen again"),
        (30, "s audit 6", MENDED),
        (40, "s audit 7", "Seen again"),
        (50, "s audit 8", MENDED),
        (60, "ann", "Opened again"),
        (70, "an audit", MENDED),
    ]


def test_how_a_dead_switch_came_back_is_told_beside_that_it_is_mended() -> None:
    line = Kept(at=at(9), said="came back: no slice wants a circuit there", mended=at(9))
    now = replace(NOW, mended=at(9))
    assert told(history(at(0), (replace(line, opened=at(0)),), now, [run(4, 9, mended=True)])) == [
        (0, "an audit", "First seen"),
        (9, "s audit 4", MENDED),
        (9, "s audit 4", "Came back: no slice wants a circuit there"),
    ]
