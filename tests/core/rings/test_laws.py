"""Whatever is asked for, lost, brought back and released: what holds of every ring."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.groups.design import GroupsDesign
from fabric_twin.core.rings.ask import release
from fabric_twin.core.rings.audit import audit_rings
from fabric_twin.core.rings.change import Change, entries
from fabric_twin.core.rings.failure import fail, repair
from fabric_twin.core.rings.follow import with_rings_of
from fabric_twin.core.rings.job import Form
from fabric_twin.core.rings.state import State
from tests.core.rings.clusters import empty, followed, named, rectangle, sequence, small, square

#: What is done, and numbers from which it takes what it needs.
ACTS = ("sequence", "rectangle", "small", "fail", "fail", "repair", "release")
STEP = st.tuples(st.sampled_from(ACTS), st.integers(0, 10**6), st.integers(0, 10**6))


def asked(state: State, number: int, act: str, one: int, other: int) -> Change:
    """A job of some form and size."""
    more = {"name": f"job-{number}", "both_ways": bool(other % 2)}
    if act == "sequence":
        ways = ("row", "row-1-1", "row-*-2", "col", "col-2")
        return sequence(state, 1 + one % 60, ways[other % 5], **more)
    if act == "rectangle":
        return rectangle(state, 1 + one % 4, 1 + other % 4, **more)
    return small(state, 1 + one % 16, name=f"job-{number}")


def step(state: State, number: int, act: str, one: int, other: int) -> Change | None:
    """Do it, or nothing where there is nothing to do it to."""
    devices = len(state.names.devices)
    if act == "fail" and len(state.lost) < devices // 8:
        # Groups half of the time: there are many more switches.
        many = state.wiring.cluster.groups if other % 2 else devices
        there = [device for device in range(many) if device not in state.lost]
        return fail(state, there[one % len(there)])
    if act == "repair" and state.lost:
        return repair(state, sorted(state.lost)[one % len(state.lost)])
    if act == "release" and state.jobs:
        return release(state, state.jobs[one % len(state.jobs)].name)
    return asked(state, number, act, one, other) if act in ACTS[:3] else None


def check(state: State, change: Change) -> None:
    """What holds of any change."""
    change.after.check()
    before, after = entries(state), entries(change.after)
    assert after == before - {*change.remove} - {*change.gone} | {*change.add}
    assert not {*change.add} & before
    assert all(entry.switch not in change.after.lost for entry in after)
    assert change.lower_bound <= change.changes
    for job in change.after.jobs:
        assert job.form is Form.SMALL or 0 <= job.share <= 1
        wished = {(ring.plane, ring.way, ring.groups) for ring in job.wanted}
        assert {(ring.plane, ring.way, ring.groups) for ring in job.rings} <= wished
        # What switches forward is enough to know them again.
        assert with_rings_of(change.after.wiring, replace(job, rings=()), after) == job


@settings(max_examples=40, deadline=None)
@given(
    design=st.sampled_from(
        [
            *(square(5, joined) for joined in ("nothing", "a", "b", "each-other")),
            *(square(5, joined, cross_links=True) for joined in ("nothing", "a", "b")),
            *map(named, ("one-switch", "four-switches", "leaves-and-core")),
        ]
    ),
    steps=st.lists(STEP, min_size=10, max_size=60),
)
def test_rings_close_and_share_nothing_whatever_comes(
    design: GroupsDesign, steps: list[tuple[str, int, int]]
) -> None:
    state = empty(design)
    for number, (act, one, other) in enumerate(steps):
        try:
            change = step(state, number, act, one, other)
        except NotPossible:
            continue
        except UnusableInput as refusal:  # chains have no columns, and are small
            assert design.cube.dimensions == 1, refusal
            continue
        if change:
            check(state, change)
            state = change.after
    assert len(followed(state)) == len([*state.rings])
    assert audit_rings(state, entries(state)).findings == ()


@settings(max_examples=5, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    groups=st.sets(st.integers(0, 575), min_size=5, max_size=5),
    switches=st.sets(st.integers(576, 1343), min_size=5, max_size=5),
)
def test_a_thousand_rings_of_a_whole_cluster(
    seed: int, groups: set[int], switches: set[int]
) -> None:
    state, made, number = empty("groups-b"), 0, 0
    while made < 1000:
        size = seed + number
        act = ("rectangle", "sequence", "small")[number % 3]
        change = step(state, number, act, size // 7, size)
        assert change
        made += sum(len(job.rings) for job in change.after.jobs[-1:])
        state, number = change.after, number + 1
    gone = sorted(groups | switches, key=lambda device: device * seed % 7919)
    for device in gone:
        change = fail(state, device)
        check(state, change)
        state = change.after
    for job in state.jobs[::3]:
        state = release(state, job.name).after
    for device in gone[::2]:
        change = repair(state, device)
        check(state, change)
        state = change.after
    rings = followed(state)
    assert len(rings) == len([*state.rings])


@settings(max_examples=60, deadline=None)
@given(
    joined=st.sampled_from(["nothing", "a", "b"]),
    many=st.integers(2, 14),
    planes=st.sampled_from(["row", "row-2", "row-*-3", "col", "col-1-1"]),
    both_ways=st.booleans(),
    which=st.integers(0, 100),
)
def test_one_group_lost_changes_no_more_than_the_bound_beside_a_free_one(
    joined: str, many: int, planes: str, both_ways: bool, which: int
) -> None:
    state = empty(square(5, joined))
    try:
        state = sequence(state, 4 * many, planes, both_ways=both_ways).after
    except NotPossible:
        return
    [job] = state.jobs
    group = job.groups[which % many]
    axis = job.axes[0].planes[0].axis
    beside = [
        free
        for free in state.free
        if state.wiring.serves(free, axis) == state.wiring.serves(group, axis)
    ]
    change = fail(state, group)
    check(state, change)
    if beside:
        assert change.changes == change.lower_bound == 4 * len(job.rings)
