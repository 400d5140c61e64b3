"""A slice that bears a switch, as people and programs see it: made, read back, planned, printed."""

import json

import pytest

POD = ("--design", "ironwood", "--pod", "p")
PAIRED = ("--design", "tpu-v4", "--pod", "p")
OUT = {"unhealthy": {"switches": ["p-ocs-x-3-2"]}}


@pytest.fixture
def out(tmp_path):
    """A file that says that the switch ocs-x-3-2 is out."""
    path = tmp_path / "out.json"
    path.write_text(json.dumps(OUT))
    return str(path)


@pytest.fixture
def borne(run, out, tmp_path):
    """A slice of two cubes that bears it, as a file."""
    path = tmp_path / "slice.json"
    options = ("--shape", "4x4x8", "--slots", "7,9", "--in-use", out, "--bear", "1", "--json")
    assert run("slice", *PAIRED, *options, "-o", str(path)).exit_code == 0
    return path


def test_a_person_sees_what_is_lost_what_is_left_and_how_traffic_goes(run, out):
    shape = ("--shape", "8x4x4", "--slots", "7,9", "--in-use", out)
    result = run("slice", *POD, *shape, "--bear", "1")
    assert result.stdout == (
        "Slice 8x4x4-1 of pod p (ironwood): 8x4x4, 128 chips, 2 cubes.\n"
        "Slots along Z, from 0; `+` of each joins `-` of the next, the last closes:\n"
        "  x=0 y=0:  7\n"
        "  x=1 y=0:  9\n"
        "94 circuits on 47 switches; --json lists them.\n"
        "Capacity left: X 0.9375, Y 1, Z 1. Slowest link: 1/2, where 1 detour shares a circuit.\n"
        "Without 2 circuits: p-ocs-x-3-2 is unhealthy.\n"
        "2 detours; --json lists them:\n"
        "  X 3,2 by 4,2 at 2 joins: 7:4.3.2 to 7:4.4.2, p-ocs-x-4-2 7A-9B, 9:1.4.2 to 9:1.3.2\n"
    )
    assert (result.exit_code, result.stderr) == (0, "")
    short = run("slice", *POD, *shape)
    assert (short.exit_code, short.stdout) == (1, "")
    assert short.stderr == (
        "fabric-twin: slice: 8x4x4 takes 2 cubes, and 0 of 2 cubes are free (2 with an unhealthy "
        "port); if it bears 1 switch: 2. The largest shape under a cube that fits now: 2x4x4.\n"
    )


def test_json_has_what_is_lost_and_each_detour(run, out):
    shape = ("--shape", "8x4x4", "--slots", "7,9", "--in-use", out)
    made = json.loads(run("slice", *POD, *shape, "--bear", "1", "--json").stdout)
    assert list(made) == [
        "version", "name", "shape", "twisted", "cubes",
        "circuits", "without", "capacity", "detours", "slowest_link",
    ]  # fmt: skip
    why = "p-ocs-x-3-2 is unhealthy"
    lost, via = ({"switch": f"p-ocs-x-{number}-2", "a": "7A", "b": "9B"} for number in (3, 4))
    assert made["without"] == [
        lost | {"why": why},
        {"switch": "p-ocs-x-3-2", "a": "9A", "b": "7B", "why": why},
    ]
    assert (made["capacity"], made["slowest_link"]) == ({"x": 0.9375, "y": 1, "z": 1}, 0.5)
    assert made["detours"][0] == {
        "axis": "x",
        "lost": lost,
        "via": via,
        "way": [[7, 4, 3, 2], [7, 4, 4, 2], [9, 1, 4, 2], [9, 1, 3, 2]],
    }
    assert len(made["detours"]) == 2


def test_without_anything_lost_all_is_whole_and_without_the_option_nothing_is_said(run):
    shape = ("--shape", "4x4x4")
    assert run("slice", *POD, *shape, "--bear", "1").stdout.endswith(
        "48 circuits on 48 switches; --json lists them.\nEvery circuit of its torus is made.\n"
    )
    plain = json.loads(run("slice", *POD, *shape, "--json").stdout)
    made = json.loads(run("slice", *POD, *shape, "--json", "--bear", "1").stdout)
    assert made == plain | {
        "without": [],
        "capacity": {"x": 1, "y": 1, "z": 1},
        "detours": [],
        "slowest_link": 1,
    }
    part = ("--shape", "2x2x4", "--json")
    assert run("slice", *POD, *part, "--bear", "1").stdout == run("slice", *POD, *part).stdout


