"""`fabric-twin plan` as people and schedulers use it."""

import json

import pytest

SWITCHES = [f"p-ocs-{axis}-{i}-{j}" for axis in "xyz" for i in (1, 2, 3, 4) for j in (1, 2, 3, 4)]


def torus(owner: str, *slots: int, of=SWITCHES) -> list[dict[str, str]]:
    """Cubes in one ring along X, and each its own neighbour along Y and Z."""
    following = dict(zip(slots, slots[1:] + slots[:1], strict=True))
    return [
        {
            "switch": switch,
            "a": f"{slot}A",
            "b": f"{following[slot] if '-x-' in switch else slot}B",
            "owner": owner,
        }
        for switch in of
        for slot in slots
    ]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """`now.json`: three jobs. `wish.json`: job-a in another order, job-c gone, job-d come."""
    monkeypatch.chdir(tmp_path)
    now = torus("job-a", 1, 2, 3) + torus("job-b", 4) + torus("job-c", 5)
    wish = torus("job-a", 2, 1, 3) + torus("job-b", 4) + torus("job-d", 6)
    for name, circuits in (("now", now), ("wish", wish)):
        (tmp_path / f"{name}.json").write_text(json.dumps({"version": 1, "circuits": circuits}))
    return tmp_path


def plan(run, *options, **more):
    return run("plan", "--design", "ironwood", "--pod", "p", *options, **more)


def test_who_is_interrupted_is_at_the_top(run, files):
    result = plan(run, "--from", "now.json", "--to", "wish.json")
    assert result.stdout == (
        "Pod p (ironwood), circuits: keep 144, remove 96, add 96.\n"
        "Interrupted: job-a (loses 48, gains 48), job-c (loses 48, gains 0).\n"
        "Untouched: job-b.\n"
        "Changes: 192; no plan makes fewer than 192.\n"
        "\n"
        "Stage 1 of 3: add 48 on 48 switches, on free ports.\n"
        "   + 6A to 6B on p-ocs-x-1-1 of job-d\n"
        "   + 6A to 6B on p-ocs-x-1-2 of job-d\n"
        "   + 6A to 6B on p-ocs-x-1-3 of job-d\n"
        "   + 6A to 6B on p-ocs-x-1-4 of job-d\n"
        "   + and 44 more: --json has them all\n"
        "\n"
        "Stage 2 of 3: remove 48 and add 48 in their place on 16 switches.\n"
        "   - 1A to 2B on p-ocs-x-1-1 of job-a\n"
        "   - 2A to 3B on p-ocs-x-1-1 of job-a\n"
        "   - 3A to 1B on p-ocs-x-1-1 of job-a\n"
        "   - 1A to 2B on p-ocs-x-1-2 of job-a\n"
        "   - and 44 more: --json has them all\n"
        "   + 2A to 1B on p-ocs-x-1-1 of job-a\n"
        "   + 1A to 3B on p-ocs-x-1-1 of job-a\n"
        "   + 3A to 2B on p-ocs-x-1-1 of job-a\n"
        "   + 2A to 1B on p-ocs-x-1-2 of job-a\n"
        "   + and 44 more: --json has them all\n"
        "\n"
        "Stage 3 of 3: remove 48 on 48 switches, whose ports no other circuit needs.\n"
        "   - 5A to 5B on p-ocs-x-1-1 of job-c\n"
        "   - 5A to 5B on p-ocs-x-1-2 of job-c\n"
        "   - 5A to 5B on p-ocs-x-1-3 of job-c\n"
        "   - 5A to 5B on p-ocs-x-1-4 of job-c\n"
        "   - and 44 more: --json has them all\n"
        "\n"
        "To undo: the stages in reverse, - and + exchanged.\n"
    )
    assert (result.exit_code, result.stderr) == (0, "")


