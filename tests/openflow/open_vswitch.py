"""Open vSwitch without the kernel: its own daemons, with ports that carry nothing."""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.core.rings.follow import Told

SCHEMA = Path("/usr/share/openvswitch/vswitch.ovsschema")
PROGRAMS = ("ovs-vswitchd", "ovsdb-server", "ovsdb-tool", "ovs-vsctl", "ovs-ofctl", "ovs-appctl")
#: Debian keeps daemons where only root looks.
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def is_installed() -> bool:
    """Whether all of it is here."""
    return SCHEMA.exists() and all(shutil.which(program, path=_PATH) for program in PROGRAMS)


def require_open_vswitch() -> None:
    """Skip where it is not here; CI must have it."""
    if not is_installed():
        if os.environ.get("CI"):
            pytest.fail("CI must run this: apt-get install openvswitch-switch")
        pytest.skip("there is no Open vSwitch here: apt-get install openvswitch-switch")


def free_port() -> int:
    """One that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class OpenVSwitch:
    """A switch daemon in a folder, with a bridge for each packet switch of a cluster."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: dict[str, str] = {}
        #: Where each answers, by its name.
        self.addresses: dict[str, str] = {}
        self._run("ovsdb-tool", "create", "conf.db", str(SCHEMA))
        self._run("ovsdb-server", "conf.db", *self._of("db"), f"--remote=punix:{folder}/db.sock")
        self._vsctl("--no-wait", "init")
        quiet = ("--enable-dummy=override", "--disable-system")
        self._run("ovs-vswitchd", *quiet, *self._of("vs"), f"unix:{folder}/db.sock")

    def _of(self, daemon: str) -> list[str]:
        at = self._folder / daemon
        files = [f"--log-file={at}.log", f"--pidfile={at}.pid", f"--unixctl={at}.ctl"]
        return ["--detach", "--no-chdir", *files]

    def stop(self) -> None:
        """End both daemons."""
        for daemon in ("vs", "db"):
            self._run("ovs-appctl", f"--target={self._folder}/{daemon}.ctl", "exit")

    def add(self, name: str, datapath: str, ports: int = 64, listen: str = "ptcp") -> str:
        """A switch with so many ports; where it answers."""
        bridge = self._names[name] = f"b{len(self._names)}"
        told = ["add-br", bridge, "--", "set", "bridge", bridge, "datapath_type=dummy"]
        told += ["protocols=OpenFlow13", "fail-mode=secure"]
        told += [f"other-config:datapath-id={datapath}"]
        for number in range(1, ports + 1):
            port = f"{bridge}p{number}"
            told += ["--", "add-port", bridge, port, "--", "set", "interface", port]
            told += ["type=dummy", f"ofport_request={number}"]
        self._vsctl(*told)
        # One that is chosen here stays the same if the daemon opens it again.
        port = free_port()
        self._vsctl("set-controller", bridge, f"{listen}:{port}:127.0.0.1")
        self._wait_for(port)
        self.addresses[name] = f"127.0.0.1:{port}"
        return self.addresses[name]

    def _wait_for(self, port: int) -> None:
        """Until somebody listens there."""
        until = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=5).close()
            except OSError:
                assert time.monotonic() < until, (self._folder / "vs.log").read_text()[-2000:]
                time.sleep(0.05)
            else:
                return

    def trust(self, key: bytes, certificate: bytes) -> None:
        """Show a certificate, and let in who shows the same."""
        for file, content in (("key.pem", key), ("cert.pem", certificate)):
            (self._folder / file).write_bytes(content)
        files = [str(self._folder / file) for file in ("key.pem", "cert.pem", "cert.pem")]
        self._vsctl("set-ssl", *files)

    def goes(self, names: Iterable[str], ports: int = 64) -> list[Told]:
        """Where a packet that comes in at a port goes out, as Open vSwitch traces it."""
        found = []
        for name in names:
            for port in range(1, ports + 1):
                control = f"--target={self._folder}/vs.ctl"
                packet = ("ofproto/trace", self._names[name], f"in_port={port}")
                said = self._run("ovs-appctl", control, *packet)
                found += [(name, port, int(out)) for out in re.findall(r"output:(\d+)", said)]
        return found

    def flows(self, name: str) -> list[str]:
        """Every row of a switch, without its counters."""
        said = self._ofctl("dump-flows", name, "--no-stats")
        return sorted(line.strip() for line in said.splitlines() if "actions=" in line)

    def change(self, act: str, name: str, flow: str) -> None:
        """What somebody else does: `add-flow`, `mod-flows`, `del-flows`."""
        self._ofctl(act, name, flow)

    def _ofctl(self, act: str, name: str, *given: str) -> str:
        bridge = f"unix:{self._folder}/{self._names[name]}.mgmt"
        options = [one for one in given if one.startswith("-")]
        rest = [one for one in given if not one.startswith("-")]
        return self._run("ovs-ofctl", "-O", "OpenFlow13", *options, act, bridge, *rest)

    def _vsctl(self, *given: str) -> None:
        self._run("ovs-vsctl", "--timeout=60", f"--db=unix:{self._folder}/db.sock", *given)

    def _run(self, *given: str) -> str:
        folder = str(self._folder)
        done = subprocess.run(
            given,
            cwd=folder,
            env={"PATH": _PATH, "OVS_RUNDIR": folder, "OVS_LOGDIR": folder, "OVS_DBDIR": folder},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{' '.join(given)[:200]}: {done.stderr}"
        return done.stdout
