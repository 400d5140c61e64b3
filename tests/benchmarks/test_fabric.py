"""What it costs to change and to read a fabric: an Ironwood pod that another process simulates.

Everything goes over gNMI on this machine; both processes share its cores.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from typing import Any

from fabric_twin.core.designs.ironwood import DESIGN
from fabric_twin.core.pods.names import Names
from fabric_twin.switches.changes import Change
from fabric_twin.switches.driver import CubeReader
from fabric_twin.switches.fabric import AT_ONCE, Fabric
from fabric_twin.switches.states import Pair

from .one_pod import NAMES, SLOWEST, Running, ring


class Turning:
    """Changes all 144 circuits of some switches, each time to others."""

    def __init__(self, fabric: Fabric, names: list[str]) -> None:
        self.fabric, self.names, self.step = fabric, names, 0
        fabric.apply({name: Change(add=ring(0) - self.now(name)) for name in names}).all()

    def now(self, name: str) -> frozenset[Pair]:
        return self.fabric.switches[name].read().configured

    def turn(self) -> None:
        self._move(self.names, self.step, self.step + 1)
        self.step += 1

    def alone(self) -> float:
        """Seconds that the slowest switch takes alone; it is put back."""
        began = time.perf_counter()
        self._move([SLOWEST], self.step, self.step + 2)
        seconds = time.perf_counter() - began
        self._move([SLOWEST], self.step + 2, self.step)
        return seconds

    def _move(self, names: list[str], before: int, after: int) -> None:
        change = Change(delete=ring(before), add=ring(after))
        done = self.fabric.apply(dict.fromkeys(names, change)).all()
        assert all(applied.is_done for applied in done.values())

    def clear(self) -> None:
        gone = Change(delete=ring(self.step))
        self.fabric.apply(dict.fromkeys(self.names, gone)).all()


def test_apply_144_circuits_to_each_switch(
    benchmark: Any, running: Running, fabric: Fabric, small: bool
) -> None:
    """Budget: 6,912 circuits on 48 switches in 1.5 times the slowest switch alone."""
    turning, rounds = Turning(fabric, NAMES.switches), 15
    alone: list[float] = []
    # They take turns, so that both see the same machine.
    benchmark.pedantic(turning.turn, setup=lambda: alone.append(turning.alone()), rounds=rounds)
    if small:
        return turning.clear()
    taken = benchmark.stats.stats
    benchmark.extra_info |= {
        "slowest alone, least and median": [round(min(alone), 3), round(median(alone), 3)],
        "ratio of least": round(taken.min / min(alone), 2),
        "ratio of medians": round(taken.median / median(alone), 2),
    }
    before = running.cpu, time.process_time()
    for _ in range(rounds):
        turning.turn()
    spent = running.cpu - before[0], time.process_time() - before[1]
    circuits = rounds * 48 * 144
    benchmark.extra_info["simulator, us a circuit"] = round(spent[0] / circuits * 1e6, 1)
    benchmark.extra_info["driver, us a circuit"] = round(spent[1] / circuits * 1e6, 1)
    return turning.clear()


def test_requests_that_tell_nothing(benchmark: Any, fabric: Fabric) -> None:
    """As many as a change of 48 switches takes, with two databases each time: gRPC's share."""
    cubes = list(fabric.cubes.values())[: len(NAMES.switches)]

    def ask(cube: CubeReader) -> None:
        for _ in range(5):
            cube.capabilities()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        benchmark.pedantic(lambda: list(pool.map(ask, cubes)), rounds=15, warmup_rounds=1)


def test_read_a_whole_pod(benchmark: Any, fabric: Fabric) -> None:
    """Budget: well under the 2 s of a nightly audit; 192 targets, a subtree each."""
    turning = Turning(fabric, NAMES.switches)

    def read() -> int:
        switches, cubes = fabric.read_switches().all(), fabric.read_cubes().all()
        assert sum(len(state.tuned) for state in switches.values()) == 6912
        return sum(int(cube.up.sum()) for cube in cubes.values())

    assert benchmark.pedantic(read, rounds=7, warmup_rounds=1) == 13_824
    turning.clear()


def test_read_whom_every_port_hears(benchmark: Any, fabric: Fabric) -> None:
    """What discovery reads in every round."""
    turning = Turning(fabric, NAMES.switches)
    benchmark.pedantic(lambda: fabric.read_neighbours().all(), rounds=7, warmup_rounds=1)
    turning.clear()


def test_ten_pods_in_one_process(benchmark: Any, small: bool) -> None:
    """Memory of ten pods that were read once."""
    pods = [f"iw{number}" for number in range(1, 3 if small else 11)]
    running = Running(*pods)

    def read() -> None:
        for pod in pods:
            with running.fabric(Names(DESIGN.layout, pod)) as fabric:
                fabric.read_switches().all()
                fabric.read_cubes().all()

    benchmark.pedantic(read, rounds=1)
    benchmark.extra_info["MB"] = running.megabytes
    running.stop()
