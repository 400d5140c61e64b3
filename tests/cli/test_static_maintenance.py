"""A unit of a static pod is out: the slice on it moves to another box, or stands."""

import json

import pytest

POD = ("--design", "tpu-v5e", "--pod", "e1")


@pytest.fixture
def in_use(run, tmp_path):
    """A quarter at slot 1, and the half of the pod beside it."""
    path, slices = tmp_path / "in-use.json", []
    for name, shape in (("quarter", "8x8"), ("half", "8x16")):
        path.write_text(json.dumps({"version": 1, "slices": slices}))
        made = run("slice", *POD, "--shape", shape, "--name", name, "--in-use", str(path), "--json")
        slices.append(json.loads(made.stdout))
    path.write_text(json.dumps({"version": 1, "slices": slices}))
    assert [made["wraps"] for made in slices] == [[False, False], [False, True]]
    return str(path)


def test_slots_that_are_no_box_are_refused(run, in_use, tmp_path):
    content = json.loads((tmp_path / "in-use.json").read_text())
    content["slices"][0]["cubes"][1]["slot"] = 9
    (tmp_path / "in-use.json").write_text(json.dumps(content))
    said = run("maintenance", *POD, "--in-use", in_use, "--cube", "1")
    assert said.exit_code == 2
    assert said.stderr.endswith(
        "slots 1, 9, 2, 6 are no box of 2x2 cubes of this static plant. "
        "Name slots that cables join, each at its place, as `slice --json` does.\n"
    )


def test_a_slice_moves_to_another_box(run, in_use):
    said = run("maintenance", *POD, "--in-use", in_use, "--cube", "1")
    assert (said.exit_code, said.stderr) == (0, "")
    assert said.stdout == (
        "Maintenance of e1-c001 in slot 1, pod e1 (tpu-v5e).\n"
        "Risk medium: 1 slice is interrupted to move.\n"
        "Affected: quarter.\n"
        "Left now: 4 free cubes of 16 that are healthy.\n"
        "Left then: 3 free cubes of 15 that are healthy.\n"
        "\n"
        "  1  move quarter (8x8): slot 1 to slot 9, slot 5 to slot 13, slot 2 to slot 10, "
        "slot 6 to slot 14\n"
    )


def test_a_slice_that_has_no_other_box_stands(run, in_use):
    said = run("maintenance", *POD, "--in-use", in_use, "--cube", "3")
    assert (said.exit_code, said.stderr) == (1, "")
    assert said.stdout == (
        "Maintenance of e1-c003 in slot 3, pod e1 (tpu-v5e).\n"
        "Risk high: 1 slice cannot move: working on what is out of service takes it down.\n"
        "Affected: half.\n"
        "Left now: 4 free cubes of 16 that are healthy.\n"
        "Left then: 4 free cubes of 15 that are healthy.\n"
        "\n"
        "Cannot move: half (8x16).\n"
        "   no other box of 8x16 is free; 11 of 16 cubes are free (4 in use, 1 unhealthy)\n"
    )


def test_a_neighbour_of_what_is_out_stays_where_it_is(run, in_use):
    said = run("maintenance", *POD, "--in-use", in_use, "--cube", "9")
    assert said.exit_code == 0
    assert "quarter" not in said.stdout
    assert "half" not in said.stdout


def test_a_slice_moves_anywhere_where_no_aligned_box_is_free(run, tmp_path):
    path = tmp_path / "in-use.json"
    path.write_text(json.dumps({"version": 1, "slices": []}))
    made = run("slice", *POD, "--shape", "8x16", "--name", "half", "--in-use", str(path), "--json")
    slices = [json.loads(made.stdout)]
    path.write_text(json.dumps({"version": 1, "slices": slices, "unhealthy": {"slots": [4]}}))
    said = run("maintenance", *POD, "--in-use", str(path), "--cube", "1")
    assert (said.exit_code, said.stderr) == (0, "")
    assert said.stdout.splitlines()[-1].startswith("  1  move half (8x16): slot 1 to slot 2, ")
