"""The fabric of some Ironwood pods, simulated in a process of its own, over TLS."""

import json
import os
import secrets
import subprocess
import sys
import urllib.request
from base64 import b64encode
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path
from typing import Any

PROGRAM = Path(sys.executable).with_name("fabric-twin")
TICK = os.sysconf("SC_CLK_TCK")


class Simulated:
    """The fabric of some pods, and the time that its process has used."""

    def __init__(self, folder: Path, *pods: str, slots: int) -> None:
        (folder / "faults.json").write_text('{"version": 1, "rates": {}}')
        self.access = {
            "FABRIC_TWIN_GNMI_USER": "night",
            "FABRIC_TWIN_GNMI_PASSWORD": secrets.token_hex(8),
            "FABRIC_TWIN_GNMI_CA": str(folder / "tls" / "fabric-twin.pem"),
        }
        os.environ |= self.access
        names = [word for pod in pods for word in ("--pod", pod)]
        command = [PROGRAM, "simulate", "--design", "ironwood", *names, "--slots", f"1-{slots}"]
        command += ["--tls", folder / "tls", "--faults", folder / "faults.json", "--json"]
        self.process = subprocess.Popen(
            list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self.process.stdout
        self.said: dict[str, Any] = json.loads(self.process.stdout.readline())

    @property
    def cpu(self) -> float:
        """Seconds of the processor so far."""
        words = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / TICK

    def control(self, path: str, **wish: Any) -> Any:
        """Ask the control port, which makes and mends faults."""
        words = [self.access[f"FABRIC_TWIN_GNMI_{word}"] for word in ("USER", "PASSWORD")]
        known = b64encode(":".join(words).encode()).decode()
        headers = {"Content-Type": "application/json", "Authorization": f"Basic {known}"}
        body = json.dumps(wish).encode() if wish else None
        asked = urllib.request.Request(f"{self.said['control']}{path}", body, headers)
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return json.load(answer)

    def break_fibres(self, pod: str, cubes: Collection[int]) -> None:
        """Break a fibre of each of some cubes, and nothing else."""
        self.mend(pod)
        for slot in cubes:
            cable = f"{pod}-c{slot:03}:4.3.2/X+"
            self.control("/faults", pod=pod, kind="broken", cable=cable)

    def mend(self, pod: str) -> None:
        """Mend everything."""
        for fault in self.control("/faults")["faults"]:
            self.control("/mend", pod=pod, number=fault["number"])

    def stop(self) -> None:
        """End the process."""
        self.process.terminate()
        self.process.communicate(timeout=30)


def connect(fabric: Simulated, *pods: str) -> None:
    """Say where the devices of pods answer, and set the circuits that are wanted of them."""
    from django.db.models import OuterRef, Subquery
    from nautobot.dcim.models import Device, Rack

    from fabric_twin.models import Cube, OpticalCircuit, Switch
    from fabric_twin.switches.changes import Change
    from fabric_twin.switches.driver import Access
    from fabric_twin.switches.fabric import open_fabric, shared_targets

    address = fabric.said["gnmi"]
    for model, named, key in ((Cube, Rack, "rack_id"), (Switch, Device, "device_id")):
        name = named.objects.filter(pk=OuterRef(key)).values("name")
        of_pods = model.objects.filter(pod__name__in=pods)
        of_pods.update(
            address=address, target=Subquery(name), called=Subquery(name), confirmed_by="load"
        )
    wanted: dict[str, set[tuple[str, str]]] = defaultdict(set)
    rows = OpticalCircuit.objects.filter(switch__pod__name__in=pods, wanted=True).order_by()
    for name, a, b in rows.values_list("switch__device__name", "a", "b"):
        wanted[name].add((f"{a}A", f"{b}B"))
    changes = {name: Change(add=frozenset(pairs)) for name, pairs in wanted.items()}
    targets = shared_targets(address, wanted)
    with open_fabric(targets, (), Access.from_environment()) as switches:
        switches.apply(changes).all()
