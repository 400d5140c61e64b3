"""What follows from recorded cables, and from whom the ports of a cluster hear."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.discovery.against_record import Compared, ComparedCable, RecordedCable
from fabric_twin.core.discovery.heard_records import (
    CONTRADICT,
    NO_END,
    NOBODY_ANSWERED,
    STRANGER,
    compare_heard,
)
from fabric_twin.core.fabric.columns import NO_PORT, NOT_KNOWN, NOT_OF_DESIGN

PORTS = 12


def compared(
    hears: dict[int, int], *recorded: tuple[int, int], silent: tuple[int, ...] = ()
) -> list[ComparedCable]:
    """`hears` says whom ports hear; all others hear nobody, or did not answer."""
    claims = np.full(PORTS, NO_PORT, np.int32)
    claims[list(silent)] = NOT_KNOWN
    for port, far in hears.items():
        claims[port] = far
    rows = [RecordedCable(str(n), *ends, crossed=False) for n, ends in enumerate(recorded)]
    return list(compare_heard(claims, rows))


def told(found: list[ComparedCable]) -> list[tuple[str, int, int, int, str]]:
    return [(str(one.how), one.near, one.was, one.now, one.why) for one in found]


def both(*pairs: tuple[int, int]) -> dict[int, int]:
    """Each hears the other."""
    return {a: b for one, other in pairs for a, b in ((one, other), (other, one))}


def test_a_cable_is_as_recorded_elsewhere_or_not_recorded() -> None:
    found = compared(both((0, 6), (1, 8), (3, 9)), (0, 6), (1, 7))
    assert told(found) == [
        ("as-recorded", 0, 6, 6, ""),
        ("elsewhere", 1, 7, 8, ""),
        ("no-record", 3, NOT_KNOWN, 9, ""),
    ]
    assert [one.can_be_accepted for one in found] == [False, True, True]


def test_the_end_that_is_heard_at_its_port_stays() -> None:
    assert told(compared(both((2, 6)), (0, 6))) == [("elsewhere", 6, 0, 2, "")]


def test_one_end_tells_alone_where_the_other_did_not_answer() -> None:
    assert told(compared({0: 6}, (0, 6), silent=(6,))) == [("as-recorded", 0, 6, 6, "")]
    assert told(compared({6: 0}, (0, 7), silent=(0,))) == [("elsewhere", 0, 7, 6, "")]


def test_an_end_that_hears_nobody_contradicts_who_hears_it() -> None:
    for recorded in ((0, 6), (0, 7)):
        [found] = compared({0: 6}, recorded)
        assert (found.how, found.why, found.can_be_accepted) == (
            Compared.NOT_TOLD,
            CONTRADICT,
            False,
        )
    assert compared({0: 6}) == []


def test_why_a_cable_is_not_shown() -> None:
    assert told(compared({}, (0, 6))) == [("not-shown", 0, 6, NOT_KNOWN, "")]
    [silent] = compared({}, (0, 6), silent=(0, 6))
    assert (silent.how, silent.why) == (Compared.NOT_LOOKED_AT, NOBODY_ANSWERED)
    [away] = compared({}, (NOT_KNOWN, NOT_KNOWN))
    assert (away.how, away.why) == (Compared.NOT_LOOKED_AT, NO_END)
    [stranger] = compared({0: NOT_OF_DESIGN}, (0, 6), silent=(6,))
    assert (stranger.how, stranger.why) == (Compared.NOT_TOLD, STRANGER)


def test_two_records_are_never_given_one_cable() -> None:
    found = compared(both((0, 7)), (0, 6), (1, 7))
    assert [str(one.how) for one in found] == ["elsewhere", "not-shown"]


@given(st.permutations(range(PORTS)), st.permutations(range(PORTS)), st.integers(0, PORTS // 2))
def test_records_follow_what_is_plugged(
    plugged: list[int], recorded: list[int], cables: int
) -> None:
    pairs = list(zip(plugged[::2], plugged[1::2], strict=True))[:cables]
    rows = [tuple(sorted(ends)) for ends in zip(recorded[::2], recorded[1::2], strict=True)]
    found = compared(both(*pairs), *rows)
    # Each cable that is plugged is of one record, or of none.
    now = [frozenset((one.near, one.now)) for one in found if one.now >= 0]
    assert sorted(map(sorted, now)) == sorted(map(sorted, pairs))
    kept = sum(one.how in {Compared.AS_RECORDED, Compared.ELSEWHERE} for one in found)
    assert kept + sum(one.how == Compared.NOT_SHOWN for one in found) == len(rows)
    # Accepted, the records say what is plugged, and nothing is left to accept.
    again = compared(both(*pairs), *[tuple(sorted(one)) for one in now])
    assert {one.how for one in again} <= {Compared.AS_RECORDED}