def test_json_is_the_contract(run, files):
    one = SWITCHES[:1]
    now, wish = torus("job-a", 1, of=one) + torus("job-b", 3, of=one), torus("job-a", 1, 2, of=one)
    (files / "one.json").write_text(json.dumps({"version": 1, "circuits": now}))
    (files / "two.json").write_text(json.dumps({"version": 1, "circuits": wish}))
    result = plan(run, "--from", "one.json", "--to", "two.json", "--owner", "job-a", "--json")
    old = {"switch": "p-ocs-x-1-1", "a": "1A", "b": "1B", "owner": "job-a"}
    new = [
        {"switch": "p-ocs-x-1-1", "a": "1A", "b": "2B", "owner": "job-a"},
        {"switch": "p-ocs-x-1-1", "a": "2A", "b": "1B", "owner": "job-a"},
    ]
    assert json.loads(result.stdout) == {
        "version": 1,
        "keep": 0,
        "remove": [old],
        "add": new,
        "stages": [{"remove": [old], "add": new}],
        "untouched_owners": ["job-b"],
        "lower_bound": 3,
    }
    assert result.exit_code == 0


def test_a_slice_is_a_wish_as_it_is_printed(run, files):
    rows = [{key: c[key] for key in ("switch", "a", "b")} for c in torus("", 7, 8)]
    wish = {"version": 1, "name": "p-8x4x4", "shape": [8, 4, 4], "circuits": rows}
    options = ("--from", "now.json", "--to", "-", "--owner", "job-d", "--json")
    change = json.loads(plan(run, *options, stdin=json.dumps(wish)).stdout)
    assert change["remove"] == []
    assert change["stages"] == [{"remove": [], "add": torus("job-d", 7, 8)}]
    assert change["untouched_owners"] == ["job-a", "job-b", "job-c"]


def test_what_the_wish_says_of_other_owners_is_ignored_and_said(run, files):
    result = plan(run, "--from", "now.json", "--to", "wish.json", "--owner", "job-c")
    assert result.stdout.startswith(
        "Pod p (ironwood), circuits: keep 0, remove 48, add 0.\n"
        "Interrupted: job-c (loses 48, gains 0).\n"
        "Untouched: job-a, job-b.\n"
    )
    assert result.stderr == (
        "fabric-twin: 240 circuits of other owners in the request were ignored.\n"
    )


def test_a_wish_that_is_granted_already_needs_no_stage(run, files):
    result = plan(run, "--from", "now.json", "--to", "now.json")
    assert result.stdout == (
        "Pod p (ironwood), circuits: keep 240, remove 0, add 0.\n"
        "Nothing to do: what is wanted is there.\n"
        "Untouched: job-a, job-b, job-c.\n"
    )


def test_a_circuit_that_is_passed_on_stays_lit(run, files):
    (files / "sold.json").write_text((files / "now.json").read_text().replace("job-c", "job-e"))
    result = plan(run, "--from", "now.json", "--to", "sold.json")
    assert result.stdout == (
        "Pod p (ironwood), circuits: keep 240, remove 0, add 0.\n"
        "Nothing to do: what is wanted is there.\n"
        "Untouched: job-a, job-b.\n"
        "Changed only in the record, without losing light: 48.\n"
    )


def test_circuits_of_another_pod_are_none_of_the_plans_business(run, files):
    now = {"circuits": [{"switch": "q-ocs-x-1-1", "a": "1A", "b": "1B", "owner": "job-q"}]}
    (files / "q.json").write_text(json.dumps(now))
    (files / "none.json").write_text('{"circuits": []}')
    result = plan(run, "--from", "q.json", "--to", "none.json")
    assert result.stdout == (
        "Pod p (ironwood), circuits: keep 0, remove 0, add 0.\n"
        "Nothing to do: what is wanted is there.\n"
    )
    assert result.stderr == "fabric-twin: 1 circuit on switches of other pods was ignored.\n"


def test_a_wish_that_breaks_a_rule_exits_1_and_names_the_rule(run, files):
    (files / "bad.json").write_text(json.dumps({"circuits": torus("job-e", 7, 145)}))
    result = plan(run, "--from", "now.json", "--to", "bad.json", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["error"]["where"] == "bad.json, circuit 1"
    assert result.stderr == (
        "fabric-twin: bad.json, circuit 1: 7A to 145B on p-ocs-x-1-1 of job-e breaks the rule "
        "unknown-port: the switch has no port 145B (63 more break a rule). "
        "Name ports from 1A to 144A and from 1B to 144B.\n"
    )


def test_a_port_of_another_owner_is_not_to_be_had(run, files):
    (files / "greedy.json").write_text(json.dumps({"circuits": torus("job-e", 4)}))
    result = plan(run, "--from", "now.json", "--to", "greedy.json", "--owner", "job-e")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "fabric-twin: greedy.json, circuit 1: 4A to 4B on p-ocs-x-1-1 of job-e breaks the rule "
        "port-in-two-circuits: 4A is in 4A to 4B on p-ocs-x-1-1 of job-b. "
        "Choose other cubes, or let what holds the port be released first.\n"
    )


