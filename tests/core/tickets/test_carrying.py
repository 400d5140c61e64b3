"""What is done next with a ticket, from where it is and what switches show."""

from dataclasses import replace

import pytest

from fabric_twin.core.circuits.plans import Circuit, make_plan
from fabric_twin.core.tickets.called import OF_CLUSTERS
from fabric_twin.core.tickets.carrying import (
    MOST_TRIES,
    Announce,
    Bad,
    End,
    Judge,
    Missing,
    Pass,
    Present,
    Shown,
    Sight,
    Turn,
    Wait,
    judged,
    next_step,
    present,
)
from fabric_twin.core.tickets.course import Course, Direction, OnFailure, Pair, Position
from fabric_twin.core.tickets.life import State

OLD, NEW = Circuit("x", "7A", "9B", "s1"), Circuit("x", "7A", "8B", "s2")
FREE = Circuit("y", "5A", "5B", "s2")
COURSE = Course("iw1-t1", make_plan([OLD], [NEW, FREE]).stages)
FIRST, SECOND = Position(1), Position(2)
BACK = Position(2, Direction.BACK)
NONE: frozenset[Pair] = frozenset()


def shows(*pairs: Pair, dark: frozenset[Pair] = NONE) -> Shown:
    there = frozenset(pairs)
    return Shown(there, there, there - dark)


def sees(x: Shown | str, y: Shown | str) -> Sight:
    """What x and y show, or why they do not answer."""
    told = {"x": x, "y": y}
    return Sight(
        {name: its for name, its in told.items() if isinstance(its, Shown)},
        {name: its for name, its in told.items() if isinstance(its, str)},
    )


AT_FIRST = sees(shows(("7A", "9B")), shows())
AFTER_ONE = sees(shows(("7A", "9B")), shows(("5A", "5B")))
AFTER_TWO = sees(shows(("7A", "8B")), shows(("5A", "5B")))
ADD_FREE = {"y": Missing(NONE, frozenset({("5A", "5B")}))}
EXCHANGE = {"x": Missing(frozenset({("7A", "9B")}), frozenset({("7A", "8B")}))}


@pytest.mark.parametrize(
    ("position", "sight", "step"),
    [
        # A stage is announced before anything is sent, with what is missing.
        (FIRST, AT_FIRST, Announce(FIRST.tried, ADD_FREE)),
        # It is announced even if all of it is there: the inventory is to want it.
        (FIRST, AFTER_ONE, Announce(FIRST.tried, {})),
        # It was announced: whoever comes now sends what is still missing.
        (FIRST.tried, AT_FIRST, Announce(Position(1, tries=2), ADD_FREE)),
        # Nothing is missing.
        (FIRST.tried, AFTER_ONE, Judge()),
        (SECOND, AFTER_ONE, Announce(SECOND.tried, EXCHANGE)),
        (SECOND.tried, AFTER_TWO, Judge()),
        # Behind the last stage, and before the first on the way back.
        (Position(3), AFTER_TWO, End(State.DONE)),
        (Position(0, Direction.BACK), AT_FIRST, End(State.UNDONE)),
    ],
)
def test_what_comes_next(position: Position, sight: Sight, step: object) -> None:
    assert next_step(COURSE, position, sight, now=0.0) == step


def test_going_back_takes_away_what_came_and_puts_back_what_went() -> None:
    back = {"x": Missing(frozenset({("7A", "8B")}), frozenset({("7A", "9B")}))}
    assert next_step(COURSE, BACK, AFTER_TWO, now=0.0) == Announce(BACK.tried, back)
    first = BACK.tried.passed
    gone = {"y": Missing(frozenset({("5A", "5B")}), NONE)}
    assert next_step(COURSE, first, AFTER_ONE, now=0.0) == Announce(first.tried, gone)


def test_half_of_a_stage_is_done_and_the_rest_is_sent() -> None:
    half = sees(shows(), shows(("5A", "5B")))
    rest = {"x": Missing(NONE, frozenset({("7A", "8B")}))}
    assert next_step(COURSE, SECOND.tried, half, now=0.0) == Announce(Position(2, tries=2), rest)


