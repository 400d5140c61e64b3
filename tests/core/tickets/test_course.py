"""What a ticket carries out: its circuits before, between and after its stages."""

from dataclasses import replace

import pytest

from fabric_twin.core.circuits.plans import Circuit, Stage, make_plan
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.tickets.course import Course, Direction, Position

OLD = Circuit("x", "7A", "9B", "s1")
GONE = Circuit("x", "8A", "8B", "s1")
NEW = Circuit("x", "7A", "8B", "s2")
FREE = Circuit("y", "5A", "5B", "s2")
COURSE = Course("iw1-t1", make_plan([OLD, GONE], [NEW, FREE]).stages)


def names(circuits: object) -> list[str]:
    return sorted(map(str, circuits))  # type: ignore[call-overload]


def test_the_circuits_after_each_stage() -> None:
    assert [names(state.values()) for state in COURSE.states] == [
        ["7A to 9B on x of s1", "8A to 8B on x of s1"],
        ["5A to 5B on y of s2", "7A to 9B on x of s1", "8A to 8B on x of s1"],
        ["5A to 5B on y of s2", "7A to 8B on x of s2"],
    ]


def test_its_own_ports_are_all_that_its_stages_name() -> None:
    assert sorted(COURSE.ports) == [
        ("x", "7A"),
        ("x", "8A"),
        ("x", "8B"),
        ("x", "9B"),
        ("y", "5A"),
        ("y", "5B"),
    ]
    assert COURSE.switches == ("x", "y")


def test_forward_what_came_must_be_there_and_what_went_must_be_gone() -> None:
    first, second = Position(1), Position(2)
    assert COURSE.wanted(first) == {"y": {("5A", "5B")}}
    assert COURSE.unwanted(first) == {"x": {("7A", "8B")}}
    assert COURSE.wanted(second) == {"y": {("5A", "5B")}, "x": {("7A", "8B")}}
    assert COURSE.unwanted(second) == {"x": {("7A", "9B"), ("8A", "8B")}}


def test_back_what_was_there_at_first_must_be_there_again() -> None:
    second, first = Position(2, Direction.BACK), Position(1, Direction.BACK)
    assert COURSE.wanted(second) == COURSE.wanted(first) == {"x": {("7A", "9B"), ("8A", "8B")}}
    assert COURSE.unwanted(second) == {"x": {("7A", "8B")}}
    assert COURSE.unwanted(first) == {"x": {("7A", "8B")}, "y": {("5A", "5B")}}


def test_light_is_asked_of_what_a_stage_brings_whichever_way_it_is_done() -> None:
    assert [COURSE.brings(Position(stage)) for stage in (1, 2)] == [(FREE,), (NEW,)]
    back = [Position(stage, Direction.BACK) for stage in (2, 1)]
    assert [COURSE.brings(one) for one in back] == [(OLD, GONE), ()]
    known = replace(COURSE, dark=frozenset({OLD.key}))
    assert known.brings(back[0]) == (GONE,)


def test_positions_lead_from_stage_to_stage_and_back() -> None:
    done = Position(1).tried.passed.passed
    assert done == Position(3)
    assert COURSE.is_over(done)
    back = COURSE.turned(done)
    assert back == Position(2, Direction.BACK)
    assert [str(back), back.reaches] == ["stage 2, going back", 1]
    assert COURSE.is_over(back.passed.passed)
    assert COURSE.turned(Position(1, tries=2)) == Position(1, Direction.BACK)
    assert Position(2, Direction.BACK, 4).again == Position(2, Direction.BACK)


@pytest.mark.parametrize(
    ("stages", "words"),
    [
        (
            (Stage(add=(NEW, OLD)),),
            "ticket t, stage 1: 7A to 9B on x of s1 shares a port with 7A to 8B on x of s2",
        ),
        (
            (Stage(remove=(OLD,)), Stage(remove=(OLD,))),
            "ticket t, stage 2: 7A to 9B on x of s1 is to be removed, and is not there",
        ),
        (
            (Stage(add=(NEW,)), Stage(remove=(OLD,))),
            "ticket t, stage 1: 7A to 8B on x of s2 shares a port with 7A to 9B on x of s1",
        ),
        (
            (Stage(remove=(OLD, NEW)),),
            "ticket t, stage 0: 7A to 8B on x of s2 shares a port with 7A to 9B on x of s1",
        ),
    ],
)
def test_stages_that_do_not_follow_from_each_other_are_refused(
    stages: tuple[Stage, ...], words: str
) -> None:
    with pytest.raises(UnusableInput) as refusal:
        Course("t", stages)
    assert str(refusal.value) == f"{words}. Plan it again."
