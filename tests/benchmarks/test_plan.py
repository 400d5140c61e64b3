"""What a plan of a whole Ironwood pod costs: 6,912 circuits, all of which change their cubes on X.

Each figure stands beside a peer that is measured in the same run.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.circuits.plans import Circuit, make_plan
from fabric_twin.core.circuits.rules import check_circuits
from fabric_twin.core.designs.ironwood import DESIGN
from fabric_twin.core.slices.placement import place_cubes
from fabric_twin.inventory.circuits import read_circuits

PROGRAM = Path(sys.executable).with_name("fabric-twin")


def pod(step: int) -> list[Circuit]:
    """Every cube joined to the one `step` further on X, and to itself on Y and Z."""
    return [
        Circuit(
            f"iw1-ocs-{axis}-{i}-{j}",
            f"{slot}A",
            f"{(slot - 1 + step * (axis == 'x')) % 144 + 1}B",
            f"job-{slot % 4}",
        )
        for axis in "xyz"
        for i in range(1, 5)
        for j in range(1, 5)
        for slot in range(1, 145)
    ]


def written(circuits: list[Circuit]) -> bytes:
    return json.dumps({"version": 1, "circuits": [c.as_json() for c in circuits]}).encode()


def test_core_plan(benchmark):
    present, wanted = pod(1), pod(5)
    assert len(present) == 6912
    plan = benchmark(make_plan, present, wanted)
    assert len(plan.remove) + len(plan.add) == plan.lower_bound == 2 * 16 * 144


def test_core_plan_peer_set_difference(benchmark):
    """Peer: which circuits differ, as sets of tuples; no stages, no owners."""
    present, wanted = ([(c.switch, c.a, c.b) for c in pod(step)] for step in (1, 5))
    assert len(benchmark(lambda: set(present) ^ set(wanted))) == 2 * 16 * 144


def test_rules(benchmark):
    """Every rule over every circuit."""
    benchmark(check_circuits, intended_plant(DESIGN, "iw1"), pod(5))


def test_circuit_file(benchmark):
    """From bytes to checked circuits."""
    assert len(benchmark(read_circuits, written(pod(1)), "now.json")) == 6912


def test_circuit_file_peer_json(benchmark):
    """Peer: the same bytes through json.loads, and no more."""
    benchmark(json.loads, written(pod(1)))


def test_command_line(benchmark, tmp_path):
    """Start to exit, two files of 6,912 circuits, JSON out."""
    for name, step in (("now", 1), ("wish", 5)):
        (tmp_path / name).write_bytes(written(pod(step)))
    command = [PROGRAM, "plan", "--design", "ironwood", "--pod", "iw1", "--json"]
    command += ["--from", tmp_path / "now", "--to", tmp_path / "wish"]
    done = benchmark.pedantic(subprocess.run, [command], {"capture_output": True}, rounds=5)
    assert done.returncode == 0


def torus(x: int, y: int, z: int) -> list[list[int]]:
    return [
        [(i + a) % x + x * ((j + b) % y + y * ((k + c) % z)) for k in range(z) for j in range(y)
         for i in range(x)]
        for a, b, c in ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [((4, 6, 6), (4, 6, 6)), ((3, 4, 4), (4, 4, 4)), ((4, 4, 9), (4, 6, 6))],
    ids=["the same again", "48 to 64 cubes", "144 cubes in another shape"],
)
def test_choosing_cubes(benchmark, old, new):
    """Of 144 slots; the last is given up after its steps, with its lower bound."""
    slots = [1 + 37 * k % 144 for k in range(144)]
    joined = [{slots[p]: slots[q] for p, q in enumerate(ring)} for ring in torus(*old)]
    placed = benchmark(place_cubes, torus(*new), range(1, 145), joined)
    benchmark.extra_info |= {"changed": placed.changed, "lower_bound": placed.lower_bound}
    assert placed.lower_bound <= placed.changed
