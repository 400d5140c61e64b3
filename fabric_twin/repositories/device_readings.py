"""Readings: what each device said, and who did not answer."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol
from uuid import UUID

from fabric_twin.core.diagnosis import kept_readings
from fabric_twin.core.diagnosis.pictures import Refusal, Shown
from fabric_twin.core.identity import Answering
from fabric_twin.core.pods.layout import Layout
from fabric_twin.models import Reading
from fabric_twin.repositories.pod_record import PodRecord

_BATCH = 1000
_NOT_REFUSED = Refusal("", "")
#: What is written of a device that was silent, that says the same again, or anything else.
_SILENT = "asked", "silence", "answering", "told_name", "told_serial"
_AGAIN = *_SILENT, "answered", "told_at"
_ANEW = *_AGAIN, "facts"


class Silence(Protocol):
    """What was asked of devices that told nothing."""

    @property
    def silent(self) -> Mapping[str, str]:
        """Devices that told nothing, and why."""

    @property
    def refused(self) -> Mapping[str, Refusal]:
        """Those of them that did answer, and not as they were asked."""


@dataclass(frozen=True)
class Asked:
    """A switch, a cube or a block that was asked."""

    pk: UUID
    name: str
    answered: bool
    told_at: float
    facts: kept_readings.Facts
    light: kept_readings.Light


def asked_switches(record: PodRecord, shown: Shown, layout: Layout) -> Iterable[Asked]:
    said = kept_readings.rounded_switches(shown.switches)
    for number, (pk, name, _) in record.switches.items():
        answered = bool(said.answered[number])
        facts = kept_readings.facts_of_switch(said, layout, number) if answered else {}
        light = kept_readings.light_of_switch(said, layout, number) if answered else {}
        yield Asked(pk, name, answered, float(said.told_at[number]), facts, light)


def asked_cubes(record: PodRecord, shown: Shown, layout: Layout) -> Iterable[Asked]:
    """Cubes, or the blocks of a network."""
    said = kept_readings.rounded_cubes(shown.cubes)
    for (pk, name, _), slots in record.members:
        answered = bool(said.answered[slots.start - 1])
        facts = kept_readings.facts_of_cube(said, layout, slots) if answered else {}
        light = kept_readings.light_of_cube(said, layout, slots) if answered else {}
        yield Asked(pk, name, answered, float(said.told_at[slots.start - 1]), facts, light)


def write_readings(
    record: PodRecord, kind: str, devices: list[Asked], shown: Silence, at: datetime
) -> Counter[str]:
    """What answers anew is written whole; of what says the same again, only when.

    Of what did not answer, only that it was asked, and why.
    """
    of = Reading.objects.filter(pod=record.pod, **{f"{kind}__isnull": False}).order_by()
    before = {
        key: (why, facts) for key, why, facts in of.values_list(f"{kind}_id", "silence", "facts")
    }
    changed: Counter[str] = Counter()
    rows = defaultdict(list)
    for one in devices:
        answered, was = one.answered, before.get(one.pk)
        refusal = shown.refused.get(one.name, _NOT_REFUSED)
        changed += _differences(was[1] if was else {}, one.facts) if answered else Counter()
        changed["devices that fell silent"] += not answered and not (was and was[0])
        changed["devices that answer again"] += bool(answered and was and was[0])
        again = answered and was and kept_readings.says_the_same(was[1], one.facts)
        rows[_SILENT if not answered else _AGAIN if again else _ANEW].append(
            Reading(
                pod=record.pod,
                asked=at,
                answered=at if answered else None,
                told_at=_moment(one.told_at) if answered else None,
                silence="" if answered else shown.silent.get(one.name, "it was not reached")[:255],
                answering="" if refusal.answering is Answering.RIGHT else refusal.answering.value,
                told_name=refusal.told.name[:255],
                told_serial=refusal.told.serial[:255],
                facts={} if again else one.facts,
                **{f"{kind}_id": one.pk},
            )
        )
    for written, some in rows.items():
        Reading.objects.bulk_create(
            some,
            batch_size=_BATCH,
            update_conflicts=True,
            unique_fields=[kind],
            update_fields=written,
        )
    return changed


def _differences(before: kept_readings.Facts, now: kept_readings.Facts) -> Counter[str]:
    """How many things a device says otherwise than the last time; levels move all the time."""
    many: Counter[str] = Counter()
    for key, what in (("up", "links"), ("status", "port states"), ("serials", "transceivers")):
        if key in now:
            was = before.get(key) or ()
            many[what] += sum(x != y for x, y in zip(was, now[key], strict=False))
    return many


def _moment(seconds: float) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if seconds == seconds else None  # noqa: PLR0124
