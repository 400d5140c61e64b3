"""`fabric-twin topology`: from files to links, circuits and stages."""

import json
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "docs/examples/topology"
FOUR, FIVE, NOW, DEMAND = (
    str(EXAMPLES / name)
    for name in ("four-blocks.json", "five-blocks.json", "now.json", "demand.csv")
)
NETWORK = ("topology", "--network", "dc1", "--blocks")


def test_a_network_grows_by_a_block_at_the_bound(run):
    told = json.loads(run(*NETWORK, FIVE, "--from", NOW, "--json").stdout)
    plan = told["plan"]
    assert [*told, *plan] == [
        *("version", "links", "circuits", "plan", "lower_bound", "how", "proved", "gap"),
        *("version", "keep", "remove", "add", "stages", "untouched_owners", "lower_bound"),
    ]
    assert (plan["lower_bound"], told["how"]) == (18, "heuristic")
    assert {link["links"] for link in told["links"]} == {3}
    assert (plan["keep"], len(plan["remove"]), len(plan["add"])) == (18, 6, 12)
    assert (told["lower_bound"], told["proved"], told["gap"]) == (12, True, 0.0)
    assert sum(len(stage["add"]) for stage in plan["stages"]) == 12


def test_a_plan_is_undone_from_its_end_and_from_the_middle(run, tmp_path):
    before = json.loads(Path(NOW).read_text())["circuits"]
    plan = tmp_path / "plan.json"
    plan.write_text(run(*NETWORK, FIVE, "--from", NOW, "--at-once", "1", "--json").stdout)
    back = json.loads(run(*NETWORK, FIVE, "--undo", str(plan), "--json").stdout)
    assert sorted(map(str, back["circuits"])) == sorted(map(str, before))
    forth = json.loads(plan.read_text())["plan"]["stages"]
    assert [(s["remove"], s["add"]) for s in back["plan"]["stages"]] == [
        (stage["add"], stage["remove"]) for stage in reversed(forth)
    ]
    there = [one for one in before if one not in forth[0]["remove"]] + forth[0]["add"]
    now = tmp_path / "now.json"
    now.write_text(json.dumps({"circuits": there}))
    half = json.loads(run(*NETWORK, FIVE, "--undo", str(plan), "--from", str(now), "--json").stdout)
    assert half["plan"]["stages"] == back["plan"]["stages"][-1:]
    assert sorted(map(str, half["circuits"])) == sorted(map(str, before))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{}", "plan.json: there is no plan in it."),
        (
            '{"plan": {"stages": [3]}, "circuits": []}',
            "plan.json, stage 1: the stage is not an obj",
        ),
        (
            '{"plan": {"stages": []}, "circuits": [{"switch": "zz", "a": "1A", "b": "2B"}]}',
            "plan.json, circuit 1: there is no switch 'zz' in network dc1.",
        ),
    ],
)
def test_what_is_no_plan_is_not_undone(run, tmp_path, content, said):
    plan = tmp_path / "plan.json"
    plan.write_text(content)
    told = run(*NETWORK, FIVE, "--undo", str(plan))
    assert (told.exit_code, told.stdout) == (2, "")
    assert said in told.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--undo", NOW, "--kind", "uniform"), "Give either --kind or --undo."),
        (("--undo", NOW, "--at-once", "8"), "Give either --at-once or --undo."),
        (("--undo", NOW, "--patience", "1"), "Give either --patience or --undo."),
        (("--undo", NOW, "--headroom", "0.2"), "--headroom is over demand: give --demand too."),
        (("--from", NOW, "--headroom", "0.2"), "--headroom is over demand: give --demand too."),
        (("--patience", "nan"), "--headroom and --patience are numbers."),
    ],
)
def test_options_that_mean_nothing_are_refused(run, options, said):
    told = run(*NETWORK, FOUR, *options)
    assert (told.exit_code, told.stdout) == (2, "")
    assert said in told.stderr


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        (
            [("1A", "4B"), ("1A", "5B")],
            "now.json, circuit 2: 1A on dc1-ocs-01 is in two circuits, 1A to 4B and 1A to 5B.",
        ),
        (
            [("1A", "4B"), ("4A", "5B")],
            "now.json, circuit 2: 4A to 5B on dc1-ocs-01 joins ab02 with itself.",
        ),
    ],
)
def test_what_no_network_can_have_is_no_state_to_start_from(run, tmp_path, pairs, said):
    now, plan = tmp_path / "now.json", tmp_path / "plan.json"
    circuits = [{"switch": "dc1-ocs-01", "a": a, "b": b} for a, b in pairs]
    now.write_text(json.dumps({"circuits": circuits}))
    plan.write_text(run(*NETWORK, FIVE, "--from", NOW, "--json").stdout)
    for undo in ((), ("--undo", str(plan))):
        told = run(*NETWORK, FIVE, "--from", str(now), *undo)
        assert (told.exit_code, told.stdout) == (2, "")
        assert said in told.stderr


