"""Rings of a cluster as proposals: what goes, what comes, for whom, and what the records keep."""

from dataclasses import replace

import pytest

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.groups.cluster import Cluster, Joined
from fabric_twin.core.groups.design import groups_design
from fabric_twin.core.groups.group import Group
from fabric_twin.core.proposals.effects import MakeSlice, MoveSlice, ReleaseSlice, SetSwitchStatus
from fabric_twin.core.proposals.rings import (
    RingsInUse,
    RingsProposal,
    propose_as_wanted,
    propose_job,
    propose_release,
)
from fabric_twin.core.proposals.rings_out import propose_back, propose_out
from fabric_twin.core.rings.as_slice import job_of, rings_json
from fabric_twin.core.rings.ask import laid
from fabric_twin.core.rings.asked import wish_of
from fabric_twin.core.rings.change import entries
from fabric_twin.core.rings.ring import Entry
from fabric_twin.core.rings.state import State
from fabric_twin.core.rings.wiring import Exit

#: Chains of five in four rows of three, on switches joined to each other.
SIZES = Cluster(Group.of(5, lanes=1, chain=True), 4, 3, Joined.EACH_OTHER)
CLUSTER = groups_design("small-chains", "Chains", SIZES)


def cluster(**more: object) -> RingsInUse:
    """One without jobs."""
    return RingsInUse(replace(State.of(CLUSTER, "g"), **more))


def asked(now: RingsInUse, name: str, **words: object) -> RingsProposal:
    return propose_job(now, wish_of(now.state, name, **words), words)  # type: ignore[arg-type]


def told(found: RingsProposal) -> list[str]:
    """Its stages, in words."""
    return [
        f"{sign} {circuit}"
        for stage in found.plan.stages
        for sign, some in (("-", stage.remove), ("+", stage.add))
        for circuit in some
    ]


def with_small(now: RingsInUse, name: str, processors: int) -> RingsInUse:
    found = asked(now, name, processors=processors)
    [made] = (effect.made for effect in found.effects if isinstance(effect, MakeSlice))
    [group] = found.after.job(name).groups
    seats = {**now.seats, group: {**now.seats.get(group, {}), name: made.seats}}  # type: ignore[attr-defined]
    return RingsInUse(found.after, seats)


def test_a_job_takes_groups_and_has_its_entries_added() -> None:
    found = asked(cluster(), "a", sequence=10)
    assert told(found) == ["+ 2A to 3B on g-row-01-1-1 of a", "+ 4A to 1B on g-row-01-1-1 of a"]
    assert found.title == "Job a: 10 processors in 2 groups"
    assert (found.kind, found.plan.lower_bound, found.interrupted) == ("slice", 2, ())
    [effect] = found.effects
    assert isinstance(effect, MakeSlice)
    assert effect.as_json(found.names) == {
        "do": "make-slice",
        "slice": {
            "version": 1,
            "name": "a",
            "shape": "10",
            "twisted": False,
            "cubes": [{"at": [0], "slot": 1}, {"at": [1], "slot": 2}],
            "rings": {
                "form": "sequence",
                "processors": 10,
                "columns": 0,
                "axes": [{"name": "row", "planes": ["row-1-1"]}],
                "both_ways": False,
            },
        },
    }
    assert found.blast.as_json()["entries"] == {"remove": 0, "add": 2, "lower_bound": 2}
    assert found.blast.as_json()["groups"] == {"free_before": 12, "free_after": 10}


def test_what_a_slice_keeps_is_the_job_again() -> None:
    found = asked(cluster(), "a", sequence=32, both_ways=True)
    job = found.after.job("a")
    again = job_of(CLUSTER.cluster, "a", rings_json(job), job.groups)
    assert again.with_rings(job.by_number) == job


