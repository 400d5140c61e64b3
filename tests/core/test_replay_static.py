"""A replay of a static pod: a job that has waited too long is promised a box, not any cubes."""

from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.designs import find_design
from fabric_twin.core.replay import Backfill, Job, replay
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape


def job(name, arrival, text, duration):
    return Job(name, arrival, Shape(tuple(map(int, text.split("x")))), duration)


def run(jobs, patience, **more):
    outcome = replay(jobs, Occupancy(find_design("tpu-v5e"), **more), Backfill(patience), "test")
    return {one.job.name: one.start for one in outcome.started}, outcome.promised


def test_a_box_is_promised_for_the_day_on_which_all_of_it_is_empty():
    """Eight cubes are empty from the beginning, but no half of the pod is before 30."""
    jobs = [
        job("left", 0, "8x8", 30),
        job("right", 0, "8x8", 40),
        job("head", 1, "8x16", 5),
    ]
    begun, promised = run(jobs, patience=0)
    assert promised["head"] == begun["head"] == 30


JOBS = st.lists(
    st.tuples(
        st.integers(0, 50),
        st.sampled_from(["2x2", "4x4", "4x8", "8x8", "8x16", "16x8", "12x12", "16x16"]),
        st.integers(1, 20),
    ),
    max_size=30,
).map(lambda rows: [job(f"j{number}", *row) for number, row in enumerate(rows)])


@settings(max_examples=60, deadline=None)
@given(jobs=JOBS, patience=st.integers(0, 30), held_back=st.integers(0, 1), anywhere=st.booleans())
def test_a_promise_of_a_box_is_kept(jobs, patience, held_back, anywhere):
    begun, promised = run(jobs, patience, held_back=held_back, anywhere=anywhere)
    assert all(begun[name] <= day for name, day in promised.items())
