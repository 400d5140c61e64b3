"""`replay` with switches that fail, as people, programs and a browser see it."""

import json

import pytest

FAILING = ("--design", "tpu-v4", "--pod", "v4", "--switch-availability", "0.99", "--seed", "3")


@pytest.fixture
def trace(tmp_path):
    """Ten days of the whole pod, in ten jobs."""
    rows = [f"j{day},0,16x16x16,no,86400\n" for day in range(10)]
    path = tmp_path / "trace.csv"
    path.write_text("job,arrival_s,shape,twisted,duration_s\n" + "".join(rows))
    return str(path)


def test_a_person_reads_what_failures_cost(run, trace):
    result = run("replay", trace, *FAILING)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "Pod v4 (tpu-v4), backfill: 10 jobs on 4,096 healthy chips, 0 refused.\n"
        "  utilisation    0.0% to the last arrival and 68.4% to the end (busy over healthy chips)\n"
        "  waiting        191.3 h mean, 197.0 h median, 327.0 h longest\n"
        "  draining       0.0% of the chips idle while cubes were drained\n"
        "  fragmentation  0.0% of the chips idle in cubes that small slices share\n"
        "  switches       14 failures of 48 switches, each in for 99% of the time and out for "
        "12.0 h on average (seed 3); slices bear none\n"
        "  switches out   none for 68.37% of the time, one at most for 96.13%\n"
        "  slices lost    111.0 slice hours: 82.8 stopped and 28.2 kept waiting by switches; "
        "240.0 run\n"
        "  less capacity  0.0 slice hours with links missing; mean capacity 1.0000 while slices "
        "ran\n"
        "  makespan       351.0 h\n"
    )


def test_a_person_reads_what_bearing_gives(run, trace):
    result = run("replay", trace, *FAILING, "--bear", "1", "--switch-repair", "4")
    assert result.stdout.splitlines()[5:] == [
        "  switches       23 failures of 48 switches, each in for 99% of the time and out for "
        "4.0 h on average (seed 3); a join may lack 1 switch",
        "  switches out   none for 74.11% of the time, one at most for 95.76%",
        "  slices lost    3.6 slice hours: 3.6 stopped and 0.0 kept waiting by switches; 240.0 run",
        "  less capacity  59.5 slice hours with links missing; mean capacity 0.9845 while slices "
        "ran",
        "  makespan       243.6 h",
    ]


def test_a_program_reads_the_same(run, trace):
    result = json.loads(run("replay", trace, *FAILING, "--bear", "2", "--json").stdout)
    assert result["switches"] == {
        "availability": 0.99,
        "repair_s": 43200.0,
        "seed": 3,
        "bear": 2,
        "count": 48,
        "failures": 12,
        "time_none_out": 0.571896,
        "time_one_out_at_most": 0.943397,
        "slice_hours_run": 240.0,
        "slice_hours_lost": 0.0,
        "slice_hours_stopped": 0.0,
        "slice_hours_kept_waiting": 0.0,
        "slice_hours_with_less_capacity": 102.745,
        "mean_capacity": 0.970414,
    }


def test_a_page_shows_what_stood_still_only_where_switches_fail(run, trace):
    failing = run("replay", trace, *FAILING, "--html").stdout
    assert "in slices that switches stop" in failing
    assert 'rect class="stopped"' in failing
    assert '<th scope="row">slices lost</th>' in failing
    assert "stop" not in run("replay", trace, *FAILING[:4], "--html").stdout.split("</style>")[1]
