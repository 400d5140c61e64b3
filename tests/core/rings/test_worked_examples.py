"""The examples of the source, entry by entry, and followed over the cut sheet."""

import pytest

from fabric_twin.core.errors import NotPossible, UnusableInput
from tests.core.rings.clusters import (
    axis,
    empty,
    followed,
    groups,
    rectangle,
    sequence,
    small,
    square,
    told,
)


def row(number: int, first: int, last: int) -> list[str]:
    return [f"r{number:02d}c{column:02d}" for column in range(first, last + 1)]


def test_two_groups_of_a_row_are_two_entries_on_one_switch() -> None:
    made = sequence(empty("groups-a"), 8)
    assert told(made.after, made.add) == [("pg1-row-01-1-1", 2, 3), ("pg1-row-01-1-1", 4, 1)]
    assert [groups(ring) for ring in followed(made.after)] == [["r01c02", "r01c01"]]


def test_both_ways_is_two_rings_and_the_second_goes_back() -> None:
    made = sequence(empty("groups-a"), 8, both_ways=True)
    assert told(made.after, made.add) == [
        ("pg1-row-01-1-1", into, out) for into, out in ((1, 4), (2, 3), (3, 2), (4, 1))
    ]
    assert len(followed(made.after)) == 2


def test_one_group_is_joined_to_itself() -> None:
    made = sequence(empty("groups-a"), 4)
    assert told(made.after, made.add) == [("pg1-row-01-1-1", 2, 1)]


@pytest.mark.parametrize(
    ("design", "tier_1"),
    [
        ("groups-a", [(1, 2), (2, 1)]),
        # In form b a switch of tier 1 has two ports of each row, one after the other.
        ("groups-b", [(1, 3), (3, 1)]),
    ],
)
def test_150_in_a_sequence_take_24_groups_of_a_row_and_14_of_the_next(
    design: str, tier_1: list[tuple[int, int]]
) -> None:
    made = sequence(empty(design), 150)
    [job] = made.after.jobs
    assert len(job.groups) == 38
    assert 4 * len(job.groups) == 152, "two processors only forward"
    entries = told(made.after, made.add)
    assert len(entries) == 42
    by_switch = {name: [e[1:] for e in entries if e[0] == name] for name, *_ in entries}
    assert {name: len(rows) for name, rows in by_switch.items()} == {
        "pg1-row-01-1-1": 25,
        "pg1-row-02-1-1": 15,
        "pg1-row-t1-1-1-1": 2,
    }
    assert by_switch["pg1-row-t1-1-1-1"] == tier_1
    assert by_switch["pg1-row-01-1-1"][-2:] == [(48, 49), (49, 1)]
    assert by_switch["pg1-row-02-1-1"][-2:] == [(28, 49), (49, 1)]
    [ring] = followed(made.after)
    assert sorted(groups(ring)) == row(1, 1, 24) + row(2, 1, 14)


def test_the_longest_ring_of_a_plane_has_2304_processors() -> None:
    made = sequence(empty("groups-a"), 2304)
    [ring] = followed(made.after)
    assert 4 * len({*groups(ring)}) == 2304
    with pytest.raises(NotPossible, match=r"has 2,304 processors, fewer than 2,305"):
        sequence(empty("groups-a"), 2305)


def test_two_switches_of_groups_have_192_processors() -> None:
    assert crossed(192) == {"r01", "r02"}
    assert crossed(193) == {"r01", "r02", "r03"}


def crossed(processors: int) -> set[str]:
    [ring] = followed(sequence(empty("groups-a"), processors).after)
    return {group[:3] for group in groups(ring)}


def test_four_chains_on_one_switch_are_a_ring_of_16() -> None:
    made = sequence(empty("one-switch"), 16)
    assert told(made.after, made.add) == [
        ("pg1-row-01-1-1", into, out) for into, out in ((2, 3), (4, 5), (6, 7), (8, 1))
    ]


def test_two_of_four_switches_are_a_ring_of_20_back_over_the_same_cable() -> None:
    """The source goes back over a third switch; a link of full duplex has room for both ways."""
    made = sequence(empty("four-switches"), 20)
    assert told(made.after, made.add) == [
        *(("pg1-row-01-1-1", into, out) for into, out in ((2, 3), (4, 5), (6, 7), (7, 1))),
        *(("pg1-row-02-1-1", into, out) for into, out in ((2, 7), (7, 1))),
    ]
    [ring] = followed(made.after)
    assert 5 * len(ring) == 20


