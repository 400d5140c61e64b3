"""Switches fail while jobs run: what stops, what runs on with less, and what that costs."""

import random
from dataclasses import dataclass
from itertools import islice, takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.replay import Backfill, Change, Failures, Job, fifo, first_fit, replay
from fabric_twin.core.replay.fabric import Fabric
from fabric_twin.core.slices.bearing import Bearing
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape

CUBES = 4
#: Of tpu-v4, by number: two of X, and the first of Y.
X_1_1, X_1_2, Y_1_1 = 0, 1, 16


def job(name, arrival, text, duration):
    return Job(name, arrival, Shape(tuple(map(int, text.split("x")))), duration)


@dataclass(frozen=True)
class Given(Failures):
    """Changes that a test writes down, in place of drawn ones."""

    availability: float = 0.999
    written: tuple[Change, ...] = ()

    def changes(self, _switches, _begin):
        return iter(self.written)


def out(*outages):
    """Switches that are out from one second to another."""
    changes = [
        change
        for switch, begin, end in outages
        for change in (Change(begin, switch, out=True), Change(end, switch, out=False))
    ]
    return Given(written=tuple(sorted(changes, key=lambda change: change.time)))


def run(jobs, failures, bear=0, policy=fifo):
    pod = Occupancy(find_design("tpu-v4"), range(1, CUBES + 1))
    return replay(jobs, pod, policy, "test", failures, bear)


def starts(outcome):
    return {one.job.name: one.start for one in outcome.started}


TWO = [job("whole", 0, "4x4x8", 10), job("part", 0, "2x4x4", 10), job("next", 5, "4x4x4", 2)]


def test_a_slice_that_bears_nothing_stands_still_and_goes_on_where_it_stood():
    """The part runs on; the next whole cube waits though a cube is free."""
    outcome = run(TWO, out((X_1_1, 4, 8)))
    assert starts(outcome) == {"whole": 0, "part": 0, "next": 8}
    assert outcome.end == 14
    assert [
        (one.time, one.busy_chips, one.stopped_slices, one.stopped_chips, one.kept_waiting)
        for one in outcome.samples
    ] == [
        (0, 160, 0, 0, 0),
        (4, 32, 1, 128, 0),
        (5, 32, 1, 128, 1),
        (8, 224, 0, 0, 0),
        (10, 128, 0, 0, 0),
        (14, 0, 0, 0, 0),
    ]


def test_a_slice_that_bears_a_switch_runs_on_with_less_and_new_ones_start():
    outcome = run(TWO, out((X_1_1, 4, 8)), bear=1)
    assert starts(outcome) == {"whole": 0, "part": 0, "next": 5}
    assert outcome.end == 10
    assert [(one.time, one.whole_slices, one.capacity) for one in outcome.samples] == [
        (0, 1, 1),
        (4, 1, 0.9375),
        (5, 2, 0.9375),
        (7, 1, 0.9375),
        (8, 1, 1),
        (10, 0, 1),
    ]


def test_a_part_behind_a_whole_cube_does_not_wait_for_a_switch():
    """First come, first served holds it up, and that would be so with all switches in."""
    jobs = [job("whole", 0, "4x4x4", 5), job("part", 0, "2x4x4", 5)]
    outcome = run(jobs, out((X_1_1, 0, 3)))
    assert starts(outcome) == {"whole": 3, "part": 3}
    assert [one.kept_waiting for one in outcome.samples] == [1, 0, 0]


def test_a_drain_counts_on_the_end_that_comes_later_by_the_time_of_standing_still():
    """Three cubes are taken until 14, not until 10: so one can be lent from 7 to 14."""
    jobs = [job("first", 0, "4x4x12", 10), job("head", 1, "4x8x8", 5), job("short", 7, "4x4x4", 7)]
    outcome = run(jobs, out((X_1_1, 2, 6)), policy=Backfill(0))
    assert starts(outcome) == {"first": 0, "short": 7, "head": 14}


def test_a_drain_does_not_count_what_stood_still_before_a_slice_began():
    """Three cubes are taken from 4 to 14: none is lent from 12 to 16."""
    jobs = [job("first", 0, "4x4x12", 10), job("head", 5, "4x8x8", 5), job("long", 12, "4x4x4", 4)]
    outcome = run(jobs, out((X_1_1, 0, 4)), policy=Backfill(0))
    assert starts(outcome) == {"first": 4, "head": 14, "long": 19}


@pytest.mark.parametrize(
    ("second", "bear", "end"), [(Y_1_1, 1, 10), (X_1_2, 1, 12), (X_1_2, 2, 10), (Y_1_1, 0, 14)]
)
def test_what_a_join_lacks_is_counted_axis_by_axis(second, bear, end):
    """Two are out from 4 to 6, one until 8; each alone can be borne, two of an axis only by 2."""
    assert run(TWO[:1], out((X_1_1, 4, 6), (second, 4, 8)), bear).end == end


