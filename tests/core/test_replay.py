"""Wishes come, wait, run and go, in simulated time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.designs import find_design
from fabric_twin.core.replay import Backfill, Job, fifo, first_fit, replay
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape


def job(name, arrival, text, duration):
    return Job(name, arrival, Shape(tuple(map(int, text.split("x")))), duration)


def run(jobs, policy, cubes=4, **more):
    pod = Occupancy(find_design("tpu-v4"), range(1, cubes + 1), **more)
    return replay(jobs, pod, policy, "test")


def starts(outcome):
    return {one.job.name: one.start for one in outcome.started}


#: Three of four cubes are busy until 10, the head wants all four; who may go before it?
BEHIND = [
    job("first", 0, "4x4x12", 10),
    job("head", 1, "4x8x8", 5),
    job("long", 2, "4x4x4", 20),
    job("short", 3, "4x4x4", 7),
]


def test_first_come_first_served_lets_nobody_pass():
    assert starts(run(BEHIND, fifo)) == {"first": 0, "head": 10, "long": 15, "short": 15}


def test_first_fit_lets_anybody_pass_for_as_long_as_it_takes():
    assert starts(run(BEHIND, first_fit)) == {"first": 0, "long": 2, "short": 10, "head": 22}


def test_backfill_lends_cubes_to_jobs_that_end_before_they_are_needed():
    outcome = run(BEHIND, Backfill(patience=1))
    assert starts(outcome) == {"first": 0, "short": 3, "head": 10, "long": 15}
    assert outcome.promised == {"head": 10, "long": 15}


def test_a_drain_does_not_wait_until_nothing_is_left_to_lend_cubes_to():
    """The two jobs behind the head are less than the idle time of a drain: it begins at once."""
    assert starts(run(BEHIND, Backfill(patience=1000))) == starts(run(BEHIND, Backfill(patience=1)))


def test_while_enough_waits_to_fill_the_pod_a_drain_comes_when_patience_is_used_up():
    jobs = BEHIND[:2] + [job(f"small-{n}", 1, "4x4x4", 6) for n in range(30)]
    outcome = run(jobs, Backfill(patience=20))
    assert starts(outcome)["head"] == outcome.promised["head"] == 25
    assert starts(run(jobs, Backfill(patience=1)))["head"] == 10
    assert outcome.utilisation(21) > 0.98  # one cube was free for the first second


def test_cubes_that_are_held_back_do_not_count_as_drained():
    outcome = run(BEHIND[:1] + BEHIND[2:], Backfill(patience=1), held_back=1)
    assert (outcome.held_back(10), outcome.draining(10)) == (0.25, 0.0)


def test_the_figures_follow_from_the_samples():
    outcome = run([job("a", 0, "4x4x8", 10), job("b", 0, "4x8x8", 10)], fifo)
    assert outcome.as_json() == {
        "version": 1,
        "policy": "test",
        "jobs": 2,
        "refused": 0,
        "utilisation": 0.75,
        "utilisation_to_last_arrival": 0.0,
        "mean_wait_s": 5.0,
        "median_wait_s": 5.0,
        "longest_wait_s": 10.0,
        "makespan_s": 20.0,
        "fragmentation": 0.0,
        "idle_while_draining": 0.0,
        "held_back": 0.0,
        "refusals": [],
    }


def test_gaps_in_a_shared_cube_are_fragmentation():
    outcome = run([job("a", 0, "2x4x4", 10)], fifo, cubes=1)
    assert (outcome.utilisation(), outcome.fragmentation()) == (0.5, 0.5)


def test_a_wish_that_no_waiting_grants_is_refused_with_what_it_lacks():
    outcome = run(
        [job("a", 0, "3x4x4", 10), job("b", 0, "8x8x8", 1), job("c", 0, "1x1x1", 1)], fifo
    )
    assert [(one.job.name, one.lacked) for one in outcome.refusals] == [
        (
            "a",
            "shape of tpu-v4: 3x4x4 is neither whole cubes nor a part of one. Make every side a "
            "multiple of 4, or take one of 1x1x1, 1x1x2, 1x2x2, 2x2x2, 2x2x4, 2x4x4 in any order "
            "of axes.",
        ),
        (
            "b",
            "slice: 8x8x8 takes 8 cubes, and 4 of 4 cubes are free. The largest 3D shapes that "
            "fit now: 4x8x8, 4x4x4.",
        ),
    ]
    assert starts(outcome) == {"c": 0}


def test_a_pod_without_jobs_or_cubes_has_figures_too():
    assert run([], fifo).as_json()["utilisation"] == 0.0
    outcome = run([job("a", 3, "4x4x4", 10)], Backfill(), cubes=0)
    assert (outcome.as_json()["refused"], outcome.as_json()["makespan_s"]) == (1, 0)


SHAPES = ["1x1x1", "1x2x2", "2x4x4", "4x4x4", "4x4x8", "4x8x8", "4x4x12"]
TRACES = st.lists(
    st.tuples(st.integers(0, 50), st.sampled_from(SHAPES), st.integers(1, 20)), max_size=30
).map(lambda rows: [job(f"j{number}", *row) for number, row in enumerate(rows)])


@pytest.mark.parametrize("policy", [fifo, first_fit, Backfill(0), Backfill(15)])
@given(jobs=TRACES, held_back=st.integers(0, 1))
def test_every_job_runs_once_and_none_before_it_comes(policy, jobs, held_back):
    outcome = run(jobs, policy, held_back=held_back)
    refused = {one.job.name for one in outcome.refusals}
    begun = starts(outcome)
    assert len(outcome.started) == len(begun)
    assert begun.keys() | refused == {one.name for one in jobs}
    assert begun.keys().isdisjoint(refused)
    assert all(one.wait >= 0 for one in outcome.started)
    chips = sum(one.job.shape.chips * one.job.duration for one in outcome.started)
    total = outcome.healthy_chips * (outcome.end - outcome.begin)
    assert outcome.utilisation() == pytest.approx(chips / total if total else 0)
    assert outcome.utilisation() <= 1


@given(jobs=TRACES, patience=st.integers(0, 30), held_back=st.integers(0, 1))
def test_a_promise_is_kept_whatever_is_filled_in(jobs, patience, held_back):
    outcome = run(jobs, Backfill(patience), held_back=held_back)
    begun = starts(outcome)
    assert all(begun[name] <= day for name, day in outcome.promised.items())


@given(jobs=TRACES)
def test_first_come_first_served_never_starts_a_later_job_first(jobs):
    outcome = run(jobs, fifo)
    begun = [one.start for one in sorted(outcome.started, key=lambda one: one.job.arrival)]
    assert begun == sorted(begun)
