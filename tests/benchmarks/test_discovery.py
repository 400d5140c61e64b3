"""What discovery of one Ironwood pod costs: the core a round, and end to end over gNMI."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))

from discovery.plants import HiddenPlant

from fabric_twin.core.discovery import Discovery

PROGRAM = Path(sys.executable).with_name("fabric-twin")


@pytest.mark.parametrize("number", [1, 2])
def test_core_round_of_a_lit_pod(benchmark, number):
    """To propose a round and to conclude from it, when every port is lit."""
    _round(benchmark, HiddenPlant.as_ruled("ironwood"), number)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_core_round_with_100_dark_ports(benchmark, number):
    """The same; in round 3 figures are placed."""
    plant = HiddenPlant.as_ruled("ironwood")
    plant.dark |= set(random.Random(1).sample(sorted(plant.plugged), 100))
    _round(benchmark, plant, number)


def _round(benchmark, plant: HiddenPlant, number: int) -> None:
    lights = []

    def before():
        discovery = Discovery(plant.intended)
        for nth in range(number - 1):
            circuits = discovery.next_round()
            if len(lights) <= nth:
                lights.append(plant.light(circuits))
            discovery.take(lights[nth])
        if len(lights) < number:
            copy = Discovery(plant.intended)
            for light in lights:
                copy.next_round()
                copy.take(light)
            lights.append(plant.light(copy.next_round()))
        return (discovery, lights[number - 1]), {}

    def one(discovery, light):
        discovery.next_round()
        discovery.take(light)
        assert discovery.rounds == number

    benchmark.pedantic(one, setup=before, rounds=7)


def test_end_to_end(benchmark, tmp_path, small):
    """The command line against a simulated pod on this machine, both on the same processors."""
    slots = "1-4" if small else "1-144"
    pod = ["--design", "ironwood", "--pod", "iw1", "--slots", slots, "--insecure"]
    nothing = tmp_path / "nothing.json"
    nothing.write_text('{"version": 1, "mistakes": 0, "rates": {}, "faults": []}')
    simulator = subprocess.Popen(
        [PROGRAM, "simulate", *pod, "--json", "--faults", nothing],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        target = json.loads(simulator.stdout.readline())["gnmi"]
        where = ["--target", target, "--journal", tmp_path / "journal", "-o", tmp_path / "seen.csv"]
        command = [PROGRAM, "discover", *pod, *where]
        done = benchmark.pedantic(
            subprocess.run, [command], {"capture_output": True, "text": True}, rounds=3
        )
        assert done.returncode == 0, done.stderr
        cables, rounds = ("384", 5) if small else ("13,824", 2)
        assert f"{cables} cables looked at in {rounds} rounds" in done.stderr
    finally:
        simulator.terminate()
        simulator.communicate()
