"""What a pod's fabric showed, as an audit takes it: explained beside the records, and kept.

targets  -- gNMI -->  a look  -- sync.py -->  readings, circuits that are seen, light
                         '--- beside the records, by core/diagnosis -->  findings
"""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.circuits import Circuits, joined
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.diagnosis import Diagnosis, Pictures, diagnose
from fabric_twin.core.diagnosis.case import chosen
from fabric_twin.core.diagnosis.pictures import Inventory, Wanted
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.findings.dead_switch import CameBack
from fabric_twin.core.tickets.qualification import Qualified, cubes_behind, qualified
from fabric_twin.operations.audits.audit import Observed, Scope
from fabric_twin.operations.audits.devices_in_scope import devices_around
from fabric_twin.operations.audits.finding_rows import known_proofs
from fabric_twin.operations.audits.rings.entries import look_at_entries
from fabric_twin.operations.hooks import expected_cables, ports_in_hand
from fabric_twin.operations.pods.poll import Look, look
from fabric_twin.operations.pods.sync import sync
from fabric_twin.operations.site_limits import site_limits
from fabric_twin.repositories.light_history import baseline_of
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.ports_out import ports_out


@dataclass(frozen=True)
class Observation:
    """A look, for an audit."""

    look: Look
    #: Test circuits that there were, and all that switches were told to make.
    tested: Circuits = field(default_factory=Circuits.none)
    told: Circuits = field(default_factory=Circuits.none)

    @cached_property
    def fingerprint(self) -> str:
        """The same where the fabric shows the same; levels of light move all the time."""
        switches, cubes = self.look.shown.switches, self.look.shown.cubes
        digest = blake2b(digest_size=16)
        for column in (
            *(switches.answered, switches.status, switches.forced),
            *_columns(switches.configured),
            *(cubes.answered, cubes.up, cubes.heard, cubes.trays_down),
        ):
            digest.update(column.tobytes())
        words = (switches.serial, switches.lost, cubes.serial, cubes.part, cubes.copper_down)
        digest.update(repr((words, dict(self.look.shown.silent))).encode())
        return digest.hexdigest()

    def diagnose(self, record: PodRecord, intended: Intended) -> Diagnosis:
        """Explain the fabric and the records together, each fault once."""
        return diagnose(self._pictures(record, intended))

    def came_back(
        self, record: PodRecord, intended: Intended, switches: Collection[int]
    ) -> dict[int, CameBack]:
        """What slices want of some switches, what of that is there, and its light: one look.

        Many may read it: it names no slice.
        """
        wanted, owners = record.circuits
        there = set(_keys(self.look.shown.switches.configured))
        keys, rows = list(_keys(wanted)), {number: list[int]() for number in switches}
        for at, (switch, *_) in enumerate(keys):
            if switch in rows and owners[at]:
                rows[switch].append(at)
        made = {
            switch: chosen(wanted, [at for at in mine if keys[at] in there])
            for switch, mine in rows.items()
        }
        circuits = [Circuit(*row) for some in made.values() for row in some.named(intended.names)]
        light = qualified(self._pictures(record, intended), circuits) if circuits else Qualified()
        worse: dict[str, list[str]] = defaultdict(list)
        for bad in light.bad:
            worse[bad.circuit.switch].append(f"{bad.circuit}: {bad.why}")
        for one in light.worse:
            worse[one.circuit.switch].append(str(one))
        return {
            switch: CameBack(
                wanted=len(mine),
                made=len(made[switch].switch),
                slices=len({owners[at] for at in mine}),
                looked=self.asked.issuperset(cubes_behind(intended, made[switch])),
                worse=worse[intended.names.switches[switch]],
            )
            for switch, mine in rows.items()
        }

    def _pictures(self, record: PodRecord, intended: Intended) -> Pictures:
        return Pictures(
            intended=intended,
            shown=self.look.shown,
            now=self.look.at.timestamp(),
            inventory=_inventory(record),
            wanted=_wanted(record, self.tested),
            baseline=baseline_of(record, self.look.at.date()),
            reserved=ports_in_hand(record, self.look.begun),
            out=ports_out(record),
            awaited=expected_cables(record, intended),
            limits=site_limits(),
            tested=self.tested,
            known=known_proofs(record.pod.pk),
        )

    @property
    def asked(self) -> frozenset[str]:
        """Devices that were asked, by name; cubes by their rack's."""
        return self.look.targets.names

    def over(self, made: Circuits, told: Circuits) -> "Observation":
        """The same, seen over test circuits: as good as wanted; whatever was told is not kept."""
        return replace(self, tested=made, told=told)

    def keep(self, record: PodRecord) -> str:
        """Write what was seen, in the caller's transaction; say what of it is new."""
        return sync(record, self.look, besides=self.told).changes


def observe_scope(record: PodRecord, scope: Scope) -> Observed | None:
    """Look at as much of a pod's fabric as a scope wants; None where nothing has an address."""
    devices = devices_around(record, scope)
    if record.pod.is_cluster:
        return look_at_entries(record, devices)
    found = look(record, devices)
    return Observation(found) if found else None


def _keys(circuits: Circuits) -> Iterator[tuple[int, int, int]]:
    columns = (circuits.switch, circuits.a, circuits.b)
    return zip(*(column.tolist() for column in columns), strict=True)


def _columns(circuits: Circuits) -> tuple[Column, ...]:
    """In one order, whatever the order in which they were told."""
    order = np.lexsort((circuits.b, circuits.a, circuits.switch))
    return circuits.switch[order], circuits.a[order], circuits.b[order]


def _inventory(record: PodRecord) -> Inventory:
    serials, parts = record.transceivers
    return Inventory(record.judged, serials, parts, record.switch_serials)


def _wanted(record: PodRecord, tested: Circuits) -> Wanted:
    circuits, owners = record.circuits
    names = sorted(set(owners) - {""})
    place = {name: number for number, name in enumerate(names)}
    owner = [*(place.get(name, -1) for name in owners), *[-1] * len(tested)]
    circuits = joined([circuits, tested])
    # A slice does without the circuits of its torus that no record wants.
    return Wanted(circuits, np.array(owner, np.int32), names, on=record.taken, may_lack=True)
