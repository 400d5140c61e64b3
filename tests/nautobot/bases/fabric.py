"""A simulated fabric in a process of its own, with TLS and a password, for tests in Nautobot."""

import base64
import json
import os
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from nautobot.apps.testing import TestCase

from fabric_twin.core.pods.names import Names
from fabric_twin.models import OpticalCircuit, Pod
from fabric_twin.operations.audits import light_tests
from fabric_twin.operations.discovery import discover
from fabric_twin.switches.changes import Change, Hold
from fabric_twin.switches.driver import Access
from fabric_twin.switches.fabric import open_fabric, shared_targets
from tests.nautobot.bases.pods.loaded_once import pod_loaded
from tests.our_rows import check_sets

PROGRAM = Path(sys.executable).with_name("fabric-twin")
Said = tuple[dict[str, Any], dict[str, str]]
QUIET = '{"version": 1, "rates": {}}'


def simulated(
    folder: Path, slots: str, design: str = "ironwood", more: tuple[str, ...] = ()
) -> AbstractContextManager[Said]:
    """A simulator of pod `iw`: what it says of itself, and the environment of who may get in."""
    return simulated_as(folder, "--design", design, "--pod", "iw", "--slots", slots, *more)


@contextmanager
def simulated_as(folder: Path, *what: str) -> Iterator[Said]:
    """The same of a fabric by its options."""
    (folder / "faults.json").write_text(QUIET)
    environment = {
        "FABRIC_TWIN_GNMI_USER": "night",
        "FABRIC_TWIN_GNMI_PASSWORD": "shift",
        "FABRIC_TWIN_GNMI_CA": str(folder / "tls" / "fabric-twin.pem"),
    }
    command = [PROGRAM, "simulate", *what, "--tls", folder / "tls", "--json"]
    command += ["--faults", folder / "faults.json", "--sets", folder / "sets"]
    with subprocess.Popen(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **environment},
    ) as simulator:
        try:
            assert simulator.stdout
            yield json.loads(simulator.stdout.readline()), environment
        finally:
            simulator.terminate()
    check_sets(folder / "sets")


class FabricTestCase(TestCase):
    """A pod `iw` of a few cubes in the inventory, and its fabric."""

    design = "ironwood"
    #: What is loaded, and what stands in the fabric: the same by default.
    slots = (1, 2, 3)
    planted: tuple[int, ...] = ()
    #: Options of the simulator.
    simulated_with: tuple[str, ...] = ()

    @classmethod
    def setUpClass(cls) -> None:
        """Start the simulator, and let this process know how to get in."""
        folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        #: What the simulator writes down: each Set that a switch was sent.
        cls.sets = folder / "sets"
        cls.said, environment = cls.enterClassContext(cls.simulator(folder))
        cls.enterClassContext(mock.patch.dict(os.environ, environment))
        # Simulated neighbours are heard as soon as mirrors rest, for which a change waits.
        for module in (light_tests, discover):
            cls.enterClassContext(mock.patch.object(module, "SETTLE", 0.0))
        super().setUpClass()

    @classmethod
    def simulator(cls, folder: Path) -> AbstractContextManager[Said]:
        """The fabric that stands there."""
        planted = cls.planted or cls.slots
        slots = f"{planted[0]}-{planted[-1]}"
        return simulated(folder, slots, cls.design, cls.simulated_with)

    @classmethod
    def setUpTestData(cls) -> None:
        """The pod as its rule wants it, behind the simulator's address."""
        pod_loaded(cls.design, cls.slots, cls.said["gnmi"])

    def setUp(self) -> None:
        """Find the pod; leave a fabric without faults and without circuits behind."""
        super().setUp()
        self.begin()
        self.addCleanup(self.settle)

    def begin(self) -> None:
        """Find what a class stands on."""
        self.pod = Pod.objects.get(name="iw")
        self.names = Names(self.pod.to_core().layout, "iw")
        self.switches = self.names.switches

    def control(self, path: str, **wish: Any) -> Any:
        """Ask the control port, which makes and mends faults and does nothing else."""
        body = json.dumps(wish).encode() if wish else None
        name, password = (os.environ[f"FABRIC_TWIN_GNMI_{word}"] for word in ("USER", "PASSWORD"))
        known = base64.b64encode(f"{name}:{password}".encode()).decode()
        headers = {"Content-Type": "application/json", "Authorization": f"Basic {known}"}
        request = urllib.request.Request(f"{self.said['control']}{path}", body, headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def break_it(self, kind: str, **where: Any) -> int:
        """Make a fault."""
        return int(self.control("/faults", kind=kind, **where)["number"])

    def set_circuits(self, pairs: set[tuple[str, str]], switch: str = "iw-ocs-x-3-2") -> None:
        """Leave a switch with these circuits and no others, by gNMI."""
        access = Access.from_environment()
        with open_fabric(shared_targets(self.said["gnmi"], [switch]), (), access) as fabric:
            before = fabric.read_switches().all()[switch].configured
            [applied] = fabric.apply({switch: Change.between(before, pairs)}).all().values()
        self.assertEqual(applied.bad, ())

    def carried(self, *, add: bool) -> None:
        """Have the switches carry what is wanted, or nothing of it."""
        wanted: dict[str, set[tuple[str, str]]] = {}
        for circuit in OpticalCircuit.objects.select_related("switch__device"):
            pairs = wanted.setdefault(circuit.switch.device.name, set())
            pairs.add((f"{circuit.a}A", f"{circuit.b}B"))
        targets = shared_targets(self.said["gnmi"], wanted)
        with open_fabric(targets, (), Access.from_environment()) as fabric:
            changes = {
                name: Change(add=frozenset(p)) if add else Change(delete=frozenset(p))
                for name, p in wanted.items()
            }
            fabric.apply(changes).all()

    def settle(self) -> None:
        """Mend what is broken, take every circuit away, and block no port."""
        for fault in self.control("/faults")["faults"]:
            self.control("/mend", number=fault["number"])
        access = Access.from_environment()
        switches = shared_targets(self.said["gnmi"], self.switches)
        with open_fabric(switches, (), access) as fabric:
            states = fabric.read_switches().all()
            changes = {n: Change(delete=s.configured) for n, s in states.items() if s.configured}
            fabric.apply(changes).all()
            blocked = {
                name: Hold(release=frozenset(ports))
                for name, state in states.items()
                if (ports := [port for port, shown in state.ports.items() if shown.force_blocked])
            }
            fabric.hold(blocked).all()