def test_a_person_sees_four_reasons_and_four_detours_and_how_many_more(run, tmp_path):
    ports = [[f"p-ocs-x-{i}-{j}", f"{slot}A"] for slot, i, j in
             ((7, 1, 1), (7, 2, 2), (7, 3, 3), (7, 4, 4), (9, 1, 2), (9, 4, 1))]  # fmt: skip
    file = tmp_path / "ports.json"
    file.write_text(json.dumps({"unhealthy": {"ports": ports}}))
    shape = ("--shape", "4x4x8", "--slots", "7,9", "--in-use", str(file), "--bear", "4")
    assert run("slice", *POD, *shape).stdout.partition("lists them.\n")[2] == (
        "Capacity left: X 0.75, Y 1, Z 1. Slowest link: 1/2, where 1 detour shares a circuit.\n"
        "Without 1 circuit: p-ocs-x-1-1 port 7A is unhealthy.\n"
        "Without 1 circuit: p-ocs-x-1-2 port 9A is unhealthy.\n"
        "Without 1 circuit: p-ocs-x-2-2 port 7A is unhealthy.\n"
        "Without 1 circuit: p-ocs-x-3-3 port 7A is unhealthy.\n"
        "  and 2 more reasons; --json has them all\n"
        "6 detours; --json lists them:\n"
        "  X 1,1 by 2,1 at 1 join: 7:4.1.1 to 7:4.2.1, p-ocs-x-2-1 7A-7B, 7:1.2.1 to 7:1.1.1\n"
        "  X 2,2 by 3,2 at 1 join: 7:4.2.2 to 7:4.3.2, p-ocs-x-3-2 7A-7B, 7:1.3.2 to 7:1.2.2\n"
        "  X 3,3 by 4,3 at 1 join: 7:4.3.3 to 7:4.4.3, p-ocs-x-4-3 7A-7B, 7:1.4.3 to 7:1.3.3\n"
        "  X 4,4 by 3,4 at 1 join: 7:4.4.4 to 7:4.3.4, p-ocs-x-3-4 7A-7B, 7:1.3.4 to 7:1.4.4\n"
        "  and 2 more ways; --json has them all\n"
    )


def test_each_reason_names_the_ports_that_are_unhealthy(run, tmp_path):
    ports = [["p-ocs-x-3-2", "7A"], ["p-c007-t08", "4.3.2/X+"], ["p-ocs-y-1-1", "9B"]]
    file = tmp_path / "ports.json"
    file.write_text(json.dumps({"unhealthy": {"ports": ports}}))
    shape = ("--shape", "4x4x8", "--slots", "7,9", "--in-use", str(file), "--bear", "1")
    made = json.loads(run("slice", *POD, *shape, "--json").stdout)
    assert [row["why"] for row in made["without"]] == [
        "p-ocs-x-3-2 port 7A and p-c007-t08 port 4.3.2/X+ are unhealthy",
        "p-ocs-y-1-1 port 9B is unhealthy",
    ]


def test_what_is_borne_is_read_back_without_a_warning(run, borne, tmp_path):
    in_use = tmp_path / "in-use.json"
    in_use.write_text(json.dumps({"slices": [json.loads(borne.read_text())], **OUT}))
    more = run("slice", *PAIRED, "--shape", "4x4x4", "--in-use", str(in_use), "--bear", "1")
    assert (more.exit_code, more.stderr) == (0, "")
    # Its circuits are those that it has: none goes through what is out already.
    there = ("maintenance", *PAIRED, "--in-use", str(in_use), "--json", "--switch")
    gone = json.loads(run(*there, "x-3-2").stdout)
    assert (gone["risk"]["reason"], gone["blast"]["links"]) == ("no slice uses it", 0)
    gone = json.loads(run(*there, "y-1-1").stdout)
    assert (gone["blast"]["slices"], gone["blast"]["links"]) == (["4x4x8-1"], 2)