def test_nothing_changes_where_nothing_is_wished(run):
    told = run(*NETWORK, FOUR, "--from", NOW)
    assert told.stdout.endswith("Nothing to do: what is wanted is there.\n")
    assert json.loads(Path(NOW).read_text())["plan"]["remove"] == []


def test_owners_are_kept_apart(run, tmp_path):
    content = json.loads(Path(FOUR).read_text())
    for number, block in enumerate(content["blocks"]):
        block["owner"] = "ads" if number < 2 else "maps"
    blocks = tmp_path / "blocks.json"
    blocks.write_text(json.dumps(content))
    told = json.loads(run(*NETWORK, str(blocks), "--kind", "isolated", "--json").stdout)
    assert [(link["a"], link["b"], link["links"]) for link in told["links"]] == [
        ("ab01", "ab02", 12),
        ("ab03", "ab04", 12),
    ]
    assert {circuit["owner"] for circuit in told["circuits"]} == {"ads", "maps"}


def test_a_change_that_would_starve_a_pair_is_not_possible(run, tmp_path):
    demand = tmp_path / "demand.csv"
    demand.write_text("from,to,gbps\nab01,ab02,3200\nab01,ab03,800\nab01,ab04,800\n")
    told = run(*NETWORK, FOUR, "--kind", "engineered", "--demand", str(demand), "--from", NOW)
    assert (told.exit_code, told.stderr) == (
        1,
        "fabric-twin: switch dc1-ocs-01: without the circuits that go, ab01 and ab02 would have 4 "
        "links for 3,200 Gbit/s. Wait until demand is lower.\n",
    )
    less = run(
        *(*NETWORK, FOUR, "--kind", "engineered", "--demand", str(demand), "--from", NOW),
        *("--headroom", "0.5"),
    )
    assert less.exit_code == 1, "more is asked for, so no less is kept"
    assert "Ask for less headroom, or wait until demand is lower." in less.stderr