def test_nothing_is_added_to_what_is_unhealthy_but_what_runs_there_may_stay(run, files):
    (files / "sick.json").write_text('{"unhealthy": {"ports": [["p-ocs-y-2-2", "6A"]]}}')
    options = ("--from", "now.json", "--to", "wish.json", "--in-use", "sick.json")
    result = plan(run, *options)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "fabric-twin: wish.json, circuit 214: 6A to 6B on p-ocs-y-2-2 of job-d breaks the rule "
        "port-unhealthy: 6A is unhealthy. Choose other cubes, or mend it first.\n"
    )
    (files / "sick.json").write_text('{"unhealthy": {"slots": [4]}}')
    assert plan(run, *options).exit_code == 0


def write(files, name, circuits):
    (files / name).write_text(json.dumps({"circuits": circuits}))
    return name


def test_a_present_state_of_another_design_is_warned_of(run, files):
    """tpu-v4-duplex has two switches an index, which an ironwood pod does not have."""
    there = [row | {"switch": f"{row['switch']}-1"} for row in torus("job-a", 1)]
    result = plan(run, "--from", write(files, "duplex.json", there), "--to", "now.json")
    assert result.exit_code == 0
    assert result.stderr == (
        "fabric-twin: warning: duplex.json, circuit 1: the present circuit 1A to 1B on "
        "p-ocs-x-1-1-1 of job-a breaks the rule unknown-switch: pod p has no switch p-ocs-x-1-1-1 "
        "(47 more break a rule). Is the present state of another design? The undo makes again "
        "what the plan removes.\n"
    )


def test_a_present_port_in_two_circuits_is_warned_of_and_so_is_the_undo(run, files):
    row = {"switch": "p-ocs-x-1-1", "a": "1A", "b": "9B", "owner": "job-z"}
    there = json.loads((files / "now.json").read_text())["circuits"] + [row]
    write(files, "twice.json", there)
    write(files, "kept.json", [*torus("job-a", 1, 2, 3), *torus("job-b", 4), *torus("job-c", 5)])
    result = plan(run, "--from", "twice.json", "--to", "kept.json")
    said = (
        "fabric-twin: warning: twice.json, circuit 241: the present circuit 1A to 9B on "
        "p-ocs-x-1-1 of job-z shares a port with 1A to 2B on p-ocs-x-1-1 of job-a; no switch can "
        "hold both"
    )
    undo = ": the undo of this plan would make that again"
    assert (result.exit_code, result.stderr) == (0, f"{said}{undo}.\n")
    assert plan(run, "--from", "twice.json", "--to", "kept.json", "--owner", "job-a").stderr == (
        "fabric-twin: 96 circuits of other owners in the request were ignored.\n" + f"{said}.\n"
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda rows: [r | {"b": "4B"} if r is rows[0] else r for r in rows],
            "wish.json, circuit 1: in the request, 3A to 4B on p-ocs-x-1-1 of job-a joins other "
            "cubes than its siblings of other indices",
        ),
        (
            lambda rows: rows[1:],
            "in the request, of the 16 circuits that join slot 3 to slot 3 along X only 15 are "
            "there",
        ),
        (
            lambda rows: [r for r in rows if "-3-2" not in r["switch"]],
            "in the request, of the 16 circuits that join slot 3 to slot 3 along X only 15 are "
            "there, and 2 more joins lack some",
        ),
        (lambda rows: [r for r in rows if "-3-2" in r["switch"]], ""),  # a wish of one switch
    ],
)
def test_a_sibling_that_is_wished_otherwise_is_warned_of(run, files, change, words):
    write(files, "wish.json", change(torus("job-a", 3)))
    write(files, "none.json", [])
    result = plan(run, "--from", "none.json", "--to", "wish.json")
    assert result.exit_code == 0
    assert result.stderr == (f"fabric-twin: warning: {words}.\n" if words else "")