def test_the_ring_of_20_the_other_way_goes_over_a_third_switch() -> None:
    made = sequence(empty("four-switches"), 20, both_ways=True)
    entries = told(made.after, made.add)
    assert [entry for entry in entries if entry[0] == "pg1-row-03-1-1"] == [
        ("pg1-row-03-1-1", 7, 8),
        ("pg1-row-03-1-1", 8, 7),
    ]
    assert [5 * len(ring) for ring in followed(made.after)] == [20, 20]


def test_all_four_switches_are_a_ring_of_60() -> None:
    [ring] = followed(sequence(empty("four-switches"), 60).after)
    assert 5 * len({*groups(ring)}) == 60


def test_leaves_are_joined_over_the_core() -> None:
    made = sequence(empty("leaves-and-core"), 4 * 3 * 3)
    assert {name for name, *_ in told(made.after, made.add)} > {"pg1-row-t1-1-1-1"}
    assert len(followed(made.after)) == 1


def test_a_rectangle_has_a_ring_for_each_row_and_column_in_each_plane() -> None:
    made = rectangle(empty("groups-a"), 2, 3)
    rings = followed(made.after)
    assert len(rings) == 12 * (2 + 3)
    assert {tuple(sorted(groups(ring))) for ring in rings} == {
        ("r01c01", "r01c02", "r01c03"),
        ("r02c01", "r02c02", "r02c03"),
        ("r01c01", "r02c01"),
        ("r01c02", "r02c02"),
        ("r01c03", "r02c03"),
    }


def test_columns_of_a_rectangle_need_not_be_adjacent() -> None:
    """Rows 2 and 3 have a group in use each; together they have two columns of three free."""
    state = empty(square(3, "nothing"))
    for group in (0, 1, 4):
        state = rectangle(state, 1, 1, groups=(group,)).after
    assert rectangle(state, 2, 2).told == ("job-3 is on rows 2-3 columns 1,3",)
    with pytest.raises(NotPossible) as refused:
        rectangle(state, 2, 3)
    assert str(refused.value) == (
        "rings: there are not 2 rows of groups with 3 columns free in common. Release a job, ask "
        "for another shape, or for a sequence."
    )


def test_a_sequence_in_columns_goes_from_s_to_n() -> None:
    made = sequence(empty("groups-a"), 8, "col-3-2")
    assert told(made.after, made.add) == [("pg1-col-01-3-2", 2, 3), ("pg1-col-01-3-2", 4, 1)]
    assert [groups(ring) for ring in followed(made.after)] == [["r02c01", "r01c01"]]


def test_form_a_has_two_rings_through_a_switch_and_says_what_a_third_lacks() -> None:
    state = sequence(empty("groups-a"), 100, both_ways=True).after
    with pytest.raises(NotPossible) as refused:
        sequence(state, 8, groups=(25, 48))
    assert str(refused.value) == (
        "rings: in plane row-1-1 no way is left from pg1-row-02-1-1 to pg1-row-03-1-1: of 2 links "
        "to other switches, pg1-row-02-1-1 has 0 left outward, and of 2 pg1-row-03-1-1 has 2 left "
        "inward. Choose groups of one row or column, release a job, or ask for fewer planes."
    )


def test_a_sequence_leaves_out_rows_whose_links_are_used_up() -> None:
    state = sequence(empty("groups-a"), 100, both_ways=True).after
    made = sequence(state, 100)
    assert made.told == ("job-1 is on row 3 columns 1-24, row 4 column 1",)


def test_cross_links_are_a_way_from_row_to_row_where_nothing_else_joins_them() -> None:
    made = sequence(empty(square(4, "nothing", cross_links=True)), 20)
    assert [entry for entry in told(made.after, made.add) if "col" in entry[0]] == [
        ("pg1-col-02-1-1", 63, 64),
        ("pg1-col-02-1-1", 64, 63),
    ]
    assert len(followed(made.after)) == 1


def test_a_ring_that_turns_from_rows_to_columns_is_refused_by_name() -> None:
    state = empty("cross-links")
    axes = axis(state, "layer", "row-1-1"), axis(state, "data", "col-1-1")
    with pytest.raises(UnusableInput, match="a ring that turns from rows to columns"):
        sequence(state, 40, axes=axes)


def test_small_jobs_share_a_group_and_others_keep_off_it() -> None:
    state = small(small(empty("groups-a"), 10).after, 6).after
    assert [job.groups for job in state.jobs] == [(0,), (0,)]
    state = small(sequence(state, 8).after, 1).after
    assert [job.groups for job in state.jobs[2:]] == [(1, 2), (3,)]
    with pytest.raises(UnusableInput, match="17 processors are no small job"):
        small(state, 17)
