"""A fabric survives a restart: plant and configuration as they were, mirrors sent there anew."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fabric_twin.core.designs import find_design
from fabric_twin.simulator.clock import SteppedClock
from fabric_twin.simulator.configuration import Draft
from fabric_twin.simulator.faults.book import FaultBook
from fabric_twin.simulator.pod import SimulatedPod
from fabric_twin.simulator.saving import load, save
from fabric_twin.switches.changes import Change

# One worker: simulators are shared by the tests of a module.
pytestmark = pytest.mark.integration

X11, CABLE = "iw-ocs-x-1-1", "iw-c001:4.1.1/X+"


def test_what_was_configured_comes_back_and_what_was_broken_is_still(
    simulate: Callable[..., Any], tmp_path: Path, eventually: Callable[..., Any]
) -> None:
    state = ("--state", str(tmp_path / "fabric.npz"))
    pairs = frozenset({("1A", "2B"), ("2A", "1B")})
    first = simulate(*state, slots="1-2")
    first.control("/faults", kind="missing", cable=CABLE)
    with first.fabric() as fabric:
        done = fabric.apply({name: Change(add=pairs) for name in fabric.switches}).all()
        assert all(applied.is_done for applied in done.values())
        before = fabric.read_cubes().all()
    first.stop()

    second = simulate(*state, slots="1-2")
    [fault] = second.control("/faults")["faults"]
    with second.fabric() as fabric:
        switch = fabric.switches[X11]
        assert eventually(lambda: switch.read().tuned == pairs)
        assert eventually(
            lambda: all(
                cube.neighbours == before[name].neighbours
                for name, cube in fabric.read_cubes().all().items()
            )
        )
        assert fabric.cubes["iw-c001"].read().transceivers == before["iw-c001"].transceivers
        assert "4.1.1/X+" not in fabric.cubes["iw-c001"].neighbours().neighbours
        second.control("/mend", number=fault["number"])
        assert "4.1.1/X+" in fabric.cubes["iw-c001"].neighbours().neighbours


def test_the_state_of_another_pod_is_refused(
    simulate: Callable[..., Any], run: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "fabric.npz"
    path.write_bytes(b"not a state")
    said = run(
        *("simulate", "--design", "ironwood", "--pod", "iw", "--insecure", "--state", str(path))
    )
    assert said.exit_code == 2
    assert "it does not hold the state of these pods" in said.stderr


def test_a_file_of_before_switches_had_tables_is_read(tmp_path: Path) -> None:
    def fabric() -> FaultBook:
        design = find_design("tpu-v4")
        return FaultBook(SimulatedPod.build(design, "p", SteppedClock(), slots=(1, 2)))

    left, found, path = fabric(), fabric(), tmp_path / "fabric.npz"
    draft = Draft.of(left.pod.mirrors, 3)
    draft.add("1A-2B", "1A", "2B")
    draft.force("9B", blocked=True)
    left.pod.commit(3, draft)
    save(path, [left])
    with np.load(path) as columns:
        old = {name: columns[name] for name in columns if not name.endswith("/pulled")}
    content = json.loads(old["json"].tobytes())
    words = content["pods"]["p"]
    for name in ("configs", "before", "tables", "stale", "switch_serials"):
        del words[name]
    labels: list[dict[str, str]] = [{} for _ in left.pod.configs]
    labels[3]["1A"] = "Link to router1 1 RX"
    words["labels"] = labels
    old["json"] = np.frombuffer(json.dumps(content).encode(), dtype=np.uint8)
    for name in ("configured", "blocked"):
        old[f"p/Mirrors/{name}"] = getattr(left.pod.mirrors, name)
    np.savez(path, **old)
    load(path, [found])
    expected = dict(left.pod.configs[3])
    ports = expected["OCS_PORT"]
    expected["OCS_PORT"] = {**ports, "1A": {**ports["1A"], "label": "Link to router1 1 RX"}}
    assert found.pod.configs[3] == expected
    assert found.pod.configs[4] == left.pod.configs[4]
    assert found.pod.mirrors.steered[3].tolist() == left.pod.mirrors.steered[3].tolist()


def test_clocks_of_devices_went_on_while_the_fabric_was_off(tmp_path: Path) -> None:
    def fabric() -> FaultBook:
        design = find_design("tpu-v4")
        return FaultBook(SimulatedPod.build(design, "p", SteppedClock(), slots=(1, 2)))

    left, found = fabric(), fabric()
    left.pod.epoch -= 600.0
    save(tmp_path / "fabric.npz", [left])
    now = found.pod.epoch
    load(tmp_path / "fabric.npz", [found])
    assert found.pod.epoch == now