def test_small_jobs_have_processors_of_their_own() -> None:
    now = with_small(with_small(cluster(), "a", 2), "b", 3)
    [group] = now.seats
    assert now.seats[group] == {"a": ((1, 1), (1, 2)), "b": ((1, 3), (1, 4), (1, 5))}
    [effect] = propose_release(now, "a", {}).effects
    assert isinstance(effect, ReleaseSlice)
    assert effect.as_json(now.state.names)["slice"]["chips"] == [[1, 1, 1], [1, 1, 2]]


def test_a_release_removes_and_adds_nothing() -> None:
    now = RingsInUse(asked(cluster(), "a", sequence=10).after)
    found = propose_release(now, "a", {"slice": "a"})
    assert told(found) == ["- 2A to 3B on g-row-01-1-1 of a", "- 4A to 1B on g-row-01-1-1 of a"]
    assert found.interrupted == ("a",)


def test_a_group_that_goes_is_replaced_and_all_that_goes_is_removed_first() -> None:
    now = RingsInUse(asked(cluster(), "a", sequence=10).after)
    found = propose_out(now, {1}, (), {"slots": [2]})
    assert told(found) == [
        "- 2A to 3B on g-row-01-1-1 of a",
        "- 4A to 1B on g-row-01-1-1 of a",
        "+ 2A to 5B on g-row-01-1-1 of a",
        "+ 6A to 1B on g-row-01-1-1 of a",
    ]
    assert [len(stage.remove) for stage in found.plan.stages] == [2, 0]
    assert found.plan.lower_bound == 4
    [move] = found.effects
    assert isinstance(move, MoveSlice)
    assert (move.before.slots, move.after.slots) == ((1, 2), (1, 3))
    assert found.told == ("a goes from row 1 column 2 to row 1 column 3",)


def test_groups_that_go_together_do_not_take_each_others_jobs() -> None:
    now = RingsInUse(asked(cluster(), "a", sequence=10).after)
    found = propose_out(now, {1, 2}, (), {})
    assert not {1, 2} & {*found.after.job("a").groups}
    assert found.after.held_groups == frozenset()


def test_a_job_that_would_stand_still_is_named_unless_that_is_meant() -> None:
    now = RingsInUse(asked(cluster(), "a", sequence=60).after)
    with pytest.raises(NotPossible, match="a would stand still: it has nowhere to go"):
        propose_out(now, {1}, (), {})
    found = propose_out(now, {1}, (), {}, interrupt=True)
    assert (told(found), found.warnings) == (
        [],
        ("a stands still: a group that it has is out",),
    )


def test_entries_of_a_switch_that_is_out_go_from_the_records_alone() -> None:
    now = RingsInUse(asked(cluster(), "a", sequence=10).after)
    switch = CLUSTER.cluster.groups
    effects = (SetSwitchStatus("g-row-01-1-1", "Active", "Maintenance"),)
    found = propose_out(now, {switch}, effects, {}, interrupt=True)
    on_it = {key for key in found.not_wanted if key[0] == "g-row-01-1-1"}
    assert on_it == {("g-row-01-1-1", "2A", "3B"), ("g-row-01-1-1", "4A", "1B")}
    assert not any(" on g-row-01-1-1 " in row for row in told(found))


def test_a_switch_that_is_back_gets_its_rings_again() -> None:
    whole = asked(cluster(), "a", sequence=40).after
    switch = CLUSTER.cluster.groups
    out = propose_out(RingsInUse(whole), {switch}, (), {}, interrupt=True)
    back = propose_back(RingsInUse(out.after), {switch}, (), {"switches": ["g-row-01-1-1"]})
    assert back.after.lost == frozenset()
    assert len(entries(back.after)) >= len(entries(out.after))


