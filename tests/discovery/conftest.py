"""A simulated fabric in a process of its own, and the command line spoken to as people do."""

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fabric_twin.core.designs import find_design
from fabric_twin.core.pods.names import Names
from fabric_twin.switches.changes import Change
from fabric_twin.switches.driver import Access
from fabric_twin.switches.fabric import Fabric, open_fabric, shared_targets

PROGRAM = Path(sys.executable).with_name("fabric-twin")
SLOTS = "1-6"

#: Of each switch that has any.
Circuits = dict[str, frozenset[tuple[str, str]]]


@dataclass
class Simulated:
    """A pod that answers, what is broken in it, and where discovery keeps its notes."""

    design: str
    target: str
    control: str
    folder: Path

    @property
    def journal(self) -> Path:
        return self.folder / "journal.json"

    @property
    def pod(self) -> list[str]:
        return ["--design", self.design, "--pod", "p1"]

    def command(self, *more: str) -> list[str]:
        where = ["--target", self.target, "--insecure", "--journal", str(self.journal)]
        return [str(PROGRAM), "discover", *self.pod, "--slots", SLOTS, *where, *more]

    def discover(self, *more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self.command(*more), capture_output=True, text=True, check=False)

    def begin(self, *more: str) -> subprocess.Popen[str]:
        """Start a discovery, and wait until every switch has circuits of its first round."""
        process = subprocess.Popen(
            self.command("--settle", "300", *more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        names = Names(find_design(self.design).layout, "p1")
        before = self.circuits()
        until = time.monotonic() + 60
        while not self._all_have_new(names.switches, before):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until
            time.sleep(0.05)
        return process

    def _all_have_new(self, switches: Iterable[str], before: Circuits) -> bool:
        now, none = self.circuits(), frozenset[tuple[str, str]]()
        return all(now.get(name, none) - before.get(name, none) for name in switches)

    def break_it(self, **wish: object) -> None:
        self._control("/faults", wish)

    def mend_all(self) -> None:
        for fault in self._control("/faults")["faults"]:
            self._control("/mend", {"number": fault["number"]})

    def _control(self, path: str, wish: dict[str, object] | None = None) -> Any:
        request = urllib.request.Request(
            self.control + path,
            json.dumps(wish).encode() if wish else None,
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def set(self, switch: str, *pairs: tuple[str, str]) -> None:
        with self.open() as fabric:
            change = Change(add=frozenset(pairs))
            assert fabric.apply({switch: change}).all()[switch].is_done

    def circuits(self) -> Circuits:
        """What every switch says it has, read over gNMI."""
        with self.open() as fabric:
            states = fabric.read_switches().all()
        return {name: state.configured for name, state in states.items() if state.configured}

    def open(self, slots: Iterable[int] = ()) -> Fabric:
        names = Names(find_design(self.design).layout, "p1")
        cubes = shared_targets(self.target, map(names.cube, slots))
        switches = shared_targets(self.target, names.switches)
        return open_fabric(switches, cubes, Access(insecure=True))


@pytest.fixture
def simulate(tmp_path: Path) -> Iterator[Callable[..., Simulated]]:
    """Start the simulator of a design; it ends with the test."""
    running: list[subprocess.Popen[str]] = []

    def start(design: str, *more: str) -> Simulated:
        options = ["--pod", "p1", "--slots", SLOTS, "--insecure", "--json", "--tuning-ms", "1"]
        nothing = tmp_path / "nothing.json"
        nothing.write_text('{"version": 1, "mistakes": 0, "rates": {}, "faults": []}')
        process = subprocess.Popen(
            [PROGRAM, "simulate", "--design", design, *options, "--faults", nothing, *more],
            stdout=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        assert process.stdout
        said = json.loads(process.stdout.readline())
        return Simulated(design, said["gnmi"], said["control"], tmp_path)

    yield start
    for process in running:
        process.terminate()
        process.communicate()
