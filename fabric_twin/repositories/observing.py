"""What a pod's fabric showed, as an audit takes it: explained beside the records, and kept.

targets  -- gNMI -->  a look  -- syncing.py -->  readings, circuits that are seen, light
                         '--- beside the records, by core/diagnosis -->  findings
"""

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from hashlib import blake2b

import numpy as np

from fabric_twin.core.circuits import Circuits
from fabric_twin.core.diagnosis import Diagnosis, Pictures, diagnose
from fabric_twin.core.diagnosis.pictures import Baseline, Inventory, Wanted
from fabric_twin.core.plant import Intended
from fabric_twin.core.rule import Column
from fabric_twin.models import LightDay
from fabric_twin.repositories import told
from fabric_twin.repositories.around import devices_around
from fabric_twin.repositories.auditing import Scope
from fabric_twin.repositories.awaited import awaited_cables, ports_in_hands
from fabric_twin.repositories.looking import Look, look
from fabric_twin.repositories.out_of_service import ports_out
from fabric_twin.repositories.reading import PodRecord
from fabric_twin.repositories.syncing import sync
from fabric_twin.repositories.under_way import ports_under_way

#: How long light is remembered as it was when it was good, in days.
REMEMBERED = 30


@dataclass(frozen=True)
class Observation:
    """A look, for an audit."""

    look: Look

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
        return diagnose(
            Pictures(
                intended=intended,
                shown=self.look.shown,
                now=self.look.at.timestamp(),
                inventory=_inventory(record),
                wanted=_wanted(record),
                baseline=baseline_of(record, self.look.at.date()),
                reserved=np.union1d(ports_in_hands(record), ports_under_way(record)),
                out=ports_out(record),
                awaited=awaited_cables(record, intended),
            )
        )

    @property
    def asked(self) -> frozenset[str]:
        """Devices that were asked, by name; cubes by their rack's."""
        return self.look.targets.names

    def keep(self, record: PodRecord) -> str:
        """Write what was seen, in the caller's transaction; say what of it is new."""
        return sync(record, self.look).changes


def observe_scope(record: PodRecord, scope: Scope) -> Observation | None:
    """Look at as much of a pod's fabric as a scope wants; None where nothing has an address."""
    found = look(record, devices_around(record, scope))
    return Observation(found) if found else None


def _columns(circuits: Circuits) -> tuple[Column, ...]:
    """In one order, whatever the order in which they were told."""
    order = np.lexsort((circuits.b, circuits.a, circuits.switch))
    return circuits.switch[order], circuits.a[order], circuits.b[order]


def _inventory(record: PodRecord) -> Inventory:
    serials, parts = record.transceivers
    return Inventory(record.judged, serials, parts, record.switch_serials)


def _wanted(record: PodRecord) -> Wanted:
    circuits, owners = record.circuits
    names = sorted(set(owners) - {""})
    place = {name: number for number, name in enumerate(names)}
    owner = np.array([place.get(name, -1) for name in owners], np.int32)
    return Wanted(circuits, owner, names, on=record.taken)


def baseline_of(record: PodRecord, today: date) -> Baseline:
    """How the light was on the best of the last days: what was lost, and how many errors."""
    days = LightDay.objects.filter(
        pod=record.pod, day__gte=today - timedelta(days=REMEMBERED), day__lt=today
    ).order_by("day")
    layout = record.design.layout
    ber = np.full(layout.cube_ports, np.nan)
    slots = {pk: slot for slot, (pk, _, _) in record.cubes.items()}
    for cube, least in days.filter(cube__isnull=False).values_list("cube_id", "least"):
        levels = told.as_levels(least.get("ber", ()))
        if cube in slots and len(levels) == layout.ports_per_cube:
            first = (slots[cube] - 1) * layout.ports_per_cube
            ports = slice(first, first + layout.ports_per_cube)
            ber[ports] = np.fmin(ber[ports], levels)
    numbers = {pk: number for number, (pk, _, _) in record.switches.items()}
    best: dict[tuple[int, int, int], float] = {}
    for switch, least in days.filter(switch__isnull=False).values_list("switch_id", "least"):
        rows = zip(least.get("to", ()), least.get("loss", ()), strict=True)
        for a, (b, loss) in enumerate(rows, 1):
            if switch in numbers and b is not None and loss is not None:
                key = numbers[switch], a, int(b)
                best[key] = min(best.get(key, loss), loss)
    table = np.array(list(best), np.int32).reshape(-1, 3)
    circuits = Circuits(table[:, 0], table[:, 1], table[:, 2])
    return Baseline(circuits, np.array(list(best.values()), np.float64), ber)