def test_a_slice_that_moves_off_a_cube_bears_at_its_other_cubes_what_it_did(run, tmp_path):
    out = {"ports": [["p-ocs-x-3-2", "7A"]]}
    file = tmp_path / "in-use.json"
    file.write_text(json.dumps({"unhealthy": out}))
    shape = ("--shape", "4x4x8", "--slots", "7,9", "--bear", "1", "--json")
    made = json.loads(run("slice", *POD, *shape, "--in-use", str(file)).stdout)
    file.write_text(json.dumps({"slices": [made], "unhealthy": out}))
    away = json.loads(
        run("maintenance", *POD, "--in-use", str(file), "--cube", "9", "--json").stdout
    )
    [move] = [effect for effect in away["plan"]["effects"] if effect["do"] == "move-slice"]
    assert [cube["slot"] for cube in move["to"]["cubes"]] == [7, 1]
    assert move["to"]["without"] == [{"switch": "p-ocs-x-3-2", "a": "7A", "b": "7B"}]
    assert not any(
        (circuit["switch"], circuit["a"]) == ("p-ocs-x-3-2", "7A")
        for circuit in away["plan"]["add"]
    )


def test_a_slice_that_moves_uses_no_switch_that_it_says_is_out(run, borne, tmp_path):
    # Nothing is said to be unhealthy: that the slice does without says enough.
    file = tmp_path / "in-use.json"
    file.write_text(json.dumps({"slices": [json.loads(borne.read_text())]}))
    away = json.loads(
        run("maintenance", *PAIRED, "--in-use", str(file), "--cube", "7", "--json").stdout
    )
    assert len(away["plan"]["add"]) == 126  # all of cube 1 but one link, each of two circuits
    assert not [row for row in away["plan"]["add"] if row["switch"] == "p-ocs-x-3-2"]
    [move] = [effect for effect in away["plan"]["effects"] if effect["do"] == "move-slice"]
    assert [(row["a"], row["b"]) for row in move["to"]["without"]] == [
        ("1A", "65B"), ("9A", "73B"), ("65A", "1B"), ("73A", "9B"),
    ]  # fmt: skip


def test_no_slice_moves_off_a_cube_while_a_switch_is_out(run, borne, tmp_path):
    """A limit that docs/maintenance.md names."""
    file = tmp_path / "in-use.json"
    file.write_text(json.dumps({"slices": [json.loads(borne.read_text())], **OUT}))
    told = run("maintenance", *PAIRED, "--in-use", str(file), "--cube", "9")
    assert told.exit_code == 1
    assert "   it needs 1 other cube, and 0 are free of what is out\n" in told.stdout


def test_a_slice_stays_where_a_join_would_lack_more_than_it_does_now(run, tmp_path):
    # At its two joins along Z it lacks one switch each, and not the same.
    ports = [["p-ocs-z-1-1", "7A"], ["p-ocs-z-2-2", "7B"]]
    file = tmp_path / "in-use.json"
    file.write_text(json.dumps({"unhealthy": {"ports": ports}}))
    shape = ("--shape", "4x4x8", "--slots", "7,9", "--in-use", str(file), "--bear", "1")
    made = json.loads(run("slice", *POD, *shape, "--json").stdout)
    file.write_text(json.dumps({"slices": [made]}))
    told = run("maintenance", *POD, "--in-use", str(file), "--cube", "9")
    assert told.exit_code == 1
    assert (
        "   at other cubes it would lack more links of a join than it does now: what it does "
        'without is not all under "unhealthy"\n'
    ) in told.stdout


def test_a_plan_for_it_does_not_warn_of_what_it_knowingly_lacks(run, borne, tmp_path):
    empty, out = tmp_path / "empty.json", tmp_path / "out.json"
    empty.write_text('{"version": 1, "circuits": []}')
    plan = ("plan", *PAIRED, "--from", str(empty), "--in-use", str(out), "--json")
    told = run(*plan, "--to", str(borne))
    assert (told.exit_code, told.stderr) == (0, "")
    assert len(json.loads(told.stdout)["add"]) == 188
    unsaid = json.loads(borne.read_text())
    del unsaid["without"]
    borne.write_text(json.dumps(unsaid))
    assert "only 30 are there" in run(*plan, "--to", str(borne)).stderr