def test_the_figures_say_what_failures_cost():
    failures = out((X_1_1, 0, 2), (X_1_2, 0, 4))
    whole = [job("whole", 0, "4x4x8", 7200)]
    hours = Given(
        written=tuple(Change(c.time * 3600, c.switch, out=c.out) for c in failures.written)
    )
    assert run(whole, hours, bear=1).as_json()["switches"] == {
        "availability": 0.999,
        "repair_s": 43200.0,
        "seed": 1,
        "bear": 1,
        "count": 48,
        "failures": 2,
        "time_none_out": 0.0,
        "time_one_out_at_most": 0.5,
        "slice_hours_run": 2.0,
        "slice_hours_lost": 2.0,
        "slice_hours_stopped": 0.0,
        "slice_hours_kept_waiting": 2.0,
        "slice_hours_with_less_capacity": 2.0,
        "mean_capacity": 0.9375,
    }


def test_switches_that_never_fail_change_nothing():
    without = run(TWO, None, policy=Backfill())
    never = run(TWO, Failures(1), policy=Backfill())
    assert never.samples == without.samples
    figures = never.as_json()
    assert figures.pop("switches")["slice_hours_lost"] == 0
    assert figures == without.as_json()


def test_failures_are_the_same_whatever_runs():
    """So that bearing and not bearing are compared on the same days."""
    drawn = [list(islice(Failures(0.999, seed=7).changes(48, 0), 50)) for _ in range(2)]
    assert drawn[0] == drawn[1]
    assert drawn[0] != list(islice(Failures(0.999, seed=8).changes(48, 0), 50))
    assert drawn[0] == sorted(drawn[0], key=lambda change: change.time)


@pytest.mark.parametrize(
    ("availability", "none", "one_at_most"), [(0.999, 0.9531, 0.9989), (0.9998, 0.9904, 1.0)]
)
def test_the_fabric_is_whole_as_often_as_the_sources_say(availability, none, one_at_most):
    """Counted from the drawn failures: 0.999 to the power of 48 is 0.9531."""
    repair, failures = 1.0, 40_000
    end = failures * repair / (1 - availability) / 48
    now, are_out, held = 0.0, set(), {}
    drawn = Failures(availability, 3600.0 * repair, seed=3).changes(48, 0.0)
    for change in takewhile(lambda change: change.time < end * 3600, drawn):
        held[len(are_out)] = held.get(len(are_out), 0.0) + change.time / 3600 - now
        now = change.time / 3600
        (are_out.add if change.out else are_out.remove)(change.switch)
    span = sum(held.values())
    # As many independent repairs add up to the hours out: three times their error, and half of
    # the last figure. Of two at once there are fewer: a share `1 - none` of the failures.
    error = 3 * (2 * failures) ** 0.5 * repair / span
    of_two = error * (1 - none) ** 0.5
    assert held[0] / span == pytest.approx(none, abs=error + 0.00005)
    assert (held[0] + held[1]) / span == pytest.approx(one_at_most, abs=of_two + 0.00005)
    assert error < 0.0011
    assert of_two < 0.00023


SWITCHED = ["ironwood", "tpu-v4", "tpu-v4-cwdm8", "tpu-v4-duplex", "tpu-v5p"]


@pytest.mark.parametrize("name", SWITCHED)
@pytest.mark.parametrize("bear", [0, 1, 2])
def test_slices_stand_where_the_allocator_puts_them(name, bear):
    """The replay keeps one account for all slices; `slice --bear` looks at every port."""
    design = find_design(name)
    layout, chance = design.layout, random.Random(f"{name} {bear}")
    intended, shape = intended_plant(design, "p"), Shape((4, 4, 8))
    for count in (1, 2, 2, 3, 4):
        fabric, pod = Fabric(design, bear), Occupancy(design, range(1, 6), bear=bear)
        for switch in chance.sample(range(len(layout.switches)), count):
            fabric.change(switch, out=True)
            for port in range(layout.ports_per_switch):
                pod.fail_port(layout.cube_ports + switch * layout.ports_per_switch + port)
        place = pod.place(shape)
        assert (place is not None) == fabric.borne
        if place:
            assert place.slots == Occupancy(design, range(1, 6)).place(shape).slots
            assert min(Bearing(intended, place).capacity) == fabric.capacity


