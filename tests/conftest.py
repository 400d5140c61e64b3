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
from fabric_twin.core.designs import find_design
from fabric_twin.core.pods.names import Names
from fabric_twin.core.slots import parse_slots
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

    def __init__(self, folder: Path, *options: str, design: str, pod: str, slots: str) -> None:
        self.design, self.pod = find_design(design), pod
        self.names = Names(self.design.layout, pod)
        self.slots = parse_slots(slots, self.design.slots)
        program = Path(sys.executable).with_name("fabric-twin")
        base = ("--design", design, "--pod", pod, "--slots", slots, "--json")
        quiet = folder / "quiet.json"
        quiet.write_text('{"version": 1, "rates": {}}')
        given = options if "--faults" in options else ("--faults", str(quiet), *options)
        self.secure = "--tls" in options
        self.process = subprocess.Popen(
            [program, "simulate", *base, *given, *(() if self.secure else ("--insecure",))],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        self.said: dict[str, Any] = json.loads(self.process.stdout.readline())

    def fabric(self, patience: Patience | None = None) -> Fabric:
        """Open every switch and cube, behind the shared address."""
        cubes = [self.names.cube(slot) for slot in self.slots]
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


@pytest.fixture(scope="module")
def simulate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Simulator]]:
    """Start simulators, and end them with the module."""
    running: list[Simulator] = []

    def start(
        *options: str, design: str = "ironwood", pod: str = "iw", slots: str = "1-4"
    ) -> Simulator:
        folder = tmp_path_factory.mktemp("simulator")
        running.append(Simulator(folder, *options, design=design, pod=pod, slots=slots))
        return running[-1]

    yield start
    for simulator in running:
        if simulator.process.poll() is None:
            simulator.stop()


def _eventually(is_so: Callable[[], Any], seconds: float = 10.0) -> Any:
    deadline = time.monotonic() + seconds
    while not (found := is_so()) and time.monotonic() < deadline:
        time.sleep(0.01)
    return found


@pytest.fixture(scope="session")
def eventually() -> Callable[..., Any]:
    """Ask until it is so, or time is over; what was found last."""
    return _eventually