@pytest.mark.parametrize(
    ("demand", "said"),
    [
        ("from,to\n", "demand.csv, line 1: the header is not from,to,gbps."),
        ("from,to,gbps\nab01,zz,1\n", "demand.csv, line 2: there is no block 'zz'."),
        ("from,to,gbps\nab01,ab01,1\n", "demand.csv, line 2: ab01 asks for itself."),
        ("from,to,gbps\nab01,ab02,-1\n", "line 2, column gbps: '-1' is no demand."),
        ("from,to,gbps\nab01,ab02,nan\n", "line 2, column gbps: 'nan' is no demand."),
        ("from,to,gbps\nab01,ab02\n", "line 2: the row has 2 cells, the header 3."),
    ],
)
def test_a_demand_file_is_refused_with_its_line(run, tmp_path, demand, said):
    path = tmp_path / "demand.csv"
    path.write_text(demand)
    told = run(*NETWORK, FOUR, "--kind", "engineered", "--demand", str(path))
    assert told.exit_code == 2
    assert said in told.stderr


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"switches": 0}, "there are no blocks, or no switches"),
        ({"blocks": []}, "there are no blocks, or no switches"),
        ({"switchs": 2}, "blocks.json: there is no key 'switchs'. Use version, switches, blocks."),
        (
            {"blocks": [{"name": "a", "strands": 12, "rate_gbps": 400, "firstport": 4}]},
            "blocks.json, block 1: there is no key 'firstport'. Use name, strands, rate_gbps, ",
        ),
        ({"switches": 257}, "257 switches cannot be laid out"),
        ({"blocks": [{"name": "../a", "strands": 12, "rate_gbps": 1}]}, "cannot name a block"),
        ({"blocks": [{"name": "ocs-01", "strands": 12, "rate_gbps": 1}]}, "is a switch's"),
        ({"blocks": [{"name": "a", "strands": 10, "rate_gbps": 400}]}, "do not spread over"),
        ({"blocks": [{"name": "a", "strands": 12, "rate_gbps": 0}]}, '"rate_gbps" is no rate'),
    ],
)
def test_a_block_file_is_refused_whole(run, tmp_path, change, said):
    blocks = tmp_path / "blocks.json"
    blocks.write_text(json.dumps(json.loads(Path(FOUR).read_text()) | change))
    told = run(*NETWORK, str(blocks))
    assert (told.exit_code, told.stdout) == (2, "")
    assert said in told.stderr


def test_circuits_of_another_network_are_refused(run):
    told = run("topology", "--network", "dc2", "--blocks", FOUR, "--from", NOW)
    assert told.exit_code == 2
    assert "there is no switch 'dc1-ocs-01' in network dc2" in told.stderr


def test_a_pair_with_demand_and_no_link_is_named_and_has_no_load(run, tmp_path):
    """`Infinity` is not JSON."""
    content = json.loads(Path(FOUR).read_text())
    for block, owner in zip(content["blocks"], ("ads", "ads", "maps", "maps"), strict=True):
        block["owner"] = owner
    blocks, demand = tmp_path / "blocks.json", tmp_path / "demand.csv"
    blocks.write_text(json.dumps(content))
    demand.write_text("from,to,gbps\nab01,ab02,2400\nab01,ab03,400\n")
    isolate = (*NETWORK, str(blocks), "--kind", "isolated", "--demand", str(demand))
    told = json.loads(run(*isolate, "--json").stdout, parse_constant=pytest.fail)
    assert told["links"] == [
        {"a": "ab01", "b": "ab02", "links": 12, "load": 0.5},
        {"a": "ab01", "b": "ab03", "links": 0, "load": None},
        {"a": "ab03", "b": "ab04", "links": 12, "load": 0.0},
    ]
    assert (
        "The fullest pair carries 0.5 of what its links can.\n"
        "ab01 and ab03 ask for 400 Gbit/s and have no link.\n"
    ) in run(*isolate).stdout


def test_a_circuit_that_stays_keeps_its_owner(run, tmp_path):
    now = json.loads(Path(NOW).read_text())
    for circuit in now["circuits"]:
        circuit["owner"] = "ads"
    present = tmp_path / "now.json"
    present.write_text(json.dumps(now))
    told = json.loads(run(*NETWORK, FIVE, "--from", str(present), "--json").stdout)
    stays = [circuit for circuit in told["circuits"] if circuit in now["circuits"]]
    assert (len(stays), len(told["circuits"])) == (18, 30)
    assert {one["owner"] for one in told["circuits"] if one not in stays} == {""}


