"""The fabric of the demo: a simulated plant in a process of its own, spoken to as real ones are.

With TLS and a password, like any other: Nautobot's workers get in by their environment alone.
"""

import json
import os
import socket
import ssl
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabric_twin.core.errors import StackRefused
from fabric_twin.simulator.certificates import CERTIFICATE
from fabric_twin.stack.demo.network import NETWORK, block_file
from fabric_twin.stack.folder import ADDRESS, StateFolder
from fabric_twin.stack.kept import Program
from fabric_twin.stack.recovery.moved_fabric import remember_move
from fabric_twin.stack.recovery.ports import kept_port, last_port
from fabric_twin.stack.supervisor import ANSWER_WITHIN, Part
from fabric_twin.switches.driver import Access

POD, DESIGN = "iw1", "ironwood"
#: All blocks of the network that stand in the fabric; one of them is not recorded yet.
BLOCKS = 5
USER = "demo"
#: What is wrong in it from the beginning; nothing else happens by itself.
FAULTS: tuple[Mapping[str, Any], ...] = (
    {"kind": "swapped", "cable": "iw1-c007:4.3.2/X+", "other": "iw1-c009:4.3.2/X+"},
    {"kind": "broken", "cable": "iw1-c003:2.4.1/Y+"},
    {"kind": "dirty", "device": "iw1-c012-t06", "port": "4.1.2/X+"},
    {"kind": "wrong-transceiver", "device": "iw1-c021-t02", "port": "4.1.1/X+"},
    {"kind": "fan-lost", "device": "iw1-ocs-z-2-4", "unit": 1},
)


@dataclass(frozen=True)
class SimulatedFabric:
    """Where the fabric answers, and who may ask it."""

    folder: StateFolder
    #: Of gNMI, and of the port where faults are made.
    port: int
    control_port: int

    @classmethod
    def of(cls, folder: StateFolder, say: Callable[[str], None]) -> "SimulatedFabric":
        """On the ports of last time, so that records that name them stay true."""
        before = last_port(folder, "fabric-port")
        ports = (kept_port(folder, name, say) for name in ("fabric-port", "faults-port"))
        fabric = cls(folder, *ports)
        if before not in {0, fabric.port}:
            remember_move(folder, f"{ADDRESS}:{before}")
        return fabric

    @property
    def address(self) -> str:
        """Where every switch and cube answers gNMI."""
        return f"{ADDRESS}:{self.port}"

    @property
    def control(self) -> str:
        """Where faults are made and mended."""
        return f"http://{ADDRESS}:{self.control_port}"

    @property
    def environment(self) -> Mapping[str, str]:
        """How to get in, unless the operator's environment names other secrets."""
        chosen = {
            "FABRIC_TWIN_GNMI_USER": USER,
            "FABRIC_TWIN_GNMI_PASSWORD": self.folder.secret("fabric-password"),
            "FABRIC_TWIN_GNMI_CA": str(self._home / CERTIFICATE),
        }
        return {name: os.environ.get(name) or value for name, value in chosen.items()}

    @property
    def access(self) -> Access:
        """The same for a driver in this process."""
        user, password, trusted = self.environment.values()
        return Access(user, password, Path(trusted).read_bytes())

    def part(self) -> Part:
        """The process that serves it: what was configured and broken is kept over restarts."""
        program = Path(sys.executable).with_name("fabric-twin")
        if not program.exists():
            raise StackRefused(
                "the command fabric-twin is not installed beside this Python",
                where=str(program.parent),
                remedy="Install fabric-twin[stack], or start with --no-demo",
            )
        self._home.mkdir(mode=0o700, exist_ok=True)
        faults = self._home / "faults.json"
        faults.write_text(
            json.dumps({"version": 1, "rates": {}, "faults": FAULTS}, indent=2) + "\n"
        )
        blocks = self._home / "blocks.json"
        blocks.write_text(block_file(BLOCKS))
        command = [str(program), "simulate", "--design", DESIGN, "--pod", POD, "--dialect", "mixed"]
        command += ["--network", NETWORK, "--blocks", str(blocks)]
        command += ["--port", str(self.port), "--control-port", str(self.control_port)]
        command += ["--faults", str(faults), "--state", str(self._home / "state.npz")]
        command += ["--tls", str(self._home)]
        log = self.folder.log("fabric")
        return Part("fabric", Program(command, log, self.environment), self._answers)

    @property
    def _home(self) -> Path:
        return self.folder.path / "fabric"

    def _answers(self) -> bool:
        """Whether it shakes hands: the kernel alone takes connections of who is stopped."""
        anybody = ssl.create_default_context()
        anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
        anybody.set_alpn_protocols(["h2"])
        try:
            with (
                socket.create_connection((ADDRESS, self.port), ANSWER_WITHIN) as connection,
                anybody.wrap_socket(connection),
            ):
                return True
        except OSError:
            return False
