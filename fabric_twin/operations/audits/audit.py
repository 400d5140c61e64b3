"""An audit of a pod by its records, and by what its fabric shows where somebody looked.

    intended (rule, substitutions) --+
    recorded (cables, ports)       --+--> findings --> those of the scope
    observed (the fabric)          --+

Nothing is written here: see `run.py`.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from time import time
from typing import Protocol, Self

import numpy as np
from django.db.models import F

from fabric_twin.core.audit import Report, audit_cabling
from fabric_twin.core.audit.covered import Covered
from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.circuits.links import cube_ports_behind
from fabric_twin.core.diagnosis import Diagnosis
from fabric_twin.core.diagnosis.last_good import GoodLight
from fabric_twin.core.diagnosis.recorded import not_awaited, wrong_ends
from fabric_twin.core.fabric.plant import End
from fabric_twin.core.findings.dead_switch import CameBack
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.models import FindingPlace, Pod
from fabric_twin.models.audit_run import ScopeChoices
from fabric_twin.operations.audits.finding_rows import Found
from fabric_twin.operations.hooks import expected_cables
from fabric_twin.operations.networks.uneven import uneven_of
from fabric_twin.repositories.pod_record import IN_SERVICE, PodRecord


class Observed(Protocol):
    """What somebody saw who looked at the fabric. All that light and switches show joins here."""

    @property
    def fingerprint(self) -> str:
        """The same where the fabric shows the same."""

    @property
    def asked(self) -> frozenset[str]:
        """Devices that were asked, by name; cubes by their rack's."""

    def diagnose(self, record: PodRecord, intended: Intended) -> Diagnosis:
        """Explain the fabric and the records together, each fault once."""

    def came_back(
        self, record: PodRecord, intended: Intended, switches: Collection[int]
    ) -> Mapping[int, CameBack]:
        """What slices want of switches that were dead, what of that is there, and its light."""

    def over(self, made: Circuits, told: Circuits) -> Self:
        """The same, seen over test circuits: as good as wanted; whatever was told is not kept."""

    def keep(self, record: PodRecord) -> str:
        """Write what was seen, in the caller's transaction; say what of it is new."""


@dataclass(frozen=True)
class Scope:
    """How much of a pod is audited; nothing named is all of it."""

    #: Numbers of switches, slots of cubes or places of blocks, numbers of ports: of one kind.
    switches: frozenset[int] = frozenset()
    slots: frozenset[int] = frozenset()
    ports: frozenset[int] = frozenset()
    #: Light and circuits, and no serials and parts.
    light: bool = False

    def kind(self, pod: Pod) -> str:
        """Which of the scopes of a pod it is."""
        named = {
            ScopeChoices.SWITCH: self.switches,
            ScopeChoices.BLOCK if pod.is_network else ScopeChoices.CUBE: self.slots,
            ScopeChoices.PORTS: self.ports,
        }
        return next((kind for kind, numbers in named.items() if numbers), ScopeChoices.POD)

    def devices(self, record: PodRecord) -> frozenset[str]:
        """The devices that it names, by name."""
        layout, names = record.design.layout, record.names
        trays, first = layout.cube.trays, layout.slots * layout.cube.trays
        of_cubes = (trays * (slot - 1) + tray for slot in self.slots for tray in range(trays))
        numbers = [*of_cubes, *(first + number for number in self.switches)]
        return frozenset(names.device(number) for number in numbers)

    def spoken_to(self, record: PodRecord) -> frozenset[str]:
        """The switches and cubes that it names, or ports of them, by name."""
        layout, ports = record.design.layout, np.array(sorted(self.ports), np.int64)
        of_cubes = ports < layout.cube_ports
        slots = self.slots | set(layout.slot[ports[of_cubes]].tolist())
        trays = layout.slots * layout.cube.trays
        switches = self.switches | set((layout.device[ports[~of_cubes]] - trays).tolist())
        return frozenset(map(record.names.cube, slots)) | {
            record.switches[number][1] for number in switches & record.switches.keys()
        }

    def told(self, record: PodRecord) -> str:
        """What of the pod it is, for people."""
        if self.switches:
            named = [record.switches[number][1] for number in sorted(self.switches)]
        elif self.slots:
            named = list(dict.fromkeys(record.names.cube(slot) for slot in sorted(self.slots)))
        else:
            named = [" ".join(record.names.port(port)) for port in sorted(self.ports)]
        more = [f"{len(named) - _NAMED:,} more"] * (len(named) > _NAMED)
        return ", ".join([*named[:_NAMED], *more])[:255]


WHOLE_POD = Scope()
#: Places of a run that are named; of more it says how many.
_NAMED = 3
#: What an hourly look at light leaves to the nightly audit.
NOT_LIGHT = frozenset({"wrong-serial", "wrong-part"})


@dataclass(frozen=True)
class Audit:
    """What was found, and what could have been."""

    report: Report
    found: tuple[Found, ...]
    covered: Covered
    #: Whether what a proof asks for was seen.
    is_well: Callable[[Proof], bool]
    #: Beside the scope: it says which finding tells of what, and is not written.
    beside: tuple[Found, ...] = ()
    not_reached: Mapping[str, str] = field(default_factory=dict)
    #: Light of the paths that are good, to be remembered.
    good_light: GoodLight = field(default_factory=GoodLight.none)
    #: Cables that light was seen to agree with, by name.
    agreed: tuple[str, ...] = ()
    #: How switches that were dead came back, by number; None where nobody looked.
    came_back: Callable[[Collection[int]], Mapping[int, CameBack]] | None = None


