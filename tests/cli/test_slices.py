"""`slice` and `replay` as people and schedulers use them."""

import json

import pytest

SLICE = ("slice", "--design", "tpu-v4", "--pod", "v4")
REPLAY = ("replay", "--design", "tpu-v4", "--pod", "v4")


def test_a_person_sees_the_cubes_in_their_order(run):
    result = run(*SLICE, "--shape", "8x8x16", "--twisted", "--slots", "3-9,20-30")
    assert result.stdout == (
        "Slice 8x8x16-twisted-1 of pod v4 (tpu-v4): 8x8x16 twisted, 1,024 chips, 16 cubes.\n"
        "Slots along Z, from 0; `+` of each joins `-` of the next, the last closes:\n"
        "  x=0 y=0:   3   4   5   6\n"
        "  x=0 y=1:   7   8   9  20\n"
        "  x=1 y=0:  21  22  23  24\n"
        "  x=1 y=1:  25  26  27  28\n"
        "Twisted: where X closes it shifts by 2 along Z, in cubes.\n"
        "Twisted: where Y closes it shifts by 2 along Z, in cubes.\n"
        "1,536 circuits on 48 switches; --json lists them.\n"
    )
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_slice_under_a_cube_is_shown_as_chips(run):
    assert run(*SLICE, "--shape", "1x2x2", "--name", "mine").stdout == (
        "Slice mine of pod v4 (tpu-v4): 1x2x2, 4 chips, part of a cube.\n"
        "In slot 1, by copper alone, without wraparound; its chips:\n"
        "  1.1.1  2.1.1  1.2.1  2.2.1\n"
    )


def test_a_static_plant_has_no_circuits(run):
    shown = run("slice", "--design", "tpu-v2-static", "--pod", "v2", "--shape", "16x16").stdout
    assert shown == (
        "Slice 16x16-1 of pod v2 (tpu-v2-static): 16x16, 256 chips, 16 cubes.\n"
        "Slots along Y, from 0:\n"
        "  x=0:   1   5   9  13\n"
        "  x=1:   2   6  10  14\n"
        "  x=2:   3   7  11  15\n"
        "  x=3:   4   8  12  16\n"
        "Cables close X and Y; 512 links, the farthest chips 16 hops apart; the pod has 1 such "
        "place.\n"
        "No circuits: the cables of this static plant join the cubes.\n"
    )


def test_json_is_the_contract(run):
    made = json.loads(run(*SLICE, "--shape", "4x4x8", "--slots", "3,9", "--json").stdout)
    circuits = made.pop("circuits")
    assert made == {
        "version": 1,
        "name": "4x4x8-1",
        "shape": "4x4x8",
        "twisted": False,
        "cubes": [{"at": [0, 0, 0], "slot": 3}, {"at": [0, 0, 1], "slot": 9}],
    }
    assert len(circuits) == 192
    assert circuits[0] == {"switch": "v4-ocs-x-1-1", "a": "3A", "b": "67B"}
    assert {"switch": "v4-ocs-z-3-2", "a": "3A", "b": "73B"} in circuits
    assert {"switch": "v4-ocs-z-3-2", "a": "73A", "b": "3B"} in circuits
    part = json.loads(run(*SLICE, "--shape", "1x1x2", "--json").stdout)
    assert part == {
        "version": 1,
        "name": "1x1x2-1",
        "shape": "1x1x2",
        "twisted": False,
        "cubes": [{"at": [0, 0, 0], "slot": 1}],
        "chips": [[1, 1, 1, 1], [1, 2, 1, 1]],
    }


def standing(run, *shapes):
    """What is in use after these slices are made one after the other, as the file has it."""
    in_use = {"slices": [], "unhealthy": {"slots": [5], "ports": [["v4-ocs-y-1-2", "66A"]]}}
    for shape in shapes:
        made = run(*SLICE, "--shape", shape, "--json", "--in-use", "-", stdin=json.dumps(in_use))
        in_use["slices"].append(json.loads(made.stdout))
    return in_use