@pytest.mark.parametrize("option", ["--from", "--undo"])
def test_circuits_that_are_there_need_blocks_that_say_where_they_are(run, tmp_path, option):
    """Or a block that is put before another one would get its circuits."""
    content = json.loads(Path(FOUR).read_text())
    content["blocks"].insert(1, {"name": "ab05", "strands": 12, "rate_gbps": 400})
    blocks = tmp_path / "blocks.json"
    blocks.write_text(json.dumps(content))
    told = run(*NETWORK, str(blocks), option, NOW)
    assert (told.exit_code, told.stdout) == (2, "")
    assert told.stderr.endswith(
        'blocks.json, block 2: ab05 has no "first_port", and there are circuits already. Write '
        'where its strands are wired; "first_port": 13 is the lowest free.\n'
    )


def test_a_block_that_drains_loses_its_links_and_may_leave_the_file(run, tmp_path):
    grown = tmp_path / "grown.json"
    grown.write_text(run(*NETWORK, FIVE, "--from", NOW, "--json").stdout)
    content = json.loads(Path(FIVE).read_text())
    content["blocks"][4]["draining"] = True
    blocks = tmp_path / "blocks.json"
    blocks.write_text(json.dumps(content))
    told = run(*NETWORK, str(blocks), "--from", str(grown), "--demand", DEMAND, "--json").stdout
    left = tmp_path / "left.json"
    left.write_text(told)
    plan = json.loads(told)["plan"]
    assert (plan["keep"], len(plan["remove"]), len(plan["add"])) == (18, 12, 6)
    assert {link["links"] for link in json.loads(told)["links"]} == {4}
    again = json.loads(run(*NETWORK, FOUR, "--from", str(left), "--json").stdout)
    assert (again["plan"]["keep"], again["plan"]["remove"]) == (24, [])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"draining": 1}, '"draining" is neither true nor false'),
        ({"cable_m": 0}, '"cable_m" is no length of its cables. Write metres, at most 32,767'),
        ({"cable_m": True}, '"cable_m" is no length of its cables'),
        ({"cable_m": 40_000}, '"cable_m" is no length of its cables'),
        ({"location": 3}, '"location" is missing, or not text'),
    ],
)
def test_what_a_block_of_a_campus_cannot_be_is_refused(run, tmp_path, more, said):
    content = json.loads(Path(FOUR).read_text())
    content["blocks"][1] |= more
    blocks = tmp_path / "blocks.json"
    blocks.write_text(json.dumps(content))
    told = run(*NETWORK, str(blocks))
    assert (told.exit_code, told.stdout) == (2, "")
    assert f"blocks.json, block 2: {said}" in told.stderr


def test_blocks_that_all_drain_leave_nothing_to_plan(run, tmp_path):
    content = json.loads(Path(FOUR).read_text())
    for block in content["blocks"]:
        block["draining"] = True
    blocks = tmp_path / "blocks.json"
    blocks.write_text(json.dumps(content))
    told = run(*NETWORK, str(blocks), "--from", NOW)
    assert (told.exit_code, told.stdout) == (2, "")
    assert "all blocks drain, so none takes links" in told.stderr


RINGS = str(EXAMPLES / "rings.json")
FOLLOWING = (*NETWORK, FOUR, "--kind", "engineered", "--rings", RINGS)


def test_rings_are_joined_in_the_order_that_changes_least(run):
    """ab01 and ab02 have eight links now: whichever way a ring turns, they are neighbours."""
    told = json.loads(run(*FOLLOWING, "--from", NOW, "--json").stdout)
    [rings] = told["rings"]
    assert rings == {
        "name": "job7",
        "pods": [{"pod": f"v4{x}", "blocks": [f"ab0{n}"]} for n, x in enumerate("abcd", 1)],
        "red": [["v4a", "v4b"], ["v4b", "v4c"], ["v4c", "v4d"], ["v4d", "v4a"]],
        "blue": [["v4b", "v4a"], ["v4c", "v4b"], ["v4d", "v4c"], ["v4a", "v4d"]],
        "pairs": [
            {
                "a": f"v4{a}",
                "b": f"v4{b}",
                "wished": 5,
                "links": links,
                "left": links,
                "asked_gbps": 1600.0,
                "carried_gbps": 400.0 * links,
            }
            for a, b, links in (("a", "b", 6), ("b", "c", 5), ("c", "d", 6), ("d", "a", 5))
        ],
        "ring_gbps": 2000.0,
        "collective": {
            "bytes": 140e9,
            "chips": 64,
            "axes": 3,
            "ici_bytes_s": 9e10,
            "dcn_bytes_s": 6.25e9,
            "within_s": 1.037037,
            "between_s": 0.525,
        },
        "orders_tried": 3,
    }
    assert (told["lower_bound"], len(told["plan"]["add"])) == (6, 6)