def test_a_plan_refuses_what_a_sheet_refuses(run, borne, tmp_path):
    empty = tmp_path / "empty.json"
    empty.write_text('{"version": 1, "circuits": []}')
    plan = ("plan", *PAIRED, "--from", str(empty), "--to", str(borne))
    sheet = ("render", "slice-sheet", *PAIRED, "--slice", str(borne), "--format", "txt", "-o", "-")
    made = json.loads(borne.read_text())

    def told(**changed):
        borne.write_text(json.dumps(made | changed))
        one, other = run(*plan), run(*sheet)
        assert (one.exit_code, one.stderr) == (other.exit_code, other.stderr)
        return one.stderr

    assert told(circuits=[*made["circuits"], made["without"][0]]) == (
        f'fabric-twin: {borne}, without, circuit 1: 7A to 71B on p-ocs-x-3-2 is under "circuits" '
        'and under "without". Let each circuit be either made or left out.\n'
    )
    for a, b in (("50A", "115B"), ("9999A", "115B")):
        foreign = [{"switch": "p-ocs-x-3-2", "a": one, "b": other} for one, other in
                   ((a, b), (b[:-1] + "A", a[:-1] + "B"))]  # fmt: skip
        assert told(without=[*made["without"], *foreign]) == (
            f"fabric-twin: {borne}, without, circuit 5: {a} to {b} on p-ocs-x-3-2 is not what "
            "joins its cubes in pod p of tpu-v4. Name the pod and the design that the slice was "
            "made for.\n"
        )


def test_its_sheet_lists_what_it_lacks_and_the_detours(run, borne):
    sheet = ("render", "slice-sheet", *PAIRED, "--slice", str(borne), "--format", "txt", "-o", "-")
    shown = run(*sheet)
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert (
        "Circuits: 188, on switches: 47\n"
        "Without 4. Capacity left: X 0.9375, Y 1, Z 1. Slowest link: 1/2, where 1 detour shares a "
        "circuit\n"
    ) in shown.stdout
    assert (
        "Without\n"
        "switch       a    b    why\n"
        "p-ocs-x-3-2  7A   71B  p-ocs-x-3-2 is unhealthy\n"
        "p-ocs-x-3-2  71A  7B   p-ocs-x-3-2 is unhealthy\n"
        "p-ocs-x-3-2  9A   73B  p-ocs-x-3-2 is unhealthy\n"
        "p-ocs-x-3-2  73A  9B   p-ocs-x-3-2 is unhealthy\n"
        "\n"
        "Detours\n"
        "axis  lost  by   way\n"
        "X     3,2   4,2  7:4.3.2 to 7:4.4.2, p-ocs-x-4-2 7A-71B, 7:1.4.2 to 7:1.3.2\n"
        "X     3,2   4,2  9:4.3.2 to 9:4.4.2, p-ocs-x-4-2 9A-73B, 9:1.4.2 to 9:1.3.2\n"
    ) in shown.stdout


def test_the_light_path_of_a_port_without_a_circuit_is_its_detour(run, borne):
    path = ("render", "light-path", *PAIRED, "--slice", str(borne), "--format")
    assert run(*path, "txt", "-o", "-", "--port", "c007:4.3.2/X+").stdout == (
        "Light path of p-c007-t08 4.3.2/X+\n"
        "Pod p (tpu-v4)\n"
        "Owner: 4x4x8-1\n"
        "Detour: p-ocs-x-3-2 is unhealthy, and the traffic goes by a neighbour\n"
        "\n"
        "Path\n"
        "what         name                 more\n"
        "port         p-c007-t08 4.3.2/X+\n"
        "copper       4.3.2 to 4.4.2       detour\n"
        "port         p-c007-t08 4.4.2/X+\n"
        "cable        p-c007:4.4.2/X+\n"
        "switch port  p-ocs-x-4-2 7\n"
        "circuit      7 to 71              4x4x8-1\n"
        "switch port  p-ocs-x-4-2 71\n"
        "cable        p-c007:1.4.2/X-\n"
        "port         p-c007-t07 1.4.2/X-\n"
        "copper       1.4.2 to 1.3.2       detour\n"
        "port         p-c007-t07 1.3.2/X-\n"
    )
    back = run(*path, "csv", "-o", "-", "--port", "c009:1.3.2/X-").stdout
    assert "copper,1.3.2 to 1.4.2,detour" in back
    assert back.rstrip().splitlines()[-1].startswith("port,p-c009-t08 4.3.2/X+")
    drawn = run(*path, "svg", "-o", "-", "--port", "c007:4.3.2/X+").stdout
    assert "Detour: p-ocs-x-3-2 is unhealthy" in drawn
    for station in ("4.3.2 to 4.4.2", "1.4.2 to 1.3.2"):
        assert f">{station} <tspan" in drawn
    # Copper has a mark of its own: a cable is a short stroke.
    assert drawn.count(">copper</text>") == drawn.count("l10 10l-10 10l-10 -10z") == 2
    assert drawn.count(">cable</text>") == drawn.count("h16") == 2
    # A port that has its circuit is shown as ever.
    whole = run(*path, "txt", "-o", "-", "--port", "c007:4.4.2/X+").stdout
    assert "The light arrives" in whole


