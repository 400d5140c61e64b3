"""What the fabric shows becomes what is known of it: as sets, in the caller's transaction.

    answered     its reading, its circuits that are seen, its light
    silent       asked, and why it did not answer; what was known of it stays, with its age
    not recorded serials of transceivers and switches that nobody wrote down are learned

What disagrees with the record is not written over: the audit says so. Unless the pod's operator
chose that serials follow the fabric.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from django.db import transaction
from nautobot.users.models import User

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.counted import counted
from fabric_twin.core.diagnosis import kept_readings
from fabric_twin.models import Pod, Reading, Reservation
from fabric_twin.operations.hooks import switches_in_hand
from fabric_twin.operations.pods.learn_serials import learn_serials
from fabric_twin.operations.pods.poll import Look, must_look
from fabric_twin.repositories.addresses import still_there
from fabric_twin.repositories.change_log import UPDATE, record_change
from fabric_twin.repositories.circuits import write_seen
from fabric_twin.repositories.device_readings import asked_cubes, asked_switches, write_readings
from fabric_twin.repositories.light_history import DEVICES, add_light
from fabric_twin.repositories.pod_lock import lock_rows
from fabric_twin.repositories.pod_record import PodRecord


@dataclass(frozen=True)
class Synced:
    """What a sync learned."""

    #: How many devices were asked.
    asked: int
    #: Who did not answer, and why.
    silent: Mapping[str, str]
    #: How much of what changed, by what it is.
    changed: Mapping[str, int] = field(default_factory=dict)

    @property
    def changes(self) -> str:
        """What changed; empty where nothing did."""
        return ", ".join(f"{what}: {many:,}" for what, many in self.changed.items() if many)

    def __str__(self) -> str:
        """The whole in a sentence."""
        answered = self.asked - len(self.silent)
        changes = self.changes or "nothing changed"
        return f"{answered:,} of {counted(self.asked, 'device')} answered; {changes}"


def sync_pod(
    pod: Pod, user: User | None = None, *, devices: Collection[str] | None = None, keep: bool = True
) -> Synced:
    """Look at the fabric of a pod, or at some of its devices, and write what it shows.

    A dry run (not `keep`) looks as well, and writes nothing.
    """
    record = PodRecord(pod)
    found = must_look(record, devices)
    with transaction.atomic():
        synced = sync(record, found)
        if synced.changes:
            record_change(pod, UPDATE, str(synced), user)
        transaction.set_rollback(not keep)
    return synced


def sync(record: PodRecord, look: Look, besides: Circuits | None = None) -> Synced:
    """Write what a look showed of the devices that were asked; a later look is not written over.

    Circuits that a ticket switches are its own to write: it looks at every step. Those `besides`
    were made to look, and are gone.
    """
    lock_rows(record.pod.pk)
    layout, shown, at = record.design.layout, look.shown, look.at
    of = Reading.objects.filter(pod=record.pod, asked__gt=at)
    later = {key for row in of.values_list(*DEVICES) for key in row if key}
    names = look.targets.names & still_there(record.pod, look.targets)
    switches, cubes = (
        [one for one in devices if one.name in names and one.pk not in later]
        for devices in (asked_switches(record, shown, layout), asked_cubes(record, shown, layout))
    )
    follow = record.pod.serials_follow
    changed: Counter[str] = Counter()
    changed += write_readings(record, "switch", switches, shown, at)
    changed += write_readings(record, record.member_kind, cubes, shown, at)
    testing = Reservation.objects.filter(switch__pod=record.pod, run__isnull=False).order_by()
    busy = switches_in_hand(record, at) | set(
        testing.values_list("switch__device__name", flat=True)
    )
    answered = {one.name for one in switches if one.answered} - busy
    circuits, tests = shown.switches.configured, besides or Circuits.none()
    changed += write_seen(
        {
            pk: kept_readings.circuits_of(circuits, number)
            - kept_readings.circuits_of(tests, number)
            for number, (pk, name, _) in record.switches.items()
            if name in answered
        }
    )
    changed += learn_serials(record, shown, cubes, switches, follow=follow)
    add_light(record, (*switches, *cubes), at)
    return Synced(len(names), shown.silent, dict(sorted(changed.items())))
