"""Entries as switches have them, against the rings of jobs.

ring-open         a ring does not close: an entry of it is missing, or leads elsewhere
ring-shared       two entries take from one direction of a link, or send to it
entry-unexpected  an entry of no ring, which disturbs none; or a row of ours that is no entry

A fault is gone once its switch was read, and has at the same port what jobs want there.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from fabric_twin.core.audit.findings import Finding, finding_id
from fabric_twin.core.audit.places import some
from fabric_twin.core.audit.remedy import Step
from fabric_twin.core.counted import counted
from fabric_twin.core.fabric.plant import End
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.core.groups.cluster import RADIX
from fabric_twin.core.rings.change import entries
from fabric_twin.core.rings.job import Job
from fabric_twin.core.rings.ring import Entry, Ring
from fabric_twin.core.rings.state import State

OPEN, SHARED, UNEXPECTED = "ring-open", "ring-shared", "entry-unexpected"
#: The faults that entries of switches have.
CODES = frozenset({OPEN, SHARED, UNEXPECTED})


@dataclass(frozen=True)
class ChangeEntry(Step):
    """Add a flow entry of a switch, or remove one."""

    do: ClassVar[str] = "change-entry"
    act: str
    switch: str
    into: int
    out: int

    def __str__(self) -> str:
        where = "from" if self.act == "remove" else "on"
        return f"{self.act} {self.into}->{self.out} {where} {self.switch}"


@dataclass(frozen=True)
class RingReport:
    """What an audit of entries found."""

    cluster: str
    design: str
    #: How many entries there are, and how many rings need.
    entries: int
    expected: int
    findings: tuple[Finding, ...]
    #: Switches that nobody could read: nothing is said of them.
    unread: tuple[str, ...] = ()

    @property
    def summary(self) -> dict[str, int]:
        """How many findings there are of each code."""
        return dict(sorted(Counter(finding.code for finding in self.findings).items()))

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "version": 1,
            "cluster": self.cluster,
            "design": self.design,
            "entries": self.entries,
            "expected": self.expected,
            "findings": [finding.as_json() for finding in self.findings],
            "summary": self.summary,
            **({"unread": list(self.unread)} if self.unread else {}),
        }


def audit_rings(
    state: State,
    found: Iterable[Entry],
    unread: Collection[int] = (),
    odd: Mapping[int, Sequence[str]] = MappingProxyType({}),
) -> RingReport:
    """Compare entries with the rings of a cluster; those of lost switches are left out.

    So are those of switches that nobody could read. `odd` is by switch what is ours and no entry.
    """
    out = state.lost.union(unread)
    there = {entry for entry in found if entry.switch not in out}
    wanted = {entry for entry in entries(state) if entry.switch not in out}
    comparison = _Comparison(state, there, wanted, odd)
    findings = [*comparison.open_rings(), *comparison.shared(), *comparison.unexpected()]
    findings.sort(key=lambda finding: finding.urgency)
    names = state.names
    design = state.wiring.design.name
    silent = tuple(map(names.device, sorted(unread)))
    return RingReport(names.pod, design, len(there), len(wanted), tuple(findings), silent)


class _Comparison:
    def __init__(
        self,
        state: State,
        there: set[Entry],
        wanted: set[Entry],
        odd: Mapping[int, Sequence[str]],
    ) -> None:
        self._state, self._there, self._wanted, self._odd = state, there, wanted, odd
        self._surplus = there - wanted
        self._explained: set[Entry] = set()

    def open_rings(self) -> Iterator[Finding]:
        """A finding for each ring that lacks entries."""
        missing = self._wanted - self._there
        for job in self._state.jobs:
            for ring in job.rings:
                if lacks := [entry for entry in ring.entries if entry in missing]:
                    yield self._open(job, ring, lacks)

    def _open(self, job: Job, ring: Ring, lacks: list[Entry]) -> Finding:
        instead = {
            extra
            for extra in self._surplus
            for entry in lacks
            if extra.switch == entry.switch and (extra.into == entry.into or extra.out == entry.out)
        }
        self._explained |= instead
        first = lacks[0]
        goes = sorted(extra.out for extra in instead if extra[:2] == first[:2])
        where = f"out at port {goes[0]}" if goes else "nowhere"
        switch = self._name(first)
        more = f"; {counted(len(lacks), 'entry')} of it are missing" if lacks[1:] else ""
        return Finding(
            id=finding_id([f"{OPEN} {switch} {first.into}"]),
            code=OPEN,
            cause=f"{self._ring(job, ring)} does not close: at {switch} what comes in at port "
            f"{first.into} goes {where}, and should go out at port {first.out}{more}",
            strays=(),
            remedy=tuple(
                self._step(act, entry)
                for act, rows in (("remove", sorted(instead)), ("add", lacks))
                for entry in rows
            ),
            places=tuple(self._place(entry.switch, entry.into) for entry in lacks),
            owners=(job.name,),
            looks=tuple(self._look(entry.switch, f"{entry.into}A") for entry in lacks),
        )

    def shared(self) -> Iterator[Finding]:
        """A finding for each direction of a link that two entries have."""
        at: dict[tuple[int, str, int], list[Entry]] = {}
        for entry in sorted(self._there):
            at.setdefault((entry.switch, "in", entry.into), []).append(entry)
            at.setdefault((entry.switch, "out", entry.out), []).append(entry)
        for (_, side, port), rows in at.items():
            if len(rows) < 2:
                continue
            surplus = [entry for entry in rows if entry in self._surplus]
            self._explained.update(surplus)
            switch = self._name(rows[0])
            whose = sorted({name for entry in rows for name in self._owners(entry)})
            told = [f"{entry.into}->{entry.out} of {self._of(entry)}" for entry in rows]
            yield Finding(
                id=finding_id([f"{SHARED} {switch} {side} {port}"]),
                code=SHARED,
                cause=f"What {'comes in' if side == 'in' else 'goes out'} at port {port} of "
                f"{switch} is of {len(rows)} entries: {some(told, 'entries')}",
                strays=(),
                remedy=tuple(self._step("remove", entry) for entry in surplus),
                places=(self._place(rows[0].switch, port),),
                owners=tuple(whose),
                looks=(self._look(rows[0].switch, f"{port}{'A' if side == 'in' else 'B'}"),),
            )

    def unexpected(self) -> Iterator[Finding]:
        """A finding for each switch with rows of no ring that nothing else explains."""
        rest: dict[int, list[Entry]] = {number: [] for number in self._odd}
        for entry in sorted(self._surplus - self._explained):
            rest.setdefault(entry.switch, []).append(entry)
        for number, rows in sorted(rest.items()):
            switch = self._state.names.device(number)
            told = []
            if rows:
                listed = some([f"{entry.into}->{entry.out}" for entry in rows], "entries")
                told.append(f"{counted(len(rows), 'entry')} of no ring: {listed}")
            if odd := self._odd.get(number, ()):
                listed = some(list(odd), "rows")
                told.append(f"{counted(len(odd), 'row')} of ours changed by somebody: {listed}")
            yield Finding(
                id=finding_id([f"{UNEXPECTED} {switch}"]),
                code=UNEXPECTED,
                cause=f"{switch} has {'; and '.join(told)}",
                strays=(),
                remedy=tuple(self._step("remove", entry) for entry in rows),
                places=tuple(self._place(number, entry.into) for entry in rows) or ((switch, ""),),
                looks=(
                    *(self._look(number, f"{entry.into}A") for entry in rows),
                    *[self._look(number, "")] * bool(odd),
                ),
            )

    def _ring(self, job: Job, ring: Ring) -> str:
        return f"The ring of {ring.axis} of {job.name} in plane {ring.plane}, {ring.way},"

    def _owners(self, entry: Entry) -> list[str]:
        return [
            job.name for job in self._state.jobs if any(entry in ring.entries for ring in job.rings)
        ]

    def _of(self, entry: Entry) -> str:
        return next(iter(self._owners(entry)), "no job")

    def _place(self, device: int, port: int) -> End:
        """A port of a switch; one that the design does not have is called by its number."""
        layout = self._state.names.layout
        ports = layout.ports_of_switch(device - self._state.wiring.cluster.groups)
        if port > RADIX:
            return self._state.names.device(device), str(port)
        return self._state.names.port(ports[port - 1])

    def _look(self, device: int, port: str) -> Proof:
        """A look at what comes in at a port (`4A`), goes out at it (`4B`), or at odd rows."""
        return Proof(Look.ENTRIES, self._state.names.device(device), port)

    def _name(self, entry: Entry) -> str:
        return self._state.names.device(entry.switch)

    def _step(self, act: str, entry: Entry) -> ChangeEntry:
        return ChangeEntry(act, self._name(entry), entry.into, entry.out)