def test_what_a_switch_kept_while_it_was_out_goes_or_is_taken_over() -> None:
    whole = asked(cluster(), "a", sequence=60).after
    switch = CLUSTER.cluster.groups
    out = propose_out(RingsInUse(whole), {switch}, (), {}, interrupt=True)
    kept = {entry for entry in entries(whole) if entry.switch == switch}
    strange = Entry(switch, 40, 41)
    back = propose_back(
        RingsInUse(out.after, left_over=frozenset({*kept, strange})), {switch}, (), {}
    )
    assert entries(back.after) == entries(whole)
    assert not any(" on g-row-01-1-1 of " in row for row in told(back))
    assert "- 40A to 41B on g-row-01-1-1" in told(back)
    assert {(old.owner, new.owner) for old, new in back.plan.passed_on} == {("", "a")}
    assert len(back.plan.passed_on) == len(kept)
    assert back.plan.lower_bound == len(told(back))


def test_what_is_held_is_left_alone() -> None:
    held = cluster(held_groups=frozenset({0, 1}))
    assert asked(held, "a", sequence=10).after.job("a").groups == (3, 4)
    with pytest.raises(NotPossible, match="held by a ticket or an order"):
        asked(held, "a", sequence=10, groups=(0, 1))


def test_switches_get_what_jobs_have_and_lose_what_nobody_asked_for() -> None:
    whole = asked(cluster(), "a", sequence=10).after
    switch = CLUSTER.cluster.groups
    now = RingsInUse(
        whole,
        left_over=frozenset({Entry(switch, 2, 7)}),
        missing=frozenset({Entry(switch, 2, 3)}),
    )
    found = propose_as_wanted(now, None, {})
    assert told(found) == [
        "- 2A to 7B on g-row-01-1-1",
        "+ 2A to 3B on g-row-01-1-1 of a",
    ]
    assert told(propose_as_wanted(now, {(switch, 3)}, {})) == ["+ 2A to 3B on g-row-01-1-1 of a"]
    with pytest.raises(UnusableInput, match="show what jobs have"):
        propose_as_wanted(now, {(switch, 9)}, {})


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ({}, "a job is small, a sequence or a shape"),
        ({"processors": 2, "sequence": 3}, "a job is small, a sequence or a shape"),
        ({"sequence": 0}, "0 is no number of processors"),
        ({"shape": "2by3"}, "is no shape"),
        ({"sequence": 5, "axes": ["row"]}, "is no axis"),
        ({"sequence": 5, "axes": ["layer=col"]}, "there is no plane col"),
    ],
)
def test_a_wish_that_is_none_is_refused(words: dict[str, object], why: str) -> None:
    with pytest.raises(UnusableInput, match=why):
        asked(cluster(), "a", **words)


def test_without_cables_at_ports_rings_go_or_the_group_does() -> None:
    now = RingsInUse(asked(cluster(), "a", sequence=10).after)
    switch = CLUSTER.cluster.groups
    whole = propose_out(now, (), (), {}, ports={Exit(switch, 3), Exit(switch, 4)})
    assert whole.after.job("a").groups == (0, 2)
    assert whole.title == "Take port 3 of g-row-01-1-1, port 4 of g-row-01-1-1 out of service"
    one = propose_out(now, (), (), {}, ports={Exit(switch, 3)})
    assert 1 not in one.after.job("a").groups
    assert one.after.short == {1}


def test_groups_that_are_short_of_a_port_are_left_to_themselves() -> None:
    now = cluster(held_links=frozenset({Exit(CLUSTER.cluster.groups, 3)}))
    assert 1 not in asked(now, "a", sequence=60 - 5 * 4).after.job("a").groups
    with pytest.raises(NotPossible, match="port 3 of g-row-01-1-1 is out of service, or held"):
        laid(now.state, replace(asked(cluster(), "a", sequence=10).after.job("a"), rings=()))


def test_a_small_job_needs_no_ring_and_goes_where_none_can_pass() -> None:
    now = cluster(held_links=frozenset({Exit(CLUSTER.cluster.groups, 3)}))
    assert asked(now, "a", processors=2).after.job("a").groups == (1,)
    assert asked(now, "a", processors=2, groups=(1,)).after.job("a").groups == (1,)
    with pytest.raises(NotPossible, match="is short of a port"):
        asked(now, "a", sequence=5, groups=(1,))
