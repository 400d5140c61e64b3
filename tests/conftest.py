"""What tests share: the command line in this process, and how many examples hypothesis tries."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, settings

from fabric_twin.cli import main
from fabric_twin.core.cabling.plant import Intended, intended_plant
from fabric_twin.core.designs import find_design
from fabric_twin.core.slots import parse_slots
from fabric_twin.core.topology.wiring import intended_network
from fabric_twin.inventory.networks.blocks import read_blocks
from fabric_twin.switches.driver import Access, Patience
from fabric_twin.switches.fabric import Fabric, open_fabric, shared_targets
from tests.examples import FEW, PROFILE, examples

# `quick` is `make test`; `thousands` is `make proof` (see examples.py). In CI the same examples
# every time: new ones are looked for before a change is committed.
_CI = bool(os.environ.get("CI"))
_COMMON = {"deadline": None, "suppress_health_check": list(HealthCheck), "print_blob": True}
settings.register_profile("quick", max_examples=FEW, derandomize=_CI, **_COMMON)
settings.register_profile("thousands", max_examples=examples(FEW), **_COMMON)
settings.load_profile(PROFILE)

Run = Callable[..., Result]
#: Modules that take minutes: begun last, all other workers would wait for them.
_LONG = ("test_scripts.py",)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest begins first, in whatever order the others come."""
    items.sort(key=lambda item: item.path.name not in _LONG)


@pytest.fixture
def run() -> Run:
    """Run `fabric-twin` with some arguments; `stdin` is what it reads."""

    def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(main, list(arguments), input=stdin, prog_name="fabric-twin")
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


class Simulator:
    """`fabric-twin simulate` as a process of its own: faults go in by its control port, and what
    comes of them is read over gNMI."""

    def __init__(self, folder: Path, intended: Intended, *options: str) -> None:
        self.intended, self.design, self.pod = intended, intended.design, intended.pod
        self.names, self.slots = intended.names, intended.slots
        program = Path(sys.executable).with_name("fabric-twin")
        quiet = folder / "quiet.json"
        quiet.write_text('{"version": 1, "rates": {}}')
        given = options if "--faults" in options else ("--faults", str(quiet), *options)
        self.secure = "--tls" in options
        self.process = subprocess.Popen(
            [program, "simulate", "--json", *given, *(() if self.secure else ("--insecure",))],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        self.said: dict[str, Any] = json.loads(self.process.stdout.readline())

    def fabric(self, patience: Patience | None = None) -> Fabric:
        """Open every switch, and every cube or block, behind the shared address."""
        cubes = dict.fromkeys(self.names.cube(slot) for slot in self.slots)
        return open_fabric(
            shared_targets(self.said["gnmi"], self.names.switches),
            shared_targets(self.said["gnmi"], cubes),
            Access(insecure=True),
            patience or Patience(request=5, tuning=2, tries=2, pause=0.02),
        )

    def control(self, path: str, **content: Any) -> Any:
        """Use the control port; a refusal is an HTTPError."""
        request = urllib.request.Request(
            self.said["control"] + path,
            json.dumps(content).encode() if content else None,
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def stop(self) -> None:
        """End it as an operator would, and wait."""
        self.process.terminate()
        assert self.process.stdout
        self.process.stdout.close()
        assert self.process.wait(30) == 0


Begin = Callable[..., Simulator]


@pytest.fixture(scope="module")
def begin_simulator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Begin]:
    """Start simulators, and end them with the module."""
    running: list[Simulator] = []

    def begin(intended: Intended, *options: str) -> Simulator:
        running.append(Simulator(tmp_path_factory.mktemp("simulator"), intended, *options))
        return running[-1]

    yield begin
    for simulator in running:
        if simulator.process.poll() is None:
            simulator.stop()


@pytest.fixture(scope="module")
def simulate(begin_simulator: Begin) -> Begin:
    """Start simulators of a pod."""

    def start(
        *options: str, design: str = "ironwood", pod: str = "iw", slots: str = "1-4"
    ) -> Simulator:
        kind = find_design(design)
        intended = intended_plant(kind, pod, parse_slots(slots, kind.slots))
        named = ("--design", design, "--pod", pod, "--slots", slots)
        return begin_simulator(intended, *named, *options)

    return start


@pytest.fixture(scope="module")
def simulate_network(begin_simulator: Begin) -> Begin:
    """Start simulators of a network: a block file, and its name."""

    def start(blocks: Path, *options: str, network: str = "dc1") -> Simulator:
        read = read_blocks(blocks.read_bytes(), blocks.name, network).network
        named = ("--network", network, "--blocks", str(blocks))
        return begin_simulator(intended_network(read), *named, *options)

    return start


def _eventually(is_so: Callable[[], Any], seconds: float = 10.0) -> Any:
    deadline = time.monotonic() + seconds
    while not (found := is_so()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return found


@pytest.fixture(scope="session")
def eventually() -> Callable[..., Any]:
    """Ask until it is so, or time is over; what was found last."""
    return _eventually
