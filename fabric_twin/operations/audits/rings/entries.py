"""What packet switches showed of their flow entries, as an audit takes it.

targets  -- OpenFlow -->  tables  -- beside jobs, by core/rings/seen.py -->  findings
                            '--- kept: entries that are seen, and who told them when
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import cached_property
from hashlib import blake2b
from time import time

from fabric_twin.core.audit import Report, audit_cabling
from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.diagnosis import Diagnosis
from fabric_twin.core.diagnosis.recorded import not_awaited
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.findings.dead_switch import CameBack
from fabric_twin.core.rings.ring import Entry
from fabric_twin.core.rings.seen import Judgement, Side, Sight, Unread
from fabric_twin.core.rings.state import State
from fabric_twin.operations.calls.progress import counting
from fabric_twin.operations.hooks import expected_cables, ports_in_hand, switches_in_hand
from fabric_twin.operations.slices.rings import read_rings, wanted_now
from fabric_twin.repositories.addresses import flow_targets, flows_still_there
from fabric_twin.repositories.circuits import write_seen
from fabric_twin.repositories.credentials import switch_accesses
from fabric_twin.repositories.device_readings import write_flow_readings
from fabric_twin.repositories.pod_lock import lock_rows
from fabric_twin.repositories.pod_record import DOWN, PodRecord
from fabric_twin.services.audits.observe import is_silence
from fabric_twin.services.rings.on_switches import read_tables
from fabric_twin.switches.driver import Patience, Target
from fabric_twin.switches.openflow.table import Table

PATIENCE = Patience(request=10.0, tries=2)


@dataclass(frozen=True)
class EntriesLook:
    """What the packet switches of a cluster showed, for an audit."""

    targets: tuple[Target, ...]
    tables: Mapping[str, Table]
    missing: Mapping[str, FabricTwinError]
    #: When it began: who changed a switch since then knows better.
    begun: datetime

    @property
    def asked(self) -> frozenset[str]:
        """The switches that were asked, by name."""
        return frozenset(target.name for target in self.targets)

    @cached_property
    def fingerprint(self) -> str:
        """The same where the switches show the same."""
        shown = {
            name: (sorted(table.entries), sorted(map(str, table.odd)))
            for name, table in self.tables.items()
        }
        silent = {name: error.what for name, error in self.missing.items()}
        return blake2b(repr((shown, silent)).encode(), digest_size=16).hexdigest()

    def diagnose(self, record: PodRecord, intended: Intended) -> Diagnosis:
        """Explain the records, and beside them what the switches show."""
        expected = not_awaited(intended, record.judged, expected_cables(record, intended), time())
        report = audit_cabling(expected, record.judged)
        state, loose = wanted_now(read_rings(record.pod))
        judgement = Judgement(
            state, self._sight(record, state), loose, self._in_hand(record, state)
        )
        told = {one.name: getattr(report, one.name) for one in fields(Report)}
        return Diagnosis(
            **told | {"findings": (*report.findings, *judgement.findings)},
            unobserved={name: error.what for name, error in self.missing.items()},
            well=judgement.is_well,
        )

    def came_back(
        self, _record: PodRecord, _intended: Intended, _switches: Collection[int]
    ) -> dict[int, CameBack]:
        """Nothing: that is of switches that light passes."""
        return {}

    def over(self, _made: Circuits, _told: Circuits) -> "EntriesLook":
        """The same: no test circuits are made on packet switches."""
        return self

    def keep(self, record: PodRecord) -> str:
        """Write what was seen of entries, and who told; say what of it is new.

        What a ticket changes, or has changed since, is its own to write.
        """
        lock_rows(record.pod.pk)
        there = flows_still_there(record.pod, self.targets)
        keys = {name: pk for pk, name, _ in record.switches.values() if name in there}
        busy, radix = switches_in_hand(record, self.begun), record.design.radix
        seen = {
            keys[name]: {flow for flow in table.entries if max(flow) <= radix}
            for name, table in self.tables.items()
            if name in keys and name not in busy
        }
        changed = write_seen({pk: {(f.into, f.out) for f in flows} for pk, flows in seen.items()})
        said = dict.fromkeys(self.tables, "") | {n: e.what for n, e in self.missing.items()}
        told = {keys[name]: silence for name, silence in said.items() if name in keys}
        write_flow_readings(record.pod, told, self.begun)
        return ", ".join(f"{what}: {many:,}" for what, many in sorted(changed.items()) if many)

    def _sight(self, record: PodRecord, state: State) -> Sight:
        first = state.wiring.cluster.groups
        number = {name: first + at for at, (_, name, _) in record.switches.items()}
        tables = {number[name]: table for name, table in self.tables.items() if name in number}
        return Sight(
            {at: frozenset(Entry(at, *flow) for flow in of.entries) for at, of in tables.items()},
            {at: [*map(str, of.odd)] for at, of in tables.items() if of.odd},
            {
                number[name]: Unread(error.what, "" if is_silence(error) else error.remedy)
                for name, error in self.missing.items()
                if name in number
            },
        )

    def _in_hand(self, record: PodRecord, state: State) -> frozenset[Side]:
        first, radix = state.wiring.cluster.groups, record.design.layout.radix
        ports = (divmod(port, 2 * radix) for port in ports_in_hand(record, self.begun).tolist())
        return frozenset(
            (first + switch, f"{at % radix + 1}{'AB'[at // radix]}") for switch, at in ports
        )


def look_at_entries(record: PodRecord, devices: Collection[str] | None) -> EntriesLook | None:
    """Ask the packet switches of a cluster that are in service; None where none can be asked."""
    targets, begun = flow_targets(record.pod, DOWN, devices), datetime.now(UTC)
    if not targets:
        return None
    read = counting("devices read", len(targets))
    found = read_tables(targets, switch_accesses(record.pod), PATIENCE, read)
    record.read()
    return EntriesLook(targets, *found, begun)
