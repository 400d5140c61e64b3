"""`maintenance` as people and programs use it."""

import json

import pytest

MAINTENANCE = ("maintenance", "--design", "ironwood", "--pod", "iw1", "--slots", "1-6")


@pytest.fixture
def in_use(tmp_path):
    """A slice of two cubes in slots 1 and 2, and a part of the cube in slot 4."""
    whole = {"version": 1, "name": "job-a", "shape": "4x4x8", "cubes": [
        {"at": [0, 0, 0], "slot": 1}, {"at": [0, 0, 1], "slot": 2}
    ]}  # fmt: skip
    part = {"version": 1, "name": "part", "shape": "1x1x1", "chips": [[4, 1, 1, 1]]}
    path = tmp_path / "in-use.json"
    path.write_text(json.dumps({"slices": [whole, part]}))
    return str(path)


def test_what_can_move_is_moved(run, in_use):
    result = run(*MAINTENANCE, "--in-use", in_use, "--cube", "2", "--rack", "c004")
    shown, stages = result.stdout.split("\nStage 1 of 3", 1)
    assert shown == (
        "Maintenance of iw1-c002 in slot 2, iw1-c004 in slot 4, pod iw1 (ironwood).\n"
        "Risk medium: 2 slices are interrupted to move.\n"
        "Affected: job-a, part; 64 links go dark.\n"
        "Left now: 3 free cubes of 6 that are healthy; largest shapes: 4x4x12, 4x4x8.\n"
        "Left then: 1 free cube of 4 that are healthy; largest shapes: 4x4x4.\n"
        "\n"
        "  1  move part (1x1x1): slot 4 to slot 3\n"
        "  2  move job-a (4x4x8): slot 2 to slot 5\n"
    )
    assert stages.endswith("To undo: the stages in reverse, - and + exchanged.\n")
    assert (result.exit_code, result.stderr) == (0, "")


def test_what_cannot_move_is_named(run, in_use):
    result = run(*MAINTENANCE, "--in-use", in_use, "--switch", "x-3-2")
    assert result.stdout == (
        "Maintenance of iw1-ocs-x-3-2, pod iw1 (ironwood).\n"
        "Risk high: 1 slice cannot move: working on what is out of service takes it down.\n"
        "Affected: job-a; 2 links go dark.\n"
        "Left now: 3 free cubes of 6 that are healthy; largest shapes: 4x4x12, 4x4x8.\n"
        "Left then: no free cube of 6 that are healthy.\n"
        "\n"
        "Cannot move: job-a (4x4x8), 2 links go dark.\n"
        "   every cube has a cable on what is out; it could bear that: a join would lack 1 switch, "
        "X keeps 0.9375\n"
    )
    assert result.stderr == (
        "fabric-twin: warning: slices that cannot move keep their circuits: release them first, or "
        "interrupt them.\n"
    )
    assert result.exit_code == 1