def test_after_so_many_tries_what_is_missing_is_judged() -> None:
    assert next_step(COURSE, Position(1, tries=MOST_TRIES), AT_FIRST, now=0.0) == Judge()


def test_a_circuit_of_somebody_else_on_a_port_of_the_ticket_stops_everything() -> None:
    taken = sees(shows(("7A", "33B")), shows())
    for position in (FIRST, FIRST.tried, SECOND.tried, BACK):
        assert next_step(COURSE, position, taken, now=0.0) == End(
            State.FAILED,
            "7A to 33B on x is on a port of the ticket, and is not of it",
            (Bad(Circuit("x", "7A", "33B"), False, "it is not of this ticket"),),
        )
    elsewhere = sees(shows(("7A", "9B"), ("40A", "33B")), shows())
    assert next_step(COURSE, FIRST, elsewhere, now=0.0) == Announce(FIRST.tried, ADD_FREE)


def test_a_stage_does_not_begin_while_a_switch_does_not_answer() -> None:
    silent = sees("it is down", shows())
    assert next_step(COURSE, FIRST, silent, now=0.0) == Wait({"x": "it is down"})
    assert next_step(COURSE, FIRST, silent, now=0.0, patient=False) == Turn(
        "x does not answer: it is down",
        (Bad(FREE, True, "the switch does not have it"), Bad(NEW, False, "it is down")),
    )


def test_what_a_switch_refused_is_told_first_and_in_its_words() -> None:
    """Of what it does by now nothing is told."""
    said = {
        "x": {("7A", "8B"): "it refuses: OFPFMFC_TABLE_FULL"},
        "y": {("5A", "5B"): "it refuses: no room"},
    }
    sight = replace(sees(shows(("7A", "9B")), shows(("5A", "5B"))), said=said)
    refused = Bad(NEW, True, "the switch does not have it; it refuses: OFPFMFC_TABLE_FULL")
    kept = Bad(OLD, False, "it is still configured")
    assert judged(COURSE, Position(2, tries=MOST_TRIES), sight) == Turn(
        "7A to 8B on x of s2 should be there: the switch does not have it; it refuses: "
        "OFPFMFC_TABLE_FULL (1 more circuit is bad)",
        (refused, kept),
    )


def test_of_a_cluster_entries_are_told_by_their_ports() -> None:
    course = replace(COURSE, called=OF_CLUSTERS)
    at_last = Position(2, tries=MOST_TRIES)
    bad = judged(course, at_last, sees(shows(("7A", "9B")), shows(("5A", "5B"))))
    assert isinstance(bad, Turn)
    assert (
        bad.why == "7 -> 9 on x of s1 should be gone: it is still configured (1 more entry is bad)"
    )
    taken = sees(shows(("7A", "33B")), shows(("5A", "5B")))
    held = next_step(course, FIRST, taken, now=0.0)
    assert isinstance(held, End)
    assert held.why == "7 -> 33 on x is on a port of the ticket, and is not of it"
    assert present(course, taken).moved == (
        "port 7 on x is in 7 -> 33, which is not of this ticket",
        "5 -> 5 on y of s2 is there already",
        "7 -> 9 on x of s1 is not there",
    )


def test_a_stage_that_has_begun_goes_on_where_switches_answer() -> None:
    silent = sees("it is down", shows(("5A", "5B")))
    back = Position(1, Direction.BACK)
    gone = {"y": Missing(frozenset({("5A", "5B")}), NONE)}
    assert next_step(COURSE, back, silent, now=0.0) == Announce(back.tried, gone)
    left = sees("it is down", shows())
    assert next_step(COURSE, back.tried, left, now=0.0) == Wait({"x": "it is down"})
    assert next_step(COURSE, back.tried, left, now=0.0, patient=False) == Judge()