def test_slices_made_one_after_the_other_keep_off_each_other_and_what_is_unhealthy(run):
    made = standing(run, "4x4x12", "2x4x4", "4x4x4", "1x1x1", "4x4x4")["slices"]
    assert [(one["name"], [cube["slot"] for cube in one["cubes"]]) for one in made] == [
        ("4x4x12-1", [1, 3, 4]),  # port 66 is Y- of the cube in slot 2
        ("2x4x4-1", [2]),  # which copper does not mind
        ("4x4x4-1", [6]),
        ("1x1x1-1", [2]),
        ("4x4x4-2", [7]),
    ]


def test_ironwood_warns_on_standard_error(run):
    result = run("slice", "--design", "ironwood", "--pod", "iw1", "--shape", "16x16x36")
    assert result.exit_code == 0
    assert result.stderr == (
        "fabric-twin: warning: 16x16x36 has 9,216 chips; slices of ironwood are offered up to "
        "2,048 chips today.\n"
    )


def test_a_defragmentation_says_what_moves_and_what_for(run):
    assert run(*SLICE, "--defragment").stdout == (
        "Nothing to move: no cube becomes free by bringing slices together.\n"
    )
    made = standing(run, "2x4x4", "2x4x4", "2x4x4")
    made["slices"] = made["slices"][1:]
    options = (*SLICE, "--defragment", "--in-use", "-")
    assert run(*options, stdin=json.dumps(made)).stdout == (
        "  1  interrupt 2x4x4-3 (2x4x4), and move it from slot 1 to slot 2\n"
        "Free thereafter: slot 1. 1 slice is interrupted.\n"
    )
    plan = json.loads(run(*options, "--json", stdin=json.dumps(made)).stdout)
    assert list(plan) == ["version", "moves", "interrupted", "freed"]
    assert (plan["interrupted"], plan["freed"]) == (["2x4x4-3"], [1])
    [move] = plan["moves"]
    assert {chip[0] for chip in move["from"]} == {1}
    assert {chip[0] for chip in move["to"]} == {2}


@pytest.fixture
def trace(tmp_path):
    """A job that stops a larger one, small ones that may go before it, and one too large."""
    rows = [
        "job,arrival_s,shape,twisted,duration_s",
        "first,0,12x16x16,false,36000",
        "head,3600,8x16x16,true,3600",
        "short,3600,8x8x16,false,7200",
        "long,7200,8x8x16,yes,72000",
        "never,7200,16x16x20,,60",
        "part,7200,2x2x4,no,90000.5",
    ]
    path = tmp_path / "trace.csv"
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def test_a_replay_says_what_was_used_waited_for_and_refused(run, trace):
    result = run(*REPLAY, trace)
    assert result.stdout == (
        "Pod v4 (tpu-v4), backfill: 6 jobs on 4,096 healthy chips, 1 refused.\n"
        "  utilisation    87.5% to the last arrival and 38.9% to the end "
        "(busy over healthy chips)\n"
        "  waiting        3.6 h mean, 1.0 h median, 9.0 h longest\n"
        "  draining       0.0% of the chips idle while cubes were drained\n"
        "  fragmentation  0.8% of the chips idle in cubes that small slices share\n"
        "  makespan       35.0 h\n"
        "  refused never (16x16x20): shape of tpu-v4: 16x16x20 takes 80 cubes and the pod has 64 "
        "slots. The largest shapes are 16x16x16, 12x12x12, 8x8x8, 4x4x4.\n"
    )


def test_a_replay_as_json_is_the_contract(run, trace):
    result = json.loads(run(*REPLAY, trace, "--policy", "fifo", "--json").stdout)
    assert result == {
        "version": 1,
        "policy": "fifo",
        "jobs": 6,
        "refused": 1,
        "utilisation": 0.377711,
        "utilisation_to_last_arrival": 0.75,
        "mean_wait_s": 25200.0,
        "median_wait_s": 32400.0,
        "longest_wait_s": 32400.0,
        "makespan_s": 129600.5,
        "fragmentation": 0.008138,
        "idle_while_draining": 0.0,
        "held_back": 0.0,
        "refusals": [
            {
                "job": "never",
                "shape": "16x16x20",
                "lacked": "shape of tpu-v4: 16x16x20 takes 80 cubes and the pod has 64 slots. "
                "The largest shapes are 16x16x16, 12x12x12, 8x8x8, 4x4x4.",
            }
        ],
    }


