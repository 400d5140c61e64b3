"""Readings: what each device said, and who did not answer.

A packet switch has two addresses: one tells whom its ports hear, the other one its flow entries.
Either may answer while the other is silent, so the time of the last entries is kept by itself.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol
from uuid import UUID

from fabric_twin.core.diagnosis import kept_readings
from fabric_twin.core.diagnosis.pictures import Refusal, Shown
from fabric_twin.core.identity import Answering
from fabric_twin.core.pods.layout import Layout
from fabric_twin.models import Pod, Reading, Switch
from fabric_twin.repositories.pod_record import PodRecord

_BATCH = 1000
#: What a reading's facts have of entries: when they were asked for, and told; why they were not.
ENTRIES = "entries"
_UNASKED = "nobody has asked it for its neighbours yet"
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


def write_flow_readings(pod: Pod, said: Mapping[UUID, str], at: datetime) -> None:
    """Note of some switches that they told their entries, or why not (not empty).

    The caller holds the pod.
    """
    rows = Reading.objects.filter(pod=pod, switch__in=said).order_by()
    there = {reading.switch_id: reading for reading in rows}
    reached = dict(Switch.objects.filter(pk__in=said).order_by().values_list("pk", "address"))
    for switch, silence in said.items():
        reading = there.setdefault(switch, Reading(pod=pod, switch_id=switch, asked=at))
        before = reading.facts.get(ENTRIES, {}).get("answered")
        told = at.isoformat() if not silence else before
        reading.facts = reading.facts | {
            ENTRIES: {"asked": at.isoformat(), "answered": told, "silence": silence[:255]}
        }
        if not reached.get(switch):
            reading.asked, reading.silence = at, silence[:255]
            reading.answered = reading.answered if silence else at
        elif not reading.present_in_database:
            reading.silence = _UNASKED
    columns = ["facts", "asked", "answered", "silence"]
    Reading.objects.bulk_create(
        there.values(), update_conflicts=True, unique_fields=["switch"], update_fields=columns
    )


def facts_kept(pod: Pod) -> dict[UUID, dict[str, Any]]:
    """By switch: what is to stay when only its neighbours are read."""
    rows = pod.readings.filter(switch__isnull=False, facts__has_key=ENTRIES).order_by()
    return {
        switch: {ENTRIES: facts[ENTRIES]} for switch, facts in rows.values_list("switch", "facts")
    }


def switches_told(pod: Pod) -> set[int]:
    """The numbers of the switches that ever told their circuits; of a cluster, their entries."""
    if not pod.is_cluster:
        read = pod.readings.filter(switch__isnull=False, answered__isnull=False).order_by()
        return set(read.values_list("switch__number", flat=True))
    rows = pod.readings.filter(**{f"facts__{ENTRIES}__answered__isnull": False})
    told = rows.exclude(**{f"facts__{ENTRIES}__answered": None}).order_by()
    return set(told.values_list("switch__number", flat=True))


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