def test_a_static_plant_has_no_switches_that_fail():
    pod = Occupancy(find_design("tpu-v2-static"))
    with pytest.raises(NotPossible) as refusal:
        replay([], pod, fifo, "test", Failures(0.999))
    assert str(refusal.value) == (
        "design tpu-v2-static: this plant is static: it has no switches that fail. "
        "Leave the availability of switches out."
    )


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            {"availability": 0.5},
            "availability of switches: switches cannot be available 0.5 of the time here. "
            "Use 0.99 to 1, such as 0.9998.",
        ),
        (
            {"availability": 0.999, "repair_s": 1},
            "repair of switches: a repair cannot take 0.000277778 hours here. "
            "Use a minute to 10,000 hours.",
        ),
    ],
)
def test_what_no_switch_has_is_refused(wrong, said):
    with pytest.raises(UnusableInput) as refusal:
        Failures(**wrong)
    assert str(refusal.value) == said


def test_a_trace_of_ages_is_refused():
    with pytest.raises(UnusableInput) as refusal:
        sum(1 for _ in Failures(0.99, 60).changes(48, 0))
    assert str(refusal.value) == (
        "trace: switches fail more than 100,000 times before the last job ends. "
        "Give a part of it, a longer repair or a higher availability."
    )


def by_the_second(jobs, outages, bear, begun=None):
    """The same account once more, second by second; first come, first served if none is given.

    Knows of tpu-v4 that its switches 0 to 15 are those of X, each with one link of 16.
    """
    left = {one.name: one.duration for one in jobs}
    start = dict(begun or {})
    total = dict.fromkeys(["run", "less", "stopped", "waiting", "capacity", "busy", "none"], 0)
    second = 0
    while any(left.values()):
        lacks = [
            len({s for s, begin, end in outages if s // 16 == axis and begin <= second < end})
            for axis in range(3)
        ]
        stands_still = max(lacks) > bear
        queue = [one for one in jobs if one.arrival <= second and start.get(one.name, 1e9) > second]
        at_work = [one for one in jobs if start.get(one.name, 1e9) <= second and left[one.name]]
        free = CUBES - sum(max(1, one.shape.chips // 64) for one in at_work)
        while begun is None and queue:
            whole, need = queue[0].shape.chips >= 64, max(1, queue[0].shape.chips // 64)
            if need > free or (whole and stands_still):
                break
            start[queue[0].name], free = second, free - need
            at_work.append(queue.pop(0))
        wholes = [one for one in at_work if one.shape.chips >= 64]
        if stands_still:
            assert not any(start[one.name] == second for one in wholes)
            total["stopped"] += len(wholes)
            for one in queue:
                if one.shape.chips >= 64 and one.shape.chips // 64 <= free:
                    free -= one.shape.chips // 64
                    total["waiting"] += 1
        else:
            total["run"] += len(wholes)
            total["less"] += len(wholes) * any(lacks)
            total["capacity"] += len(wholes) * (16 - max(lacks)) / 16
        total["none"] += not any(lacks)
        for one in at_work:
            if one not in wholes or not stands_still:
                left[one.name] -= 1
                total["busy"] += one.shape.chips
        second += 1
    return start, second, total


OUTAGES = st.lists(
    st.tuples(st.sampled_from([0, 1, 2, 16, 17, 47]), st.integers(0, 60), st.integers(1, 15)),
    max_size=8,
).map(lambda rows: apart([(switch, begin, begin + held) for switch, begin, held in rows]))


def apart(outages):
    """A switch that is out is not out once more."""
    last, kept = {}, []
    for switch, begin, end in sorted(outages, key=lambda outage: outage[1]):
        if begin > last.get(switch, -1):
            kept.append((switch, begin, end))
            last[switch] = end
    return kept


WHOLE = st.tuples(
    st.integers(0, 40),
    st.sampled_from(["4x4x4", "4x4x8", "4x4x12", "4x8x8"]),
    st.integers(1, 20),
)
#: One part at most: it has a cube of its own, so no packing has to be done over again.
TRACES = st.tuples(st.integers(1, 30), st.lists(WHOLE, max_size=8)).map(
    lambda of: sorted(
        [
            job("part", 0, "2x4x4", of[0]),
            *(job(f"j{number}", *row) for number, row in enumerate(of[1])),
        ],
        key=lambda one: one.arrival,
    )
)


@pytest.mark.parametrize("policy", [fifo, first_fit, Backfill(0), Backfill(15)])
@given(jobs=TRACES, outages=OUTAGES, bear=st.integers(0, 2))
def test_the_account_is_right_to_the_second(policy, jobs, outages, bear):
    outcome = run(jobs, out(*outages), bear, policy)
    given_starts = None if policy is fifo else starts(outcome)
    begun, end, total = by_the_second(jobs, outages, bear, given_starts)
    cost = outcome.switch_time()
    assert (starts(outcome), outcome.end) == (begun, end)
    assert {
        "run": cost.run,
        "less": cost.less,
        "stopped": cost.stopped,
        "waiting": cost.kept_waiting,
        "capacity": cost.capacity,
        "busy": outcome.utilisation() * outcome.healthy_chips * end,
        "none": cost.none_out,
    } == pytest.approx(total)
