"""What can be done with a ticket, in which state, and what it leads to."""

import pytest

from fabric_twin.core.errors import NotPermitted
from fabric_twin.core.tickets.life import (
    MOVES,
    Action,
    NotNow,
    State,
    Who,
    allowed,
    check_another,
    moved,
    who_may,
)

S, A = State, Action


def test_the_whole_table() -> None:
    table = {state: [(str(a), str(moved("t1", state, a))) for a in allowed(state)] for state in S}
    assert table == {
        S.DRAFT: [("submit", "submitted"), ("hasten", "approved"), ("withdraw", "withdrawn")],
        S.SUBMITTED: [("approve", "approved"), ("deny", "withdrawn"), ("withdraw", "withdrawn")],
        S.APPROVED: [
            ("schedule", "scheduled"),
            ("withdraw", "withdrawn"),
            ("outdate", "withdrawn"),
        ],
        S.SCHEDULED: [
            ("schedule", "scheduled"),
            ("withdraw", "withdrawn"),
            ("outdate", "withdrawn"),
            ("start", "running"),
        ],
        S.RUNNING: [
            ("finish", "done"),
            ("fail", "failed"),
            ("stop", "failed"),
            ("take-back", "undone"),
            ("undo", "running"),
        ],
        S.DONE: [
            ("approve", "done"),
            ("deny", "done"),
            ("hasten", "done"),
            ("undo", "running"),
            ("ask-undo", "done"),
        ],
        S.FAILED: [("resume", "running"), ("undo", "running")],
        S.UNDONE: [],
        S.WITHDRAWN: [],
    }


def test_every_action_has_one_line_and_somebody_who_does_it() -> None:
    assert [move.action for move in MOVES] == list(Action)
    assert {action: who_may(action) for action in (A.APPROVE, A.DENY)} == {
        A.APPROVE: Who.ANOTHER,
        A.DENY: Who.ANOTHER,
    }
    assert who_may(A.HASTEN) is Who.EMERGENCY


def test_ports_are_held_until_a_ticket_is_done_undone_or_withdrawn() -> None:
    assert [state for state in S if not state.is_open] == [S.DONE, S.UNDONE, S.WITHDRAWN]


@pytest.mark.parametrize(
    ("state", "action", "words"),
    [
        (
            S.SUBMITTED,
            A.SUBMIT,
            "ticket iw1-t3: it is submitted, and so cannot be submitted. "
            "What can be done with it now: approve, deny, withdraw.",
        ),
        (
            S.RUNNING,
            A.WITHDRAW,
            "ticket iw1-t3: it is running, and so cannot be withdrawn. "
            "What can be done with it now: stop, undo.",
        ),
        (
            S.UNDONE,
            A.RESUME,
            "ticket iw1-t3: it is undone, and so cannot be resumed. "
            "Revise the newest revision of it: that makes a new draft.",
        ),
    ],
)
def test_a_refusal_says_what_state_it_is_in_and_what_is_possible(
    state: State, action: Action, words: str
) -> None:
    with pytest.raises(NotNow) as refusal:
        moved("iw1-t3", state, action)
    assert str(refusal.value) == words
    assert (refusal.value.state, refusal.value.action) == (state, action)


def test_nobody_decides_about_their_own() -> None:
    check_another("iw1-t3", "ines", {"otto"}, A.APPROVE)
    check_another("iw1-t3", "otto", {"otto"}, A.WITHDRAW)
    with pytest.raises(NotPermitted) as refusal:
        check_another("iw1-t3", "otto", {"otto", "ada"}, A.APPROVE)
    assert str(refusal.value) == (
        "ticket iw1-t3: it is of otto, and nobody decides about their own ticket. "
        "Ask somebody else who may approve."
    )
