"""An Ironwood pod that another process simulates, for benchmarks that change and read it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from fabric_twin.core.designs.ironwood import DESIGN
from fabric_twin.core.pods.names import Names
from fabric_twin.switches.driver import Access
from fabric_twin.switches.fabric import Fabric, open_fabric, shared_targets
from fabric_twin.switches.states import Pair

PROGRAM = Path(sys.executable).with_name("fabric-twin")
NAMES = Names(DESIGN.layout, "iw1")
SLOWEST = NAMES.switches[0]
TICK = os.sysconf("SC_CLK_TCK")


class Running:
    """A simulator, and the time that its process has used."""

    def __init__(self, *pods: str) -> None:
        names = [word for pod in pods for word in ("--pod", pod)]
        command = [PROGRAM, "simulate", "--design", "ironwood", *names, "--insecure", "--json"]
        self.process = subprocess.Popen(
            [*command, "--tuning-ms", "100"], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout
        self.said: dict[str, Any] = json.loads(self.process.stdout.readline())

    @property
    def cpu(self) -> float:
        words = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / TICK

    @property
    def megabytes(self) -> int:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) // 1024

    def fabric(self, pod: Names = NAMES) -> Fabric:
        cubes = [pod.cube(slot) for slot in range(1, DESIGN.slots + 1)]
        address = self.said["gnmi"]
        switches = shared_targets(address, pod.switches)
        return open_fabric(switches, shared_targets(address, cubes), Access(insecure=True))

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)


def ring(step: int) -> frozenset[Pair]:
    """Every cube joined to the one `step` further on."""
    return frozenset((f"{n + 1}A", f"{(n + step) % 144 + 1}B") for n in range(144))
