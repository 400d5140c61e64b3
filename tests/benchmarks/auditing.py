"""The nightly audit of an Ironwood pod with ten pods loaded, from a worker's call to its run.

The fabric is `fabric-twin simulate` in a process of its own, over TLS; it carries the circuits that
the inventory wants. Time is told by part; the peer is the reading of the same 192 devices alone, in
the same run: no audit can cost less. Then it grows: one worker, more pods; two workers.
Run by `make bench`.

    python tests/benchmarks/auditing.py                     all of it, in a database made for it
    python tests/benchmarks/auditing.py --keep FOLDER       in one that is kept and used again
    python tests/benchmarks/auditing.py --most 1 --profile  where the time goes
"""

import argparse
import cProfile
import json
import os
import pstats
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
import warnings
from base64 import b64encode
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property, wraps
from pathlib import Path
from typing import Any
from unittest import mock

from loading import CONFIG, nautobot_on_an_empty_database, seconds
from ten_pods import POD, PODS, load_pods

BUDGET, UNCHANGED = 3.0, 2.0
#: The pod that is timed: 144 cubes, in one slice of 6,912 circuits.
AUDITED = "iw6"
#: A pod that has cables of which nobody knows an end: a finding each.
LOOSE, FINDINGS = POD, 100
PROGRAM = Path(sys.executable).with_name("fabric-twin")
TICK = os.sysconf("SC_CLK_TCK")
#: Where the time of an audit goes, innermost first.
PARTS = ("ask", "observe", "records", "fingerprint", "diagnose", "keep", "store", "else")


class Simulated:
    """The fabric of some pods, and the time that its process has used."""

    def __init__(self, folder: Path, *pods: str) -> None:
        (folder / "faults.json").write_text('{"version": 1, "rates": {}}')
        self.access = {
            "FABRIC_TWIN_GNMI_USER": "night",
            "FABRIC_TWIN_GNMI_PASSWORD": secrets.token_hex(8),
            "FABRIC_TWIN_GNMI_CA": str(folder / "tls" / "fabric-twin.pem"),
        }
        os.environ |= self.access
        names = [word for pod in pods for word in ("--pod", pod)]
        command = [PROGRAM, "simulate", "--design", "ironwood", *names, "--tls", folder / "tls"]
        command += ["--faults", folder / "faults.json", "--json"]
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

    def break_ten(self) -> None:
        """Break ten fibres, of as many cubes, and nothing else."""
        self.mend()
        for slot in range(1, 11):
            cable = f"{AUDITED}-c{slot:03}:4.3.2/X+"
            self.control("/faults", pod=AUDITED, kind="broken", cable=cable)

    def mend(self) -> None:
        """Mend everything."""
        for fault in self.control("/faults")["faults"]:
            self.control("/mend", pod=AUDITED, number=fault["number"])

    def stop(self) -> None:
        """End the process."""
        self.process.terminate()
        self.process.communicate(timeout=30)


class Parts:
    """Seconds by part; a part within another counts for itself alone."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._within: list[float] = []

    def counted(self, part: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """The same, and its time is told."""

        @wraps(work)
        def timed(*args: Any, **named: Any) -> Any:
            self._within.append(0.0)
            begun = time.perf_counter()
            try:
                return work(*args, **named)
            finally:
                took = time.perf_counter() - begun
                self.seconds[part] += took - self._within.pop()
                if self._within:
                    self._within[-1] += took

        return timed

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Time the parts of all audits meanwhile."""
        from fabric_twin.repositories import audit_runs, auditing, looking, observing
        from fabric_twin.repositories.reading import PodRecord
        from fabric_twin.switches.fabric import Fabric

        with ExitStack() as stack:
            for part, owner, names in (
                ("ask", looking, ["open_fabric"]),
                ("ask", Fabric, ["read_all", "close"]),
                ("observe", looking, ["observe"]),
                ("records", looking, ["targets_of", "pod_accesses"]),
                ("records", observing, ["_baseline"]),
                ("fingerprint", audit_runs, ["fingerprints_of"]),
                ("diagnose", observing, ["diagnose"]),
                ("diagnose", auditing, ["audit_cabling"]),
                ("keep", observing, ["sync"]),
                ("store", audit_runs, ["store_findings"]),
            ):
                for name in names:
                    work = self.counted(part, getattr(owner, name))
                    stack.enter_context(mock.patch.object(owner, name, work))
            for name, what in vars(PodRecord).copy().items():
                if isinstance(what, cached_property):
                    read = cached_property(self.counted("records", what.func))
                    read.__set_name__(PodRecord, name)
                    stack.enter_context(mock.patch.object(PodRecord, name, read))
            yield


