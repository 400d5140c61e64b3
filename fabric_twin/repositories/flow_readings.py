"""When packet switches last told their flow entries; kept beside what they told of neighbours.

A switch has two addresses: one tells whom its ports hear, the other one its entries. Who answers at
one says nothing of the other.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from fabric_twin.models import Pod, Reading, Switch

#: What a reading's facts have of entries: when they were asked for, and told; why they were not.
ENTRIES = "entries"
_UNASKED = "nobody has asked it for its neighbours yet"


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
