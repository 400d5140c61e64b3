"""What switches showed of entries: what is found, what is not judged, and what shows it mended."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.core.rings.change import by_switch, entries
from fabric_twin.core.rings.ring import Entry
from fabric_twin.core.rings.seen import Judgement, Sight, Unread
from fabric_twin.core.rings.state import State
from tests.core.rings.clusters import device, empty, sequence

ROW_1, ROW_2, ROW_3 = "pg1-row-01-1-1", "pg1-row-02-1-1", "pg1-row-03-1-1"
#: Of which tests know what they show.
HERE = (ROW_1, ROW_2)


def jobs() -> State:
    """Two sequences on one switch: 2->3, 4->5, 6->1 and 8->9, 10->7."""
    return sequence(sequence(empty("groups-a"), 12).after, 8).after


STATE = jobs()
ONE, TWO = (device(STATE, name) for name in HERE)


def sight(*found: Entry, unread: dict[int, Unread] | None = None, **more: object) -> Sight:
    """Both switches with these entries, but for those that are unread."""
    rows = by_switch(found)
    shown = {at: frozenset(rows.get(at, ())) for at in (ONE, TWO) if at not in (unread or {})}
    return Sight(shown, unread=unread or {}, **more)  # type: ignore[arg-type]


def told(judgement: Judgement) -> list[tuple[str, str]]:
    return [(finding.code, finding.cause) for finding in judgement.findings]


def test_switches_that_have_what_jobs_want_are_well() -> None:
    judgement = Judgement(STATE, sight(*entries(STATE)))
    assert judgement.findings == ()
    for port in ("4A", "5B", "40A", ""):
        assert judgement.is_well(Proof(Look.ENTRIES, ROW_1, port))


def test_what_nobody_could_read_is_told_and_proves_nothing() -> None:
    judgement = Judgement(STATE, sight(unread={ONE: Unread("no answer within 5 s")}))
    assert told(judgement) == [
        (
            "stale",
            f"{ROW_1} does not tell its entries (no answer within 5 s): what is known of them is "
            "old",
        )
    ]
    for look, port in ((Look.ENTRIES, "4A"), (Look.ENTRIES, ""), (Look.ANSWERS, "")):
        assert not judgement.is_well(Proof(look, ROW_1, port))
        assert judgement.is_well(Proof(look, ROW_2, port))
    assert not judgement.is_well(Proof(Look.ENTRIES, ROW_3, "4A")), "nobody asked it"
    assert judgement.is_well(Proof(Look.ANSWERS, ""))


def test_who_answers_and_refuses_is_to_be_checked() -> None:
    unread = {TWO: Unread("another switch answers", "Check its address")}
    judgement = Judgement(STATE, sight(*entries(STATE), unread=unread))
    assert told(judgement) == [("refused", f"{ROW_2}: another switch answers. Check its address")]


def test_where_nobody_answers_it_is_one_finding() -> None:
    unread = dict.fromkeys((ONE, TWO), Unread("connection refused"))
    [finding] = Judgement(STATE, sight(unread=unread)).findings
    assert (finding.code, finding.severity) == ("stale", "warning")
    assert finding.cause.startswith("None of the 2 packet switches that were asked")


@pytest.mark.parametrize("port", ["4A", "5B"])
def test_what_somebody_changes_now_is_not_judged_and_proves_nothing(port: str) -> None:
    there = entries(STATE) - {Entry(ONE, 4, 5)}
    assert len(Judgement(STATE, sight(*there)).findings) == 1
    judgement = Judgement(STATE, sight(*there), in_hand=frozenset({(ONE, port)}))
    assert judgement.findings == ()
    assert not judgement.is_well(Proof(Look.ENTRIES, ROW_1, port))
    assert judgement.is_well(Proof(Look.ENTRIES, ROW_1, "8A"))


def test_what_is_wanted_and_makes_no_whole_ring_is_not_judged() -> None:
    half = Entry(ONE, 40, 41)
    for there in ({half}, set()):
        judgement = Judgement(STATE, sight(*entries(STATE), *there), loose=frozenset({half}))
        assert judgement.findings == ()
        assert judgement.is_well(Proof(Look.ENTRIES, ROW_1, "40A"))


ENTRIES = st.builds(Entry, st.sampled_from((ONE, TWO)), st.integers(1, 11), st.integers(1, 11))


@given(
    lacks=st.sets(st.sampled_from(sorted(entries(STATE)))),
    more=st.sets(ENTRIES, max_size=5),
    loose=st.sets(ENTRIES, max_size=2),
    in_hand=st.sets(st.tuples(st.just(ONE), st.sampled_from(("2A", "4A", "5B", "9B")))),
    odd=st.booleans(),
)
def test_a_fault_is_never_found_and_shown_mended_by_one_look(
    lacks: set[Entry],
    more: set[Entry],
    loose: set[Entry],
    in_hand: set[tuple[int, str]],
    odd: bool,
) -> None:
    there = entries(STATE) - lacks | more
    rows = {ONE: ["table 0, in_port 20"]} if odd else {}
    beside = frozenset(loose - entries(STATE))
    judgement = Judgement(STATE, sight(*there, odd=rows), beside, frozenset(in_hand))
    found = judgement.findings
    assert all(not all(map(judgement.is_well, finding.proof)) for finding in found)
    if not in_hand and not beside:
        # What is found is all that is wrong; and once it is mended, each of it is seen to be.
        assert bool(found) is bool(odd or there != entries(STATE))
    mended = Judgement(STATE, sight(*entries(STATE)))
    assert all(mended.is_well(proof) for finding in found for proof in finding.proof)
