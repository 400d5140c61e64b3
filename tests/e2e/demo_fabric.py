"""A simulated fabric, by its gNMI and by the port where faults are made."""

import base64
import json
import urllib.request
from collections.abc import Collection, Mapping
from typing import Any

from fabric_twin.simulator.certificates import CERTIFICATE
from fabric_twin.stack.simulated_fabric import USER
from fabric_twin.switches.changes import Change, Pair
from fabric_twin.switches.driver import Access
from fabric_twin.switches.fabric import open_fabric, shared_targets
from tests.e2e.conftest import Running


class Fabric:
    """The demo's fabric, or another of the same password whose simulator said where it answers."""

    def __init__(self, stack: Running, said: Mapping[str, Any] | None = None) -> None:
        read = {
            name: (stack.folder / name).read_text().strip()
            for name in ("fabric-password", "fabric-port", "faults-port")
        }
        self.address = said["gnmi"] if said else f"127.0.0.1:{read['fabric-port']}"
        self._control = said["control"] if said else f"http://127.0.0.1:{read['faults-port']}"
        password, trusted = read["fabric-password"], stack.folder / "fabric" / CERTIFICATE
        self.access = Access(USER, password, trusted.read_bytes())
        self._known = base64.b64encode(f"{USER}:{password}".encode()).decode()

    def control(self, path: str, **wish: Any) -> Any:
        """Make or mend a fault."""
        headers = {"Content-Type": "application/json", "Authorization": f"Basic {self._known}"}
        request = urllib.request.Request(
            f"{self._control}{path}", json.dumps(wish).encode(), headers
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def first_circuits(self, switch: str) -> frozenset[Pair]:
        """Two circuits that it carries: those of the least ports."""
        with open_fabric(shared_targets(self.address, [switch]), (), self.access) as fabric:
            [state] = fabric.read_switches().all().values()
        return frozenset(sorted(state.carried, key=lambda pair: int(pair[0][:-1]))[:2])

    def carried(self, switches: Collection[str]) -> dict[str, frozenset[Pair]]:
        """All circuits that each of these switches carries."""
        with open_fabric(shared_targets(self.address, switches), (), self.access) as fabric:
            states = fabric.read_switches().all()
        return {name: frozenset(state.carried) for name, state in states.items()}

    def apply(self, changes: Mapping[str, Change]) -> None:
        """Ask switches for circuits, and let them do what they do."""
        targets = shared_targets(self.address, changes)
        with open_fabric(targets, (), self.access) as fabric:
            fabric.apply(changes)
