"""What an audit took, by part of it and by process."""

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any
from unittest import mock

from pages import postgres_seconds
from simulated import Simulated

#: Where the time of an audit goes, innermost first.
PARTS = ("ask", "observe", "records", "fingerprint", "diagnose", "keep", "store", "else")


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
        from fabric_twin.operations.audits import audit as auditing
        from fabric_twin.operations.audits import observe as observing
        from fabric_twin.operations.audits import run as audit_runs
        from fabric_twin.operations.pods import poll as looking
        from fabric_twin.repositories.pod_record import PodRecord
        from fabric_twin.switches.fabric import Fabric

        with ExitStack() as stack:
            for part, owner, names in (
                ("ask", looking, ["open_fabric"]),
                ("ask", Fabric, ["read_all", "close"]),
                ("observe", looking, ["observe"]),
                ("records", looking, ["targets_of", "pod_accesses"]),
                ("records", observing, ["baseline_of"]),
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