@dataclass
class Timed:
    """What one kind of audit took, in seconds, a number a round."""

    name: str
    walls: list[float] = field(default_factory=list)
    cpus: list[float] = field(default_factory=list)
    of_postgres: list[float] = field(default_factory=list)
    of_fabric: list[float] = field(default_factory=list)
    peers: list[float] = field(default_factory=list)
    parts: list[dict[str, float]] = field(default_factory=list)

    def watch(self, fabric: Simulated, work: Callable[[], Any]) -> Any:
        """Do it once more, and note what it took."""
        from pages import postgres_seconds

        parts = Parts()
        cpu, postgres, simulated = time.process_time(), postgres_seconds(), fabric.cpu
        begun = time.perf_counter()
        with parts.watched():
            done = work()
        wall = time.perf_counter() - begun
        self.walls.append(wall)
        self.cpus.append(time.process_time() - cpu)
        self.of_postgres.append(postgres_seconds() - postgres)
        self.of_fabric.append(fabric.cpu - simulated)
        parts.seconds["else"] = wall - sum(parts.seconds.values())
        self.parts.append(dict(parts.seconds))
        return done

    def row(self) -> str:
        """The figures in a line."""
        middle = statistics.median
        parts = "".join(
            f"{middle(parts.get(name, 0) for parts in self.parts):8.2f}" for name in PARTS
        )
        peer = f"{middle(self.peers):6.2f}" if self.peers else "      "
        return (
            f"{middle(self.walls):6.2f}{min(self.walls):6.2f}{peer}{middle(self.cpus):7.2f}"
            f"{middle(self.of_postgres):6.2f}{middle(self.of_fabric):6.2f} |{parts}  {self.name}"
        )


HEAD = "   all least  read    CPU    PG fabric |" + "".join(f"{name[:7]:>8}" for name in PARTS)


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
        of_pods.update(address=address, target=Subquery(name))
    wanted: dict[str, set[tuple[str, str]]] = defaultdict(set)
    rows = OpticalCircuit.objects.filter(switch__pod__name__in=pods, wanted=True).order_by()
    for name, a, b in rows.values_list("switch__device__name", "a", "b"):
        wanted[name].add((f"{a}A", f"{b}B"))
    changes = {name: Change(add=frozenset(pairs)) for name, pairs in wanted.items()}
    targets = shared_targets(address, wanted)
    with open_fabric(targets, (), Access.from_environment()) as switches:
        switches.apply(changes).all()


def forget(*pods: str) -> None:
    """Leave pods as before their first audit."""
    from nautobot.dcim.models import Device, Module

    from fabric_twin import models

    for model in (models.Finding, models.AuditRun, models.Reading, models.LightDay):
        model.objects.filter(pod__name__in=pods).delete()
    circuits = models.OpticalCircuit.objects.filter(switch__pod__name__in=pods)
    circuits.filter(wanted=False).delete()
    circuits.filter(seen=True).update(seen=False)
    bays = models.Port.objects.filter(pod__name__in=pods, cube__isnull=False).values("module_bay")
    Module.objects.filter(parent_module_bay__in=bays).update(serial=None)
    Device.objects.filter(fabric_switch__pod__name__in=pods).update(serial="")


def audit(pod: str, scope: Any = None) -> Any:
    """One audit of a pod, as a worker is called to it."""
    from fabric_twin.models import Pod
    from fabric_twin.repositories.audit_runs import How, run_audit
    from fabric_twin.repositories.auditing import WHOLE_POD
    from fabric_twin.repositories.observing import observe_scope

    found = Pod.objects.get(name=pod)
    return run_audit(found, scope or WHOLE_POD, How(look=observe_scope))


def read_alone(pod: str) -> None:
    """The peer: ask every device, and read what it says."""
    from fabric_twin.models import Pod
    from fabric_twin.repositories.reading import IN_SERVICE
    from fabric_twin.repositories.targets import targets_of
    from fabric_twin.switches.driver import Access
    from fabric_twin.switches.fabric import open_fabric

    targets = targets_of(Pod.objects.get(name=pod), IN_SERVICE)
    with open_fabric(targets.switches, targets.cubes, Access.from_environment()) as fabric:
        for answers in fabric.read_all():
            answers.all()


