"""Entries as switches have them, against the rings of jobs: one finding for each fault."""

import pytest

from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.rings.audit import RingReport, audit_rings
from fabric_twin.core.rings.change import entries
from fabric_twin.core.rings.failure import fail
from fabric_twin.core.rings.ring import Entry
from fabric_twin.core.rings.state import State
from tests.core.rings.clusters import device, empty, sequence

HERE = "pg1-row-01-1-1"


@pytest.fixture(scope="module")
def state() -> State:
    """Two sequences on one switch: of groups 1 to 3, and of 4 and 5."""
    return sequence(sequence(empty("groups-a"), 12).after, 8).after


def audited(state: State, remove: tuple[str, ...] = (), add: tuple[str, ...] = ()) -> RingReport:
    """The entries of all rings without some, and with others."""

    def entry(text: str) -> Entry:
        into, out = text.split("->")
        return Entry(device(state, HERE), int(into), int(out))

    return audit_rings(state, entries(state) - {*map(entry, remove)} | {*map(entry, add)})


def told(finding: Finding) -> tuple[str, str, list[str]]:
    return finding.code, finding.cause, [str(step) for step in finding.remedy]


def test_rings_that_close_are_clean(state: State) -> None:
    report = audited(state)
    assert report.as_json() == {
        "version": 1,
        "cluster": "pg1",
        "design": "groups-a",
        "entries": 5,
        "expected": 5,
        "findings": [],
        "summary": {},
    }


def test_an_entry_that_is_missing_opens_its_ring(state: State) -> None:
    [finding] = audited(state, remove=("4->5",)).findings
    assert told(finding) == (
        "ring-open",
        "The ring of layer of job-0 in plane row-1-1, forward, does not close: at pg1-row-01-1-1 "
        "what comes in at port 4 goes nowhere, and should go out at port 5",
        ["add 4->5 on pg1-row-01-1-1"],
    )
    assert (finding.severity, finding.owners, finding.ports) == (
        "error",
        ("job-0",),
        ((HERE, "4"),),
    )


def test_two_entries_exchanged_open_both_rings_and_share_nothing(state: State) -> None:
    report = audited(state, remove=("4->5", "8->9"), add=("4->9", "8->5"))
    assert report.summary == {"ring-open": 2}
    first, second = report.findings
    assert told(first)[2] == [
        "remove 4->9 from pg1-row-01-1-1",
        "remove 8->5 from pg1-row-01-1-1",
        "add 4->5 on pg1-row-01-1-1",
    ]
    assert "goes out at port 5, and should go out at port 9" in second.cause


def test_what_goes_out_where_another_ring_does_is_shared(state: State) -> None:
    [finding] = audited(state, add=("40->5",)).findings
    assert told(finding) == (
        "ring-shared",
        "What goes out at port 5 of pg1-row-01-1-1 is of 2 entries: 4->5 of job-0 and 40->5 of no "
        "job",
        ["remove 40->5 from pg1-row-01-1-1"],
    )


def test_what_comes_in_goes_to_one_port(state: State) -> None:
    [finding] = audited(state, add=("4->40",)).findings
    assert told(finding)[:2] == (
        "ring-shared",
        "What comes in at port 4 of pg1-row-01-1-1 is of 2 entries: 4->5 of job-0 and 4->40 of no "
        "job",
    )


def test_entries_of_no_ring_are_one_warning_a_switch(state: State) -> None:
    [finding] = audited(state, add=("40->41", "42->39")).findings
    assert finding.severity == "warning"
    assert told(finding) == (
        "entry-unexpected",
        "pg1-row-01-1-1 has 2 entries of no ring: 40->41 and 42->39",
        ["remove 40->41 from pg1-row-01-1-1", "remove 42->39 from pg1-row-01-1-1"],
    )


def test_entries_of_a_lost_switch_are_left_out(state: State) -> None:
    after = fail(state, device(state, HERE)).after
    old = {entry for entry in entries(state) if entry.switch == device(state, HERE)}
    assert audit_rings(after, entries(after) | old).findings == ()


def test_a_fault_keeps_its_name_when_others_come(state: State) -> None:
    [alone] = audited(state, remove=("4->5",)).findings
    both = audited(state, remove=("4->5", "8->9")).findings
    assert alone.id in {finding.id for finding in both}


def test_switches_that_nobody_could_read_are_not_judged(state: State) -> None:
    assert audit_rings(state, [], unread=[device(state, HERE)]).findings == ()
    assert audit_rings(state, []).summary == {"ring-open": 2}


def test_a_row_that_somebody_changed_is_told_beside_entries_of_no_ring(state: State) -> None:
    here = device(state, HERE)
    found = {*entries(state), Entry(here, 20, 30)}
    [finding] = audit_rings(state, found, odd={here: ["table 0, in_port 40"]}).findings
    assert (finding.code, finding.cause) == (
        "entry-unexpected",
        "pg1-row-01-1-1 has 1 entry of no ring: 20->30; and 1 row of ours changed by somebody: "
        "table 0, in_port 40",
    )
    [alone] = audit_rings(state, entries(state), odd={here: ["table 0, in_port 40"]}).findings
    assert (alone.remedy, alone.places) == ((), ((HERE, ""),))
