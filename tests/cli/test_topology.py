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
    assert {link["links"] for link in told["links"]} == {3}
    assert (plan["keep"], len(plan["remove"]), len(plan["add"])) == (18, 6, 12)
    assert (told["lower_bound"], told["proved"], told["gap"]) == (12, True, 0.0)
    assert sum(len(stage["add"]) for stage in plan["stages"]) == 12


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
        "links for 3,200 Gbit/s. Ask for less headroom, or change the topology when demand is "
        "lower.\n",
    )


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