def measure(fabric: Simulated, rounds: int, only: str, *, profile: bool) -> list[Timed]:
    """Time every kind of audit of one pod."""
    from fabric_twin.repositories.auditing import Scope

    read_alone(AUDITED)
    kinds: tuple[tuple[str, Callable[[], None] | None, Any, int], ...] = (
        ("the first: 13,824 serials and 6,912 circuits", lambda: forget(AUDITED), None, 0),
        ("nothing changed", None, None, 0),
        ("light alone, nothing changed", None, Scope(light=True), 0),
        ("one switch", None, Scope(switches=frozenset({6})), 0),
        ("twenty touched ports", None, Scope(ports=frozenset(range(0, 2000, 100))), 0),
        ("ten fibres broken", fabric.break_ten, None, 10),
        ("the same ten still broken", None, None, 10),
        ("and mended", fabric.mend, None, 0),
    )
    done: dict[str, Timed] = {}
    for _ in range(rounds):
        for name, before, scope, found in kinds:
            if only in name or before:
                if before:
                    before()
                one = done.setdefault(name, Timed(name))
                if scope is None:
                    one.peers.append(seconds(lambda: read_alone(AUDITED)))
                run = one.watch(fabric, lambda scope=scope: audit(AUDITED, scope))
                assert (run.found, run.not_reached) == (found, {}), (
                    name,
                    run.by_code,
                    run.not_reached,
                )
    if profile:
        profiler = cProfile.Profile()
        profiler.runcall(audit, AUDITED)
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(80)
    print(f"{HEAD}  seconds, medians of {rounds}; load {os.getloadavg()[0]:.1f}")
    for one in done.values():
        print(one.row(), flush=True)
    return list(done.values())


def grow(most: int) -> None:
    """Audits of a night, nothing new: one worker and two, each a process of its own."""
    print("\npods  workers  seconds  s a pod   (workers started, then called)")
    for pods in (1, 2, 5, 10):
        for workers in (1, 2):
            if workers > pods or pods > most:
                continue
            shares = [list(range(1, pods + 1))[first::workers] for first in range(workers)]
            processes = [
                subprocess.Popen(
                    [sys.executable, __file__, "--worker", *(f"iw{n}" for n in share)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
                for share in shares
            ]
            for process in processes:
                assert process.stdout
                process.stdout.readline()
            begun = time.perf_counter()
            for process in processes:
                assert process.stdin
                process.stdin.write("go\n")
                process.stdin.flush()
            for process in processes:
                assert process.stdout
                if process.stdout.readline() != "done\n":
                    sys.exit("a worker failed")
            took = time.perf_counter() - begun
            for process in processes:
                process.communicate(timeout=60)
            print(f"{pods:4} {workers:8} {took:8.1f} {took / pods:8.2f}", flush=True)


def work(pods: list[str]) -> None:
    """Audit pods one after the other, as one worker does, once somebody calls."""
    import nautobot

    with warnings.catch_warnings(action="ignore"):
        nautobot.setup(str(CONFIG))
    print("ready", flush=True)
    sys.stdin.readline()
    for pod in pods:
        assert audit(pod).found == (FINDINGS if pod == LOOSE else 0)
    print("done", flush=True)


def main() -> None:
    """Load, then audit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--keep", type=Path, help="a folder for the database, used again")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="what has this in its name")
    parser.add_argument("--most", type=int, default=PODS, help="pods to grow to")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--worker", nargs="+", help=argparse.SUPPRESS)
    wish = parser.parse_args()
    if wish.worker:
        return work(wish.worker)
    with (
        nautobot_on_an_empty_database(wish.keep),
        tempfile.TemporaryDirectory(prefix="fabric-twin-bench-") as folder,
    ):
        from fabric_twin.models import Pod

        if not Pod.objects.exists():
            load_pods()
        pods = [AUDITED] if wish.only else [f"iw{n}" for n in range(1, PODS + 1)]
        fabric = Simulated(Path(folder), *pods)
        try:
            connect(fabric, *pods)
            timed = measure(fabric, wish.rounds, wish.only, profile=wish.profile)
            if not wish.only:
                for pod in set(pods) - {AUDITED}:
                    forget(pod)
                    audit(pod)
                grow(wish.most)
        finally:
            fabric.stop()
    slow = [
        one.name
        for one in timed
        if statistics.median(one.walls) > (UNCHANGED if "nothing" in one.name else BUDGET)
    ]
    print(f"\nover the budget of {BUDGET} s, {UNCHANGED} s when nothing changed: {slow or 'none'}")
    return None


if __name__ == "__main__":
    main()
