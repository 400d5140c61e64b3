"""Which words somebody confirms of a slice: the plan says whether it ends, or bears the ticket."""

from fabric_twin.core.tickets import drains

PLAN = {"bears": [{"name": "job-a"}, {"name": "job-b"}]}


def test_a_slice_that_is_interrupted_runs_nothing():
    assert drains.labels(["train"], PLAN) == {"train": "train"}
    assert drains.confirmed("train", PLAN) == "train is drained"
    assert drains.unconfirmed(["train", "eval"], PLAN) == "slice train and 1 more is drained"
    assert drains.in_numbers(["train", "eval"], PLAN) == "2 slices run nothing"
    assert drains.by_name(["train"], PLAN) == "train runs nothing"
    assert drains.by_name(["train", "eval"], PLAN) == "train, eval run nothing"
    assert drains.none_named(["train"], PLAN) == "no slice is named that runs nothing"
    assert drains.told(["train"], {}) == "The slices that it interrupts run nothing."


def test_the_job_of_a_slice_that_bears_it_goes_on():
    assert drains.labels(["job-a"], PLAN) == {
        "job-a": "job-a: its job can go on with fewer circuits"
    }
    assert drains.confirmed("job-a", PLAN) == "the job of job-a can go on with fewer circuits"
    assert drains.unconfirmed(["job-a"], PLAN) == (
        "the job of slice job-a can go on with fewer circuits"
    )
    assert drains.in_numbers(["job-a", "job-b"], PLAN) == (
        "the jobs of 2 slices can go on with fewer circuits"
    )
    assert drains.by_name(["job-a", "job-b"], PLAN) == (
        "the jobs of job-a, job-b can go on with fewer circuits"
    )
    assert drains.none_named(["job-a"], PLAN) == (
        "no slice is named whose job can go on with fewer circuits"
    )
    assert drains.told(["job-a"], PLAN) == (
        "The jobs of the slices that bear it can go on with fewer circuits."
    )


def test_where_a_ticket_has_both_each_is_told_in_its_words():
    both = ["job-a", "train"]
    assert drains.unconfirmed(both, PLAN) == (
        "slice train is drained, and that the job of slice job-a can go on with fewer circuits"
    )
    assert drains.in_numbers(both, PLAN) == (
        "1 slice runs nothing, and that the job of 1 slice can go on with fewer circuits"
    )
    assert drains.by_name(both, PLAN) == (
        "train runs nothing, and that the job of job-a can go on with fewer circuits"
    )
    assert drains.none_named(both, PLAN) == (
        "no slice is named that runs nothing or whose job can go on with fewer circuits"
    )
    assert drains.told(both, PLAN) == (
        "The slices that it interrupts run nothing; the jobs of those that bear it can go on with "
        "fewer circuits."
    )