def test_no_stage_begins_after_the_window_and_what_began_is_finished() -> None:
    course = replace(COURSE, window_end=10.0)
    assert next_step(course, SECOND, AFTER_ONE, now=10.0) == Announce(SECOND.tried, EXCHANGE)
    assert next_step(course, SECOND, AFTER_ONE, now=10.1) == Turn(
        "the window is over, and stage 2 had not begun"
    )
    assert next_step(course, SECOND.tried, AFTER_TWO, now=10.1) == Judge()
    assert isinstance(next_step(course, BACK, AFTER_TWO, now=10.1), Announce)
    held = replace(course, on_failure=OnFailure.HOLD)
    assert next_step(held, SECOND, AFTER_ONE, now=10.1) == End(
        State.FAILED, "the window is over, and stage 2 had not begun"
    )


DARK = sees(shows(("7A", "8B"), dark=frozenset({("7A", "8B")})), shows(("5A", "5B")))
NO_LIGHT = Bad(NEW, True, "no light passes")
DIM = Bad(FREE, True, "its path loses 9.0 dB")


def test_a_stage_passes_when_no_more_is_bad_than_the_ticket_bears() -> None:
    assert judged(COURSE, SECOND.tried, AFTER_TWO) == Pass((), Position(3))
    assert judged(replace(COURSE, most_bad=1), SECOND.tried, DARK) == Pass((NO_LIGHT,), Position(3))


def test_else_it_turns_round_or_is_held_as_the_ticket_says() -> None:
    why = "7A to 8B on x of s2 should be there: no light passes (1 more circuit is bad)"
    bad = NO_LIGHT, DIM
    assert judged(COURSE, SECOND.tried, DARK, [DIM]) == Turn(why, bad)
    held = replace(COURSE, on_failure=OnFailure.HOLD)
    assert judged(held, SECOND.tried, DARK, [DIM]) == End(State.FAILED, why, bad)


def test_who_cannot_go_back_is_held_and_says_what_hangs() -> None:
    stuck = sees(shows(("7A", "8B")), shows(("5A", "5B")))
    assert judged(COURSE, BACK.tried, stuck) == End(
        State.FAILED,
        "7A to 8B on x of s2 should be gone: it is still configured (1 more circuit is bad)",
        (
            Bad(NEW, False, "it is still configured"),
            Bad(OLD, True, "the switch does not have it"),
        ),
    )


def test_bad_light_of_what_comes_back_is_named_and_holds_nothing_up() -> None:
    dim = Bad(OLD, True, "its path loses 9.0 dB")
    again = sees(shows(("7A", "9B")), shows(("5A", "5B")))
    assert judged(COURSE, BACK.tried, again, [dim]) == Pass((dim,), Position(1, Direction.BACK))
    assert judged(COURSE, BACK.tried, sees(shows(), shows(("5A", "5B"))), [dim]) == End(
        State.FAILED,
        "7A to 9B on x of s1 should be there: the switch does not have it",
        (Bad(OLD, True, "the switch does not have it"),),
    )


def test_what_was_dark_before_may_be_dark_again() -> None:
    dark = sees(shows(("7A", "9B"), dark=frozenset({("7A", "9B")})), shows(("5A", "5B")))
    assert isinstance(judged(COURSE, BACK.tried, dark), End)
    known = replace(COURSE, dark=frozenset({OLD.key}))
    assert judged(known, BACK.tried, dark) == Pass((), Position(1, Direction.BACK))


def test_before_it_begins_the_present_is_held_against_the_plan() -> None:
    assert present(COURSE, AT_FIRST) == Present((), (), frozenset())
    dark = sees(shows(("7A", "9B"), dark=frozenset({("7A", "9B")})), shows())
    assert present(COURSE, dark) == Present((), (), frozenset({OLD.key}))
    assert present(COURSE, sees(shows(("7A", "33B")), shows(("5A", "5B")))).moved == (
        "7A on x is in 7A to 33B, which is not of this ticket",
        "5A to 5B on y of s2 is there already",
        "7A to 9B on x of s1 is not there",
    )
    silent = ("x does not answer: it is down",)
    assert present(COURSE, sees("it is down", shows())) == Present((), silent, frozenset())