def test_a_slice_bears_a_switch_and_its_file_is_read_back(run, in_use, tmp_path):
    shown = run(*MAINTENANCE, "--in-use", in_use, "--switch", "x-3-2", "--bear", "1")
    assert shown.stdout == (
        "Maintenance of iw1-ocs-x-3-2, pod iw1 (ironwood).\n"
        "Risk medium: 1 slice is slower until it is returned.\n"
        "Affected: job-a; 2 links go dark.\n"
        "Left now: 3 free cubes of 6 that are healthy; largest shapes: 4x4x12, 4x4x8.\n"
        "Left then: no free cube of 6 that are healthy (3 if a slice bears 1 switch).\n"
        "\n"
        "Bears it: job-a (4x4x8), 2 links go dark.\n"
        "   Capacity left: X 0.9375 (before: 1), Y 1, Z 1. Slowest link: 1/2. 2 detours.\n"
        "\n"
        "Stage 1 of 1: remove 2 on 1 switch, whose ports no other circuit needs.\n"
        "   - 1A to 1B on iw1-ocs-x-3-2 of job-a\n"
        "   - 2A to 2B on iw1-ocs-x-3-2 of job-a\n"
        "\n"
        "To undo: the stages in reverse, - and + exchanged.\n"
    )
    assert (shown.exit_code, shown.stderr) == (0, "")

    told = run(*MAINTENANCE, "--in-use", in_use, "--switch", "x-3-2", "--bear", "1", "--json")
    [bears] = json.loads(told.stdout)["bears"]
    made = bears["slice"]
    assert made["without"] == [
        {"switch": "iw1-ocs-x-3-2", "a": port + "A", "b": port + "B",
         "why": "taken by maintenance of iw1-ocs-x-3-2"}
        for port in ("1", "2")
    ]  # fmt: skip
    assert (len(made["circuits"]), made["slowest_link"]) == (94, 0.5)
    out = {"unhealthy": {"switches": ["iw1-ocs-x-3-2"]}, "slices": [made]}
    then = tmp_path / "then.json"
    then.write_text(json.dumps(out))
    # The switch itself is nothing to it any more; with another of X it would lack two.
    again = run(*MAINTENANCE, "--in-use", str(then), "--switch", "x-3-2", "--bear", "1")
    assert "Risk low: no slice uses it." in again.stdout
    other = run(*MAINTENANCE, "--in-use", str(then), "--switch", "x-4-2", "--bear", "1")
    assert "a join would lack 2 switches, X keeps 0.875" in other.stdout
    assert other.exit_code == 1
    third = run(*MAINTENANCE, "--in-use", str(then), "--switch", "y-1-1", "--bear", "1")
    assert "Capacity left: X 0.9375, Y 0.9375 (before: 1), Z 1." in third.stdout


def test_json_has_the_plan_and_what_else_it_does(run, in_use):
    result = run(*MAINTENANCE, "--in-use", in_use, "--board", "y-1-1:0", "--interrupt", "--json")
    facts = json.loads(result.stdout)
    assert result.exit_code == 1
    assert (facts["kind"], facts["risk"]["level"]) == ("maintenance", "high")
    assert [one["name"] for one in facts["stranded"]] == ["job-a"]
    assert facts["wish"]["boards"] == [["iw1-ocs-y-1-1", 0]]
    assert facts["plan"]["effects"] == []
    (stage,) = facts["plan"]["stages"]
    assert {circuit["switch"] for circuit in stage["remove"]} == {"iw1-ocs-y-1-1"}


def test_circuits_that_nobody_wants_make_way(run, in_use, tmp_path):
    left = {"switch": "iw1-ocs-x-1-1", "a": "3A", "b": "3B"}
    other = {"switch": "iw2-ocs-x-1-1", "a": "3A", "b": "3B"}
    there = tmp_path / "now.json"
    there.write_text(json.dumps({"version": 1, "circuits": [left, other]}))
    result = run(*MAINTENANCE, "--in-use", in_use, "--from", str(there), "--cube", "3", "--json")
    assert json.loads(result.stdout)["plan"]["remove"] == [{**left, "owner": ""}]
    assert result.stderr == (
        "fabric-twin: warning: 1 circuit on switches of other pods was ignored.\n"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "Name a --switch, a --board, a --cube or a --rack."),
        (
            ("--board", "x-3-2"),
            "--board: 'x-3-2' is not a driver board of a switch. Write the switch and the board's "
            "number, like x-3-2:0.",
        ),
        (
            ("--rack", "row-4"),
            "--rack: 'row-4' is not the rack of a cube of pod iw1. Name one like iw1-c001; for a "
            "rack "
            "of switches name each --switch.",
        ),
        (
            ("--switch", "q"),
            "maintenance: the pod iw1 has no switch 'q'. Name one like iw1-ocs-x-1-1.",
        ),
        (
            ("--board", "x-3-2:8"),
            "out of service: the pod has no driver board 8. It has driver boards 0 to 7 in each "
            "switch.",
        ),
        (("--cube", "145"), "out of service: the pod has no slot 145. It has slots 1 to 144."),
    ],
)
def test_what_is_not_there_is_refused(run, in_use, options, said):
    result = run(*MAINTENANCE, "--in-use", in_use, *options)
    assert said in result.stderr
    assert (result.exit_code, result.stdout) == (2, "")