def test_a_circuit_that_came_back_needs_no_detour(run, borne, tmp_path):
    circuits = tmp_path / "circuits.json"
    made = json.loads(borne.read_text())
    rows = [*made["circuits"], *({k: c[k] for k in ("switch", "a", "b")} for c in made["without"])]
    circuits.write_text(json.dumps({"version": 1, "circuits": rows}))
    path = ("render", "light-path", *PAIRED, "--slice", str(borne), "--circuits", str(circuits))
    shown = run(*path, "--port", "c007:4.3.2/X+", "--format", "txt", "-o", "-").stdout
    assert "The light arrives" in shown
    assert "copper" not in shown


def test_half_a_link_or_a_circuit_of_both_kinds_is_refused(run, borne):
    sheet = ("render", "slice-sheet", *PAIRED, "--slice", str(borne), "--format", "txt", "-o", "-")
    made = json.loads(borne.read_text())
    half = made["without"].pop()
    made["circuits"].append(half)
    borne.write_text(json.dumps(made))
    told = run(*sheet)
    assert told.exit_code == 2
    assert told.stderr == (
        f"fabric-twin: {borne}, without, circuit 3: it does without 9A to 73B on p-ocs-x-3-2 and "
        "not without 73A to 9B. A link of a paired plant is two circuits: leave out both or "
        "neither.\n"
    )
    made["without"].append(half)
    borne.write_text(json.dumps(made))
    assert run(*sheet).stderr == (
        f'fabric-twin: {borne}, without, circuit 4: 73A to 9B on p-ocs-x-3-2 is under "circuits" '
        'and under "without". Let each circuit be either made or left out.\n'
    )


def test_a_join_without_any_circuit_is_refused(run, borne):
    made = json.loads(borne.read_text())
    along_x = [row for row in made["circuits"] if "-x-" in row["switch"]]
    made["circuits"] = [row for row in made["circuits"] if row not in along_x]
    made["without"] += along_x
    borne.write_text(json.dumps(made))
    sheet = ("render", "slice-sheet", *PAIRED, "--slice", str(borne), "--format", "txt", "-o", "-")
    told = run(*sheet)
    assert (told.exit_code, told.stderr) == (
        2,
        f"fabric-twin: {borne}, without: cube 7 to cube 7 along X has no circuit left. "
        "Leave each join of two cubes one circuit at least.\n",
    )


def test_a_switch_that_the_design_does_not_have_is_refused(run):
    file = json.dumps({"unhealthy": {"switches": ["p-ocs-x-5-5"]}})
    told = run("slice", *POD, "--shape", "4x4x4", "--in-use", "-", stdin=file)
    assert (told.exit_code, told.stderr) == (
        2,
        "fabric-twin: standard input, unhealthy switch 1: the design has no switch 'p-ocs-x-5-5'. "
        "Name a switch as a cut sheet does.\n",
    )


@pytest.mark.parametrize("option", [("--bear", "1"), ("--hold-back", "1"), ("--name", "a")])
def test_options_of_a_shape_are_refused_with_defragment(run, option):
    told = run("slice", *POD, "--defragment", *option)
    assert told.exit_code == 2
    assert told.stderr.endswith(f"Error: {option[0]} goes with --shape, not with --defragment.\n")
