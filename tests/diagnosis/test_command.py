"""`fabric-twin audit --target`: a sheet against a simulated fabric in a process of its own."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.designs import find_design
from fabric_twin.switches.changes import Change

from .bench import ring_of

pytestmark = pytest.mark.integration
TOPOLOGY = Path(__file__).parents[2] / "docs/examples/topology"


def test_a_sheet_is_audited_against_the_live_fabric(
    simulate: Callable[..., Any], run: Callable[..., Any], tmp_path: Any
) -> None:
    simulator = simulate(design="tpu-v4-cwdm8", pod="p1")
    pod = ("--design", "tpu-v4-cwdm8", "--pod", "p1", "--slots", "1-4")
    sheet, circuits = tmp_path / "sheet.csv", tmp_path / "circuits.json"
    assert run("cutsheet", *pod, "-o", str(sheet)).exit_code == 0
    intended = intended_plant(find_design("tpu-v4-cwdm8"), "p1", (1, 2, 3, 4))
    rows = list(ring_of(intended, (1, 2, 3, 4)).named(intended.names))
    wish = [{"switch": s, "a": a, "b": b, "owner": "job"} for s, a, b in rows]
    circuits.write_text(json.dumps({"version": 1, "circuits": wish}))
    with simulator.fabric() as fabric:
        address = next(iter(fabric.switches.values())).target.address
        pairs = {s: {(a, b) for switch, a, b in rows if switch == s} for s, _, _ in rows}
        changes = {s: Change(add=frozenset(some)) for s, some in pairs.items()}
        assert all(done.is_done for done in fabric.apply(changes).all().values())
    live = ("--target", address, "--insecure", "--circuits", str(circuits), "--json")

    clean = run("audit", str(sheet), *pod, *live)
    assert (clean.exit_code, json.loads(clean.stdout)["findings"]) == (0, [])
    simulator.control("/faults", kind="dirty", device="p1-ocs-x-1-1", port="1A", loss_db=4.5)
    dirty = run("audit", str(sheet), *pod, *live)
    [finding] = json.loads(dirty.stdout)["findings"]
    assert dirty.exit_code == 1
    assert (finding["code"], finding["owners"]) == ("high-loss", ["job"])
    assert {"do": "clean", "device": "p1-ocs-x-1-1", "port": "1A"} in finding["remedy"]
    for form in ("--html", "--csv"):
        assert "high-loss" in run("audit", str(sheet), *pod, *live[:-1], form).stdout


def test_a_static_pod_is_explained_by_what_its_cubes_hear(
    simulate: Callable[..., Any], run: Callable[..., Any], tmp_path: Any
) -> None:
    simulator = simulate(design="tpu-v5e", pod="e5", slots="1-16")
    pod, sheet = ("--design", "tpu-v5e", "--pod", "e5"), tmp_path / "sheet.csv"
    assert run("cutsheet", *pod, "-o", str(sheet)).exit_code == 0
    with simulator.fabric() as fabric:
        address = next(iter(fabric.cubes.values())).target.address
    live = ("--target", address, "--insecure")
    clean = run("audit", str(sheet), *pod, *live)
    assert (clean.exit_code, clean.stdout) == (
        0,
        "Pod e5 (tpu-v5e): 128 cables recorded, 128 expected.\n"
        "Clean: all 128 cables are where the wiring rule wants them.\n",
    )
    simulator.control("/faults", kind="swapped", cable="e5-c001:4.1/X+", other="e5-c001:4.2/X+")
    simulator.control("/faults", kind="broken", cable="e5-c009:1.4/Y+")
    said = run("audit", str(sheet), *pod, *live)
    assert said.exit_code == 1
    causes = [line.strip() for line in said.stdout.splitlines() if line.startswith("   ")]
    assert "e5-c009:1.4/Y+ joins nobody: it is unplugged or broken." in causes
    assert any(cause.startswith("By neighbours: e5-c001:4.1/X+ and") for cause in causes)


def test_a_network_is_audited_against_its_live_blocks(
    simulate_network: Callable[..., Any], run: Callable[..., Any], tmp_path: Any
) -> None:
    blocks, circuits = TOPOLOGY / "four-blocks.json", TOPOLOGY / "now.json"
    simulator = simulate_network(blocks, "--circuits", str(circuits))
    network, sheet = ("--network", "dc1", "--blocks", str(blocks)), tmp_path / "sheet.csv"
    assert run("network", "cutsheet", *network, "-o", str(sheet)).exit_code == 0
    live = ("--target", simulator.said["gnmi"], "--insecure", "--circuits", str(circuits))
    clean = run("network", "audit", str(sheet), *network, *live)
    assert (clean.exit_code, clean.stdout) == (
        0,
        "Network dc1 (network-2): 48 cables recorded, 48 expected.\n"
        "Clean: all 48 cables are where the wiring rule wants them.\n",
    )
    simulator.control("/faults", kind="silent", device="dc1-ab03")
    simulator.control("/faults", kind="dirty", device="dc1-ab01", port="m05/2", loss_db=3)
    sheet.write_text(sheet.read_text().replace("dc1-ocs-01,1A,", "dc1-ocs-02,50A,"))
    said = run("network", "audit", str(sheet), *network, *live, "--json")
    found = {finding["code"]: finding for finding in json.loads(said.stdout)["findings"]}
    assert (said.exit_code, found.keys()) == (1, {"record-wrong", "stale", "high-loss"})
    assert found["record-wrong"]["cause"] == (
        "dc1-ab01:m01/1 is as the rule wants by light, and the record is wrong (wrong-switch)"
    )
    assert found["stale"]["cause"] == (
        "dc1-ab03 does not answer (it did not answer (dc1-ab03 does not answer)), and other blocks "
        "hear it: only its controller is silent; its last known state is kept"
    )


def test_a_fabric_that_does_not_answer_at_all_exits_3(
    run: Callable[..., Any], tmp_path: Any
) -> None:
    pod = ("--design", "tpu-v4-cwdm8", "--pod", "p1", "--slots", "1")
    sheet = tmp_path / "sheet.csv"
    run("cutsheet", *pod, "-o", str(sheet))
    silent = run("audit", str(sheet), *pod, "--target", "127.0.0.1:9", "--insecure")
    assert silent.exit_code == 3
    assert "more did not answer" in silent.stderr


def test_circuits_without_a_fabric_are_refused(run: Callable[..., Any]) -> None:
    told = run(
        "audit", "-", "--design", "ironwood", "--pod", "p1", "--circuits", "c.json", stdin=""
    )
    assert told.exit_code == 2
    assert "--circuits is for --target" in told.stderr
