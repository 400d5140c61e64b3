"""Looking at the fabric of a pod: every device that has an address is asked, all at once.

targets  -- gNMI -->  shown  -- syncing.py -->  readings, circuits that are seen, light
                        '----- explained here, beside the records --> findings
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from hashlib import blake2b

import numpy as np

from fabric_twin.core.circuits import Circuits
from fabric_twin.core.diagnosis import Diagnosis, Pictures, diagnose
from fabric_twin.core.diagnosis.pictures import Baseline, Inventory, Shown, Wanted
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.plant import Intended
from fabric_twin.models import LightDay
from fabric_twin.repositories import told
from fabric_twin.repositories.access import pod_accesses
from fabric_twin.repositories.reading import IN_SERVICE, PodRecord
from fabric_twin.repositories.targets import Targets, targets_of
from fabric_twin.services.observe import observe
from fabric_twin.switches.driver import Patience
from fabric_twin.switches.fabric import open_fabric

#: A worker waits no longer than this for a device: the others' answers are worth more.
PATIENCE = Patience(request=10.0, tries=2)
#: How long light is remembered as it was when it was good, in days.
REMEMBERED = 30


@dataclass(frozen=True)
class Look:
    """What a pod's fabric showed at one moment."""

    targets: Targets
    shown: Shown
    at: datetime

    @property
    def not_reached(self) -> Mapping[str, str]:
        """Devices that did not answer, and why."""
        return self.shown.silent

    @cached_property
    def fingerprint(self) -> str:
        """The same where the fabric shows the same; levels of light move all the time."""
        switches, cubes = self.shown.switches, self.shown.cubes
        digest = blake2b(digest_size=16)
        for column in (
            *(switches.answered, switches.status, switches.forced),
            *_columns(switches.configured),
            *(cubes.answered, cubes.up, cubes.heard, cubes.trays_down),
        ):
            digest.update(column.tobytes())
        words = (switches.serial, switches.lost, cubes.serial, cubes.part, cubes.copper_down)
        digest.update(repr((words, dict(self.shown.silent))).encode())
        return digest.hexdigest()

    def diagnose(self, record: PodRecord, intended: Intended) -> Diagnosis:
        """Explain the fabric and the records together, each fault once."""
        return diagnose(
            Pictures(
                intended=intended,
                shown=self.shown,
                now=self.at.timestamp(),
                inventory=_inventory(record),
                wanted=_wanted(record),
                baseline=_baseline(record, self.at.date()),
            )
        )


def look(
    record: PodRecord,
    devices: Collection[str] | None = None,
    statuses: Collection[str] = IN_SERVICE,
) -> Look | None:
    """Ask every device of a pod that has an address, or some by name; None where none has one."""
    targets = targets_of(record.pod, statuses, devices)
    if not targets:
        return None
    intended = record.intended()
    access = pod_accesses(record.pod)
    with open_fabric(targets.switches, targets.cubes, access, PATIENCE) as fabric:
        switches, cubes = fabric.read_switches(), fabric.read_cubes()
        shown = observe(intended, switches, cubes)
    return Look(targets, shown, datetime.now(UTC))


def must_look(record: PodRecord, devices: Collection[str] | None = None) -> Look:
    """The same, or a refusal where nothing of the pod can be asked."""
    found = look(record, devices)
    if found is None:
        raise NotPossible(
            "none of its switches and cubes has an address",
            where=f"pod {record.pod.name}",
            remedy="Give them the address where they answer gNMI",
        )
    return found


def _columns(circuits: Circuits) -> tuple[np.ndarray, ...]:
    """In one order, whatever the order in which they were told."""
    order = np.lexsort((circuits.b, circuits.a, circuits.switch))
    return circuits.switch[order], circuits.a[order], circuits.b[order]


def _inventory(record: PodRecord) -> Inventory:
    serials, parts = record.transceivers
    return Inventory(record.plant, serials, parts, record.switch_serials)


def _wanted(record: PodRecord) -> Wanted:
    circuits, owners = record.circuits
    names = sorted(set(owners) - {""})
    place = {name: number for number, name in enumerate(names)}
    owner = np.array([place.get(name, -1) for name in owners], np.int32)
    return Wanted(circuits, owner, names, on=record.taken)


def _baseline(record: PodRecord, today: date) -> Baseline:
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
