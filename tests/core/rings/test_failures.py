"""A group or a switch is lost: what changes, what remains, and what is said of it."""

import pytest

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.rings.ask import release
from fabric_twin.core.rings.change import Change
from fabric_twin.core.rings.failure import fail, repair
from fabric_twin.core.rings.state import State
from tests.core.rings.clusters import (
    device,
    empty,
    followed,
    groups,
    rectangle,
    sequence,
    small,
    square,
    told,
    wanted,
)

ROW_1 = tuple(range(24))


def lost(state: State, name: str) -> Change:
    change = fail(state, device(state, name))
    change.after.check()
    return change


def counts(change: Change) -> tuple[int, int, int, int]:
    """Removed, gone with what is lost, added, and the fewest that any plan changes."""
    return len(change.remove), len(change.gone), len(change.add), change.lower_bound


def test_a_free_group_of_the_same_switch_takes_its_place_with_two_entries_changed() -> None:
    change = lost(sequence(empty("groups-a"), 40).after, "r01c04")
    assert change.told == ("job-0 goes from row 1 column 4 to row 1 column 11",)
    assert told(change.after, change.remove) == [
        ("pg1-row-01-1-1", 6, 7),
        ("pg1-row-01-1-1", 8, 9),
    ]
    assert told(change.after, change.add) == [
        ("pg1-row-01-1-1", 6, 21),
        ("pg1-row-01-1-1", 22, 9),
    ]
    assert change.lower_bound == change.changes == 4
    assert change.interrupted == ("job-0",)


def test_where_the_way_comes_from_another_row_the_uplinks_stay() -> None:
    state = sequence(empty("groups-a"), 150).after
    change = lost(state, "r02c01")
    assert told(change.after, change.remove) == [
        ("pg1-row-02-1-1", 2, 3),
        ("pg1-row-02-1-1", 49, 1),
    ]
    assert told(change.after, change.add) == [
        ("pg1-row-02-1-1", 30, 3),
        ("pg1-row-02-1-1", 49, 29),
    ]


def test_a_full_row_gives_the_place_to_a_group_that_the_ring_can_take_in_elsewhere() -> None:
    change = lost(sequence(empty("groups-a"), 150).after, "r01c04")
    assert change.told == ("job-0 goes from row 1 column 4 to row 2 column 15",)
    assert counts(change) == (3, 0, 3, 4)
    assert len(followed(change.after)) == 1


def test_a_full_row_alone_is_left_over_an_uplink() -> None:
    change = lost(sequence(empty("groups-a"), 96).after, "r01c04")
    assert change.told == ("job-0 goes from row 1 column 4 to row 2 column 1",)
    assert counts(change) == (2, 0, 6, 4)


def test_where_no_uplink_is_there_the_whole_job_moves() -> None:
    change = lost(sequence(empty(square(4, "nothing")), 16).after, "r01c04")
    assert change.told == ("job-0 goes from row 1 columns 1-4 to row 2 columns 1-4",)


def test_a_job_that_has_nowhere_to_go_stands_still_and_keeps_its_rings() -> None:
    state = sequence(empty("one-switch"), 16).after
    change = lost(state, "r01c01")
    assert change.told == ("job-0 stands still: it has nowhere to go",)
    assert counts(change) == (0, 0, 0, 0)
    assert wanted(change.after) == wanted(state)
    assert change.after.stands_still(change.after.job("job-0"))


def test_small_jobs_go_to_groups_of_small_jobs_first() -> None:
    state = small(small(small(empty("groups-a"), 10).after, 10).after, 6).after
    assert [job.groups for job in state.jobs] == [(0,), (1,), (0,)]
    change = lost(state, "r01c01")
    assert [job.groups for job in change.after.jobs] == [(2,), (1,), (1,)]
    assert change.told == (
        "job-0 goes from row 1 column 1 to row 1 column 3",
        "job-2 goes from row 1 column 1 to row 1 column 2",
    )


def test_the_shorter_of_row_and_column_of_a_rectangle_gives_way() -> None:
    """Of 2x3 the column: two entries in each row and plane, and a ring of two in each plane."""
    change = lost(rectangle(empty("groups-a"), 2, 3).after, "r01c02")
    assert change.told == ("job-0 goes from rows 1-2 column 2 to rows 1-2 column 4",)  # fmt: skip
    assert counts(change) == (12 * (2 * 2 + 2), 0, 12 * (2 * 2 + 2), 12 * 2 * (2 + 2))
    change = lost(rectangle(empty("groups-a"), 3, 2).after, "r02c01")
    assert {groups(ring)[0][:3] for ring in followed(change.after)} == {"r01", "r03", "r04"}
    assert counts(change)[0] == 12 * (2 * 2 + 2)


def test_a_rectangle_without_a_free_row_or_column_moves() -> None:
    state = empty(square(4, "nothing"))
    state = rectangle(state, 2, 2, groups=(0, 1, 4, 5)).after
    # Every other row and column has a group in use beside those of the job.
    state = rectangle(state, 1, 1, groups=(2,)).after
    state = rectangle(state, 1, 1, groups=(3,)).after
    state = rectangle(state, 1, 1, groups=(8,)).after
    state = rectangle(state, 1, 1, groups=(13,)).after
    change = lost(state, "r01c01")
    assert change.told == ("job-0 goes from rows 1-2 columns 1-2 to rows 3-4 columns 3-4",)