def test_rings_stand_beside_the_demand_of_others(run):
    """ab01 and ab03 ask for so much that the ring between them and others has to share."""
    both = json.loads(run(*FOLLOWING, "--demand", DEMAND, "--json").stdout)
    [rings] = both["rings"]
    assert {pair["links"] for pair in rings["pairs"]} <= {4, 5, 6, 7}
    loads = {(link["a"], link["b"]): link["load"] for link in both["links"]}
    assert loads["ab01", "ab02"] > loads["ab01", "ab03"] > 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--rings", RINGS), "--rings goes with --kind engineered, and without --undo."),
        (("--rings", RINGS, "--undo", NOW), "--rings goes with --kind engineered, and without"),
    ],
)
def test_rings_that_no_topology_follows_are_refused(run, options, said):
    told = run(*NETWORK, FOUR, *options)
    assert (told.exit_code, told.stdout) == (2, "")
    assert said in told.stderr


JOB = '{"name": "j", "pods": [{"pod": "a", "blocks": ["ab01"]}, {"pod": "b", "blocks": ["ab02"]}]'


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[]", "rings.json: there is no object of version 1."),
        ('{"multislices": []}', "rings.json: there are no multislices."),
        ('{"least": -1, "multislices": []}', '"least" is not a whole number from 0.'),
        ('{"least": 1001, "multislices": []}', '"least" is more than 1,000.'),
        ('{"multislices": [3]}', 'multislice 1: "name" is missing, or not text.'),
        (f'{{"multislices": [{JOB}, "run": true}}]}}', "there is no key 'run'. Use name, pods,"),
        (f'{{"multislices": [{JOB}, "runs": 1}}]}}', '"runs" is neither true nor false.'),
        ('{"multislices": [{"name": "j", "pods": []}]}', "a ring needs two pods."),
        ('{"multislices": [{"name": "j", "pods": [{"pod": "a", "blocks": [1]}]}]}', "not text."),
        (f'{{"multislices": [{JOB}, "collective": {{"bytes": 1}}}}]}}', "Write an object of bytes"),
        (
            f'{{"multislices": [{JOB}, "collective": {{"bytes": 1, "chips": 1e999, "axes": 3, '
            '"ici_bytes_s": 1, "dcn_bytes_s": 1}}]}',
            '"chips" is no number of its kind.',
        ),
        (
            f'{{"multislices": [{JOB}, "collective": {{"chips": 1{"0" * 400}, '
            '"bytes": 1, "axes": 3, "ici_bytes_s": 1, "dcn_bytes_s": 1}}]}',
            "collective: chips is no number over 0 that can be reckoned with.",
        ),
        (
            f'{{"multislices": [{JOB.replace("ab02", "ab09")}}}]}}',
            "network dc1, multislice j: block 'ab09' of pod b is not there.",
        ),
    ],
)
def test_a_ring_file_is_read_whole_or_refused(run, tmp_path, content, said):
    rings = tmp_path / "rings.json"
    rings.write_text(content)
    told = run(*NETWORK, FOUR, "--kind", "engineered", "--rings", str(rings))
    assert (told.exit_code, told.stdout) == (2, "")
    assert said in told.stderr