def audit_pod(
    record: PodRecord, observed: Observed | None = None, scope: Scope = WHOLE_POD
) -> Audit:
    """Audit a pod. Its plants are compared whole, for a fault has two ends; the scope chooses."""
    intended = record.intended()
    expected = not_awaited(intended, record.judged, expected_cables(record, intended), time())
    report = by_record = audit_cabling(expected, record.judged)
    uneven = uneven_of(record, intended)
    is_well = _Well(record, wrong_ends(intended, expected, record.judged, by_record), uneven)
    not_reached: Mapping[str, str] = {}
    unseen: frozenset[str] = frozenset()
    good_light, agreed = GoodLight.none(), tuple[str, ...]()
    if observed:
        report = diagnosis = observed.diagnose(record, intended)
        is_well.by_fabric = diagnosis.well
        not_reached, good_light = diagnosis.unobserved, diagnosis.good
        agreed = diagnosis.agreed
        if not record.pod.is_cluster:  # packet switches tell entries: records alone tell cables
            unseen = _devices(record, set(not_reached) | _all_of(record) - observed.asked)
    left_out = NOT_LIGHT if scope.light else frozenset()
    devices, spoken_to = scope.devices(record), scope.spoken_to(record)
    covered = Covered(devices, scope.ports, spoken_to, bool(observed), unseen, left_out)
    places = {record.names.port(number) for number in scope.ports} | {(n, "") for n in spoken_to}
    owners = _Owners(record, intended)
    recorded = {one.id for one in (*by_record.findings, *uneven)}
    found: list[Found] = []
    beside: list[Found] = []
    for one in sorted((*report.findings, *uneven), key=lambda finding: finding.urgency):
        here = covered.everything or _is_within(one.ports, devices, places)
        if here and one.code not in left_out:
            hit = one.owners or owners.of(one.ports)
            found.append(Found(one, hit, observed=one.id not in recorded))
        else:
            beside.append(Found(one))
    report = replace(report, findings=tuple(one.finding for one in found))
    return Audit(
        *(report, tuple(found), covered, is_well, tuple(beside)),
        not_reached=not_reached,
        good_light=good_light,
        agreed=agreed,
        came_back=partial(observed.came_back, record, intended) if observed else None,
    )


@dataclass
class _Well:
    """Whether what a proof asks for was seen, in the record or in the fabric."""

    record: PodRecord
    wrong: set[End]
    uneven: Collection[Finding] = ()
    by_fabric: Callable[[Proof], bool] = lambda _proof: False

    def __call__(self, proof: Proof) -> bool:
        if proof.look is Look.EVEN:
            return all(proof not in finding.proof for finding in self.uneven)
        if proof.look is Look.RECORD:
            return proof.device not in self._out and (proof.device, proof.port) not in self.wrong
        if proof.device and proof.device not in self._of_pod:
            called = self._renamed.get(proof.device)
            if called is None:
                return True  # it has left the pod
            proof = proof._replace(device=called)
        return self.by_fabric(proof)

    @cached_property
    def _out(self) -> frozenset[str]:
        """Devices of cubes whose cables nobody misses now."""
        slots = self.record.cubes.keys() - set(self.record.slots(IN_SERVICE))
        return Scope(slots=frozenset(slots)).devices(self.record)

    @cached_property
    def _renamed(self) -> Mapping[str, str]:
        """What devices are called now, by what findings call them."""
        places = FindingPlace.objects.filter(finding__pod=self.record.pod, device__isnull=False)
        other = places.exclude(device_name=F("device__name")).order_by()
        return dict(other.values_list("device_name", "device__name"))

    @cached_property
    def _of_pod(self) -> frozenset[str]:
        return _devices(self.record, _all_of(self.record))


def _all_of(record: PodRecord) -> set[str]:
    """Every device that could be asked."""
    switches = {name for _, name, _ in record.switches.values()}
    return switches | {name for _, name, _ in record.cubes.values()}


def _devices(record: PodRecord, named: Collection[str]) -> frozenset[str]:
    """Devices as findings name them: a cube by its trays."""
    slots = frozenset(slot for slot, (_, rack, _) in record.cubes.items() if rack in named)
    return Scope(slots=slots).devices(record) | frozenset(named)


def _is_within(ends: Iterable[End], devices: frozenset[str], places: set[End]) -> bool:
    return any(end[0] in devices or end in places for end in ends)


class _Owners:
    """Whose circuits a port carries; read once somebody asks."""

    def __init__(self, record: PodRecord, intended: Intended) -> None:
        self._record, self._intended = record, intended

    def of(self, ends: Iterable[End]) -> tuple[str, ...]:
        """The slices that lack links where these ports do."""
        ends = list(ends)
        names, layout = self._record.names, self._record.design.layout
        numbers = names.find([end[0] for end in ends], [end[1] for end in ends]).tolist()
        mate = self._intended.mate
        cubes = (
            number if number < layout.cube_ports else int(mate[number])
            for number in numbers
            if number >= 0
        )
        found = set[str]().union(*(self._by_cube_port.get(port, ()) for port in cubes))
        return tuple(sorted(found))

    @cached_property
    def _by_cube_port(self) -> dict[int, set[str]]:
        """In a cluster two jobs may have a cable, one each way, and its ports are switches' too."""
        circuits, owners = self._record.circuits
        layout, mate = self._record.design.layout, self._intended.mate
        behind = cube_ports_behind(layout, circuits, mate)
        found: dict[int, set[str]] = defaultdict(set)
        for ports in behind:
            for port, owner in zip(ports.tolist(), owners, strict=True):
                if owner:
                    found[port].add(owner)
        return found