def test_a_lost_switch_of_groups_leaves_two_lanes_of_three_of_one_row() -> None:
    state = rectangle(empty("groups-a"), 2, 3).after
    change = lost(state, "row-01-2-3")
    assert change.told == (
        "job-0 has 2 of 3 rings left of layer in row 2 of processors, 0.6667 of what it asked for",
    )
    assert counts(change) == (0, 3, 0, 0)
    [row] = change.after.job("job-0").remains
    assert (row.axis, row.index, row.there, row.wanted) == ("layer", 2, 2, 3)
    back = repair(change.after, device(state, "row-01-2-3"))
    assert back.told == ("job-0 has all its rings again",)
    assert back.after == state


def test_a_row_that_takes_the_place_of_one_without_a_lane_has_it_again() -> None:
    state = rectangle(empty("groups-a"), 1, 3).after
    state = lost(state, "row-01-2-3").after
    assert state.job("job-0").share < 1
    change = lost(state, "r01c02")
    assert change.told == (
        "job-0 goes from row 1 column 2 to row 1 column 4, and has 2 of 3 rings left of layer in "
        "row 2 of processors, 0.6667 of what it asked for",
    )
    for column in range(5, 25):
        change = lost(change.after, f"r01c{column:02d}")
    change = lost(change.after, "r01c01")
    assert change.told == (
        "job-0 goes from row 1 columns 1,3-4 to row 2 columns 1,3-4, and has all its rings again",
    )
    assert change.after.job("job-0").share == 1
    assert len(followed(change.after)) == 12 * (1 + 3)


def test_where_there_is_one_lane_the_job_leaves_the_switch() -> None:
    state = sequence(empty("four-switches"), 15).after
    change = lost(state, "row-01-1-1")
    assert change.told == ("job-0 goes from row 1 columns 1-3 to row 2 columns 1-3",)
    assert len(followed(change.after)) == 1


def test_rings_over_a_lost_tier_1_switch_take_other_uplinks() -> None:
    change = lost(sequence(empty("groups-a"), 150).after, "row-t1-1-1-1")
    assert change.told == ("job-0 has 1 ring over other links",)
    assert told(change.after, change.remove) == [
        ("pg1-row-01-1-1", 48, 49),
        ("pg1-row-01-1-1", 49, 1),
        ("pg1-row-02-1-1", 28, 49),
        ("pg1-row-02-1-1", 49, 1),
    ]
    assert told(change.after, change.add) == [
        ("pg1-row-01-1-1", 48, 50),
        ("pg1-row-01-1-1", 50, 1),
        ("pg1-row-02-1-1", 28, 50),
        ("pg1-row-02-1-1", 50, 1),
        ("pg1-row-t1-1-1-2", 1, 2),
        ("pg1-row-t1-1-1-2", 2, 1),
    ]
    assert change.lower_bound == change.changes == 10


def test_rings_for_which_no_uplink_is_left_go_and_the_others_remain() -> None:
    state = sequence(empty("groups-a"), 150, "row-1", both_ways=True).after
    change = lost(state, "row-t1-1-2-1")
    assert change.told == (
        "job-0 has 5 of 6 rings left of layer in row 1 of processors, 0.8333 of what it asked for",
    )
    assert len(followed(change.after)) == 5


def test_cross_links_are_a_way_round_a_lost_tier_1() -> None:
    state = sequence(empty(square(4, "a", cross_links=True)), 20).after
    state = lost(state, "row-t1-1-1-1").after
    change = lost(state, "row-t1-1-1-2")
    assert change.told == ("job-0 has 1 ring over other links",)
    assert {name for name, *_ in told(change.after, change.add)} > {"pg1-col-02-1-1"}
    assert len(followed(change.after)) == 1


def test_what_comes_back_leaves_jobs_where_they_are() -> None:
    state = lost(sequence(empty("groups-a"), 40).after, "r01c04").after
    change = repair(state, device(state, "r01c04"))
    assert (change.changes, change.told) == (0, ())
    assert device(state, "r01c04") in change.after.free


def test_a_released_job_takes_all_its_entries_along() -> None:
    state = sequence(sequence(empty("groups-a"), 150).after, 40).after
    change = release(state, "job-0")
    assert len(change.remove) == 42 == change.lower_bound
    assert [len(ring) for ring in followed(change.after)] == [10]


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda s: fail(fail(s, 0).after, 0), "pg1-r01c01 is lost already"),
        (lambda s: repair(s, 0), "pg1-r01c01 is not lost"),
        (lambda s: release(s, "job-9"), "there is no job 'job-9'"),
        (lambda s: small(small(s, 1, name="a").after, 1, name="a"), "there is a job 'a' already"),
    ],
)
def test_what_cannot_be_is_refused(act, said) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UnusableInput, match=said):
        act(empty("groups-a"))