def test_a_replay_as_a_page_needs_nothing_else(run, trace, tmp_path):
    page = tmp_path / "replay.html"
    done = run(*REPLAY, trace, "--html", "-o", str(page))
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    text = page.read_text()
    assert text.count("<svg") == text.count("</svg>") == 2
    assert not any(word in text for word in ("<script", "src=", "href=", "url("))
    assert "never (16x16x20): shape of tpu-v4: 16x16x20 takes 80 cubes" in text


def test_the_cubes_that_are_joined_already_are_taken_as_they_stand(run, tmp_path):
    pod = ("--design", "ironwood", "--pod", "p", "--shape", "4x4x12")
    there = json.loads(run("slice", *pod, "--slots", "5,7,9", "--json").stdout)
    present = tmp_path / "present.json"
    rows = [row | {"owner": "old"} for row in there["circuits"]]
    present.write_text(json.dumps({"version": 1, "circuits": rows}))
    again = run("slice", *pod, "--from", str(present), "--json")
    assert again.stderr == (
        "fabric-twin: 0 joins of cubes change; no choice changes fewer than 0.\n"
    )
    made = json.loads(again.stdout)
    assert {row["slot"] for row in made["cubes"]} == {5, 7, 9}
    same = {(row["switch"], row["a"], row["b"]) for row in rows}
    assert {tuple(row.values()) for row in made["circuits"]} == same


def test_one_cube_more_is_put_where_the_fewest_joins_change(run, tmp_path):
    pod = ("--design", "ironwood", "--pod", "p")
    three = run("slice", *pod, "--shape", "4x4x12", "--slots", "5,7,9", "--json").stdout
    present = tmp_path / "present.json"
    present.write_text(json.dumps({"version": 1, "circuits": json.loads(three)["circuits"]}))
    four = run("slice", *pod, "--shape", "4x4x16", "--from", str(present), "--json")
    # Two joins in place of one along Z, and the new cube's own along X and Y.
    assert four.stderr == (
        "fabric-twin: 5 joins of cubes change; no choice changes fewer than 5.\n"
    )


def test_a_replay_of_one_job_counts_it_as_one(run, tmp_path):
    trace = tmp_path / "trace.csv"
    trace.write_text("job,arrival_s,shape,twisted,duration_s\na,1,4x4x4,false,60\n")
    told = run("replay", str(trace), "--design", "tpu-v4", "--pod", "v4").stdout
    assert told.startswith("Pod v4 (tpu-v4), backfill: 1 job on 4,096 healthy chips, 0 refused.\n")


def test_a_box_may_begin_anywhere_where_that_is_asked_for(run, tmp_path):
    path = tmp_path / "in-use.json"
    down = {"slots": [1, 4, 9, 11], "ports": [], "switches": []}
    path.write_text(json.dumps({"version": 1, "slices": [], "unhealthy": down}))
    asked = ("slice", "--design", "tpu-v5e", "--pod", "e5", "--shape", "8x8", "--in-use", str(path))
    refused = run(*asked)
    assert refused.exit_code == 1
    assert refused.stderr.endswith(
        "no box of 2x2 cubes is free at multiples of its sides. "
        "Let it begin anywhere: it fits at slot 2.\n"
    )
    assert run(*asked, "--anywhere").stdout == (
        "Slice 8x8-1 of pod e5 (tpu-v5e): 8x8, 64 chips, 4 cubes.\n"
        "Slots along Y, from 0:\n"
        "  x=0:  2  6\n"
        "  x=1:  3  7\n"
        "No axis closes; 112 links, the farthest chips 14 hops apart; the pod has 4 such places.\n"
        "No circuits: the cables of this static plant join the cubes.\n"
    )
