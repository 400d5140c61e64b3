"""`fabric-twin rings`: a cluster's jobs in a file, from the first that is asked for to the last."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.groups.examples import EXAMPLES

PROGRAM = Path(sys.executable).with_name("fabric-twin")
OF = ("--design", "groups-a", "--pod", "pg1")
SMALL = ("--design", str(EXAMPLES / "one-switch.yaml"), "--pod", "pg1")


@pytest.fixture
def state(run, tmp_path):
    """A sequence of 150, a rectangle and a small job."""
    path = str(tmp_path / "now.json")
    for more in (
        ("--job", "a", "--sequence", "150", "--axis", "layer=row-1-1"),
        ("--job", "b", "--shape", "2x3", "--state", path),
        ("--job", "c", "--processors", "6", "--state", path),
    ):
        assert run("rings", "ask", *OF, *more, "-o", path).exit_code == 0
    return path


def test_a_job_is_told_with_its_entries(run):
    told = run("rings", "ask", *OF, "--job", "a", "--sequence", "100", "--axis", "layer=row-1-1")
    assert told.stdout == (
        "Cluster pg1 (groups-a).\n"
        "a is on row 1 columns 1-24, row 2 column 1.\n"
        "Entries: remove 0, add 29; no plan changes fewer than 29.\n"
        "\n"
        "add: 29 entries\n"
        "  + pg1-row-01-1-1  2->3, 4->5, 6->7, 8->9, 10->11, 12->13, 14->15, 16->17 and 17 more\n"
        "  + pg1-row-02-1-1  2->49, 49->1\n"
        "  + pg1-row-t1-1-1-1  1->2, 2->1\n"
    )


def test_jobs_are_shown_with_what_is_left_of_them(run, state):
    fail = ("rings", "fail", *OF, "--state", state, "-o", state)
    assert run(*fail, "--switch", "row-03-2-2").stdout == (
        "Cluster pg1 (groups-a).\n"
        "b has 2 of 3 rings left of row in row 2 of processors, 0.6667 of what it asked for.\n"
        "Entries: remove 0, add 0; no plan changes fewer than 0.\n"
        "\n"
        "went with what is lost: 3 entries\n"
        "    pg1-row-03-2-2  30->31, 32->33, 34->29\n"
    )
    assert run("rings", "show", *OF, "--state", state).stdout == (
        "Cluster pg1 (groups-a): 3 jobs, 531 of 576 groups free.\n"
        "A ring has 1 of each of its links, one way.\n"
        "Lost: pg1-row-03-2-2.\n"
        "\n"
        "a: sequence of 150 processors: 38 groups, 152 in a ring, 2 of which only forward\n"
        "  on row 1 columns 1-24, row 2 columns 1-14\n"
        "  layer: 1 ring, 42 entries\n"
        "\n"
        "b: 2x3 groups\n"
        "  on rows 2-3 columns 15-17\n"
        "  row: 23 rings, 69 entries\n"
        "  col: 36 rings, 72 entries\n"
        "  0.6667 of what it asked for, where least is left\n"
        "\n"
        "c: small, 6 processors\n"
        "  on row 2 column 18\n"
    )


def test_a_lost_group_is_a_plan_of_four_entries(run, state):
    told = run("rings", "fail", *OF, "--state", state, "--group", "r02c03", "--json")
    assert json.loads(told.stdout) == {
        "version": 1,
        "cluster": "pg1",
        "design": "groups-a",
        "told": ["a goes from row 2 column 3 to row 2 column 19"],
        "interrupted": ["a"],
        "changes": 4,
        "lower_bound": 4,
        "remove": [
            {"switch": "pg1-row-02-1-1", "in": 4, "out": 5},
            {"switch": "pg1-row-02-1-1", "in": 6, "out": 7},
        ],
        "gone": [],
        "add": [
            {"switch": "pg1-row-02-1-1", "in": 4, "out": 37},
            {"switch": "pg1-row-02-1-1", "in": 38, "out": 7},
        ],
    }
    rows = run("rings", "fail", *OF, "--state", state, "--group", "r02c03", "--csv").stdout
    assert rows == (
        "do,switch,in,out\n"
        "remove,pg1-row-02-1-1,4,5\n"
        "remove,pg1-row-02-1-1,6,7\n"
        "add,pg1-row-02-1-1,4,37\n"
        "add,pg1-row-02-1-1,38,7\n"
    )


def test_entries_as_shown_are_clean_and_a_wrong_one_is_found(run, state, tmp_path):
    shown = run("rings", "show", *OF, "--state", state, "--csv").stdout
    rows = [*csv.DictReader(io.StringIO(shown))]
    assert len(rows) == 42 + 12 * (2 * 3 + 3 * 2)
    assert rows[0] == {
        "switch": "pg1-row-01-1-1",
        "in": "2",
        "out": "3",
        "job": "a",
        "axis": "layer",
        "plane": "row-1-1",
        "way": "forward",
    }
    check = ("rings", "check", "-", *OF, "--state", state)
    clean = run(*check, stdin=shown)
    assert (clean.exit_code, clean.stdout) == (
        0,
        "Cluster pg1 (groups-a): 186 entries there, 186 expected.\n"
        "Clean: every ring closes, and no two share a link.\n",
    )
    wrong = run(*check, stdin=shown.replace("pg1-row-t1-1-1-1,1,2", "pg1-row-t1-1-1-1,1,3"))
    assert (wrong.exit_code, wrong.stdout) == (
        1,
        "Cluster pg1 (groups-a): 186 entries there, 186 expected.\n"
        "1 finding: 1 ring-open.\n"
        "\n"
        "1. ring-open  error  3d7c1bc702fb\n"
        "   The ring of layer of a in plane row-1-1, forward, does not close: at pg1-row-t1-1-1-1 "
        "what comes in at port 1 goes out at port 3, and should go out at port 2.\n"
        "     1  remove 1->3 from pg1-row-t1-1-1-1\n"
        "     2  add 1->2 on pg1-row-t1-1-1-1\n",
    )
    as_json = json.loads(run(*check, "--json", stdin="switch,in,out\n").stdout)
    assert as_json["summary"] == {"ring-open": 1 + 60}


def test_a_job_that_ends_leaves_the_rest_as_it_was(run, state):
    end = ("rings", "release", *OF, "--state", state, "--job", "b", "-o", state)
    assert run(*end).stdout.splitlines()[1] == "b lets rows 2-3 columns 15-17 go."
    told = json.loads(run("rings", "show", *OF, "--state", state, "--json").stdout)
    assert [job["name"] for job in told["jobs"]] == ["a", "c"]


def test_a_plane_is_drawn_in_a_folder_or_told(run, state, tmp_path):
    draw = ("rings", "draw", *OF, "--state", state, "--plane")
    folder = tmp_path / "maps"
    assert run(*draw, "row-1-1", "--format", "svg", "-o", str(folder)).exit_code == 0
    assert [path.name for path in folder.iterdir()] == ["pg1-row-1-1-plane-map.svg"]
    told = run(*draw, "row-1-1", "--format", "csv", "-o", "-").stdout.splitlines()
    assert told == [
        "job,axis,way,on,groups,processors,entries",
        'a,layer,forward,"row 1 columns 1-24, row 2 columns 1-14",38,152,42',
        "b,row,forward,row 2 columns 15-17,3,12,3",
        "b,row,forward,row 3 columns 15-17,3,12,3",
    ]
    refused = run(*draw, "row-1", "--format", "csv", "-o", "-")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "fabric-twin: --plane: row-1 is more than one plane. Name one, like row-1-1.\n",
    )


def test_what_is_lost_comes_back(run, state):
    for verb, said in (("fail", "b has 2 of 3 rings"), ("repair", "b has all its rings again")):
        of = ("rings", verb, *OF, "--state", state, "--switch", "pg1-row-03-2-2", "-o", state)
        assert said in run(*of).stdout


def test_a_job_that_stood_still_is_named_once_it_goes_on(run, tmp_path):
    path = str(tmp_path / "now.json")
    run("rings", "ask", *OF, "--job", "a", "--shape", "24x24", "--axis", "x=row-1-1", "-o", path)
    of = (*OF, "--state", path, "--group", "r05c05", "-o", path)
    assert "a stands still: it has nowhere to go.\n" in run("rings", "fail", *of).stdout
    assert "a goes on: all that it has is there again.\n" in run("rings", "repair", *of).stdout


def test_planes_of_one_axis_may_be_named_one_by_one(run, tmp_path):
    axes = ("--axis", "layer=row-1-1", "--axis", "other=row-2-1", "--axis", "layer=row-1-2")
    path = tmp_path / "now.json"
    run("rings", "ask", *OF, "--job", "a", "--sequence", "8", *axes, "-o", str(path))
    [job] = json.loads(path.read_text())["jobs"]
    assert [(axis["name"], axis["planes"]) for axis in job["axes"]] == [
        ("layer", ["row-1-1", "row-1-2"]),
        ("other", ["row-2-1"]),
    ]


def test_two_commands_at_once_lose_no_job(run, tmp_path):
    path = tmp_path / "now.json"
    assert run("rings", "ask", *OF, "--job", "a", "--sequence", "8", "-o", str(path)).exit_code == 0
    ask = [PROGRAM, "rings", "ask", *OF, "--sequence", "8", "--state", path, "-o", path, "--job"]
    both = [subprocess.Popen([*ask, name], stdout=subprocess.DEVNULL) for name in ("b", "c")]
    assert [each.wait(60) for each in both] == [0, 0]
    assert {job["name"] for job in json.loads(path.read_text())["jobs"]} == {"a", "b", "c"}
    assert [file.name for file in tmp_path.iterdir()] == ["now.json"]


def test_a_share_is_kept_back_for_other_traffic(run, tmp_path):
    path = str(tmp_path / "now.json")
    ask = ("rings", "ask", *SMALL, "--job", "a", "--sequence", "8", "--keep-back", "0.1")
    assert run(*ask, "-o", path).exit_code == 0
    told = run("rings", "show", *SMALL, "--state", path).stdout.splitlines()
    assert told[1] == "A ring has 0.9 of each of its links, one way."


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--sequence", "20"), 1, "a plane of the cluster has 16 processors, fewer than 20"),
        (("--shape", "1x2", "-o", ""), 2, "--output: it has no name"),
        (("--sequence", "0"), 2, "0 is not in the range"),
        (("--processors", "5"), 2, "5 processors are no small job: a group has 4"),
        (("--shape", "1xx"), 2, "'1xx' is no shape"),
        (("--shape", "0x1"), 2, "0x1 groups are not within 1x4"),
        (("--shape", "1x2", "--axis", "layer"), 2, "'layer' is no axis"),
        (("--shape", "1x2", "--axis", "layer=col"), 2, "there is no plane col"),
        (("--shape", "1x2", "--axis", "layer=ring"), 2, "'ring' names no plane"),
        (("--shape", "1x2", "--groups", "r01c01,r01c09"), 2, "there is no group 'r01c09'"),
        (("--shape", "1x2", "--groups", "r01c01"), 2, "a takes 2 groups, and 1 are given"),
        (("--shape", "1x2", "--keep-back", "nan"), 2, "'nan' is not a number"),
        (("--shape", "1x2", "--keep-back", "1"), 2, "1.0 is not in the range"),
        (("--shape", "1x2", "--sequence", "4"), 2, "Give one of --processors, --sequence"),
        ((), 2, "Give one of --processors, --sequence and --shape"),
        (("--shape", "1x2", "--json", "--csv"), 2, "Choose one of --json and --csv"),
        (("--shape", "1x2", "-o", "-"), 2, "--output is a file"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(run, options, code, said):
    result = run("rings", "ask", *SMALL, "--job", "a", *options)
    assert result.exit_code == code
    assert said in result.stderr


def test_a_refusal_leaves_the_file_as_it_was(run, state):
    before = Path(state).read_bytes()
    more = ("--job", "d", "--sequence", "2304", "--state", state, "-o", state)
    refused = run("rings", "ask", *OF, *more)
    assert refused.exit_code == 1
    assert refused.stderr == (
        "fabric-twin: rings: the sequence takes 576 groups, and 531 are free. Release a job, or "
        "ask for at most 24 groups of one row.\n"
    )
    assert Path(state).read_bytes() == before


def test_other_kinds_of_fabric_have_no_rings_of_groups(run):
    refused = run(
        "rings", "ask", "--design", "tpu-v4", "--pod", "v4", "--job", "a", "--shape", "1x1"
    )
    assert (refused.exit_code, refused.stderr) == (
        2,
        "fabric-twin: design tpu-v4: rings are of groups of processors over packet switches. Ask "
        "for slices, or for a topology.\n",
    )
