"""How light was: on the days before, a row of lists a device; when last good, one a switch or cube.

a reading  --> one row, packed   (LightReading)
           --> once the day is over, or when many wait: a row a device and day   (LightDay)

What a reading adds is written once, and rewrites nothing.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import QuerySet

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.diagnosis import kept_readings
from fabric_twin.core.diagnosis.kept_readings import REMEMBERED, Facts, Light, rounded
from fabric_twin.core.diagnosis.last_good import GoodLight
from fabric_twin.core.diagnosis.pictures import Baseline
from fabric_twin.models import LastGoodLight, LightDay, LightReading
from fabric_twin.repositories.device_readings import Asked
from fabric_twin.repositories.pod_record import PodRecord

Paths = dict[str, list[Any]]
_COLUMNS = tuple(field.name for field in fields(GoodLight))
#: Readings that wait for the end of their day; more are folded before.
MOST_WAIT = 24
_BATCH = 1000
#: What a row of light may be of.
DEVICES = "switch_id", "cube_id", "block_id"


def add_light(record: PodRecord, devices: Iterable[Asked], at: datetime) -> None:
    """Keep what devices said of light, in the transaction of a caller who holds the pod.

    The first reading of a day folds those of the days before.
    """
    told = {str(one.pk): one.light for one in devices if one.answered}
    if not told:
        return
    waiting = LightReading.objects.filter(pod=record.pod)
    moments = list(waiting.order_by().values_list("at", flat=True))
    if len(moments) >= MOST_WAIT or any(moment < _begin(_day(at)) for moment in moments):
        _fold(record, waiting)
    LightReading.objects.create(pod=record.pod, at=at, levels=kept_readings.packed(told))


def _fold(record: PodRecord, waiting: QuerySet[LightReading]) -> None:
    """Join readings that wait to the light of their days, and let them go."""
    # Asked anew: a device may have been removed since the record was read.
    kinds = dict.fromkeys(record.pod.switches.values_list("pk", flat=True), "switch")
    kinds |= dict.fromkeys(record.pod.members.values_list("pk", flat=True), record.member_kind)
    read = _by_day(waiting)
    of = LightDay.objects.filter(pod=record.pod, day__in={day for day, _ in read}).order_by()
    before = {
        (day, switch or cube or block): (many, (least, last, most))
        for day, switch, cube, block, many, least, last, most in of.values_list(
            "day", *DEVICES, "readings", "least", "last", "most"
        )
    }
    rows: dict[str, list[LightDay]] = defaultdict(list)
    for (day, device), readings in read.items():
        if kind := kinds.get(device):  # else it is not there any more
            many, was = before.get((day, device), (0, None))
            least, last, most = kept_readings.joined_day(was, readings)
            row = LightDay(pod=record.pod, day=day, readings=many + len(readings))
            row.least, row.last, row.most = least, last, most
            setattr(row, f"{kind}_id", device)
            rows[kind].append(row)
    for kind, some in rows.items():
        LightDay.objects.bulk_create(
            some,
            batch_size=_BATCH,
            update_conflicts=True,
            unique_fields=[kind, "day"],
            update_fields=["readings", "least", "last", "most"],
        )
    waiting.order_by()._raw_delete(waiting.db)  # noqa: SLF001 - nothing hangs on it


def baseline_of(record: PodRecord, today: date) -> Baseline:
    """How the light was on the best of the last days, and of each path when it was last good."""
    layout = record.design.layout
    ber = np.full(layout.cube_ports, np.nan)
    slots = {pk: slots for (pk, _, _), slots in record.members}
    numbers = {pk: number for number, (pk, _, _) in record.switches.items()}
    best: dict[tuple[int, int, int], float] = {}
    for device, least in _least(record, today - timedelta(days=REMEMBERED), today):
        if device in slots:
            levels = kept_readings.as_levels(least.get("ber", ()))
            if len(levels) == layout.ports_per_cube * len(slots[device]):
                first = (slots[device].start - 1) * layout.ports_per_cube
                ports = slice(first, first + len(levels))
                ber[ports] = np.fmin(ber[ports], levels)
        elif device in numbers:
            rows = zip(least.get("to", ()), least.get("loss", ()), strict=True)
            for a, (b, loss) in enumerate(rows, 1):
                if b is not None and loss is not None:
                    key = numbers[device], a, int(b)
                    best[key] = min(best.get(key, loss), loss)
    circuits = Circuits(*np.array(list(best), np.int32).reshape(-1, 3).T)
    return Baseline(
        circuits, np.array(list(best.values()), np.float64), ber=ber, light=good_light_of(record)
    )


def _least(record: PodRecord, first: date, end: date) -> Iterator[tuple[UUID, Facts]]:
    """The least of each device on each of some days, also of those that still wait."""
    days = LightDay.objects.filter(pod=record.pod, day__gte=first, day__lt=end).order_by("day")
    for switch, cube, block, least in days.values_list(*DEVICES, "least"):
        yield switch or cube or block, least
    waiting = LightReading.objects.filter(pod=record.pod, at__gte=_begin(first), at__lt=_begin(end))
    for (_, device), readings in _by_day(waiting).items():
        least, _, _ = kept_readings.joined_day(None, readings)
        yield device, least


def _by_day(waiting: QuerySet[LightReading]) -> dict[tuple[date, UUID], list[Light]]:
    """What each device said on each day, in its order."""
    read = defaultdict(list)
    for at, levels in waiting.order_by("at").values_list("at", "levels"):
        for key, light in kept_readings.unpacked(bytes(levels)).items():
            read[_day(at), UUID(key)].append(light)
    return read


def _day(at: datetime) -> date:
    return at.astimezone(UTC).date()


def _begin(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)


def good_light_of(record: PodRecord) -> GoodLight:
    """What is remembered of the paths of a pod."""
    return _light_of(_kept(record))


def write_good_light(record: PodRecord, now: GoodLight) -> None:
    """Remember paths that were seen good, in the caller's transaction; write what moved."""
    if not len(now):
        return
    kept = _kept(record)
    light = _light_of(kept).with_later(now)
    of, layout = _keeper(record), record.design.layout
    number = (
        (light.a - layout.cube_ports) // layout.ports_per_switch
        if of == "switch"
        else light.near // layout.ports_per_cube + 1
    )
    rows = []
    for here, (pk, _, _) in _keepers(record).items():
        paths = _paths(light.take(number == here))
        if paths != kept.get(pk, _NO_PATHS):
            rows.append(LastGoodLight(pod=record.pod, paths=paths, **{f"{of}_id": pk}))
    LastGoodLight.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=[of], update_fields=["paths"]
    )


def _keeper(record: PodRecord) -> str:
    """Whose row keeps a path: its switch, or the cube of its near end."""
    return "switch" if record.design.medium.is_switched else "cube"


def _keepers(record: PodRecord) -> Mapping[int, tuple[UUID, str, str]]:
    return record.switches if _keeper(record) == "switch" else record.cubes


def _kept(record: PodRecord) -> dict[UUID, Paths]:
    there, of = {pk for pk, _, _ in _keepers(record).values()}, _keeper(record)
    rows = LastGoodLight.objects.filter(pod=record.pod)
    rows = rows.order_by("switch__number" if of == "switch" else "cube__slot")
    return {key: paths for key, paths in rows.values_list(f"{of}_id", "paths") if key in there}


def _light_of(kept: dict[UUID, Paths]) -> GoodLight:
    none = GoodLight.none()
    told = [paths for paths in kept.values() if paths.keys() >= set(_COLUMNS)]
    columns = {}
    for name in _COLUMNS:
        empty = getattr(none, name)
        column = [value for paths in told for value in paths[name]]
        # None, where nothing was told, becomes NaN.
        kind = np.str_ if name == "modules" else empty.dtype
        columns[name] = np.array(column, kind).reshape(-1, *empty.shape[1:])
    return GoodLight(**columns)


def _paths(light: GoodLight) -> Paths:
    paths: Paths = {}
    for name in _COLUMNS:
        column = getattr(light, name)
        if name == "at":
            column = np.rint(column)
        elif column.dtype == np.float64:
            column = rounded(column)
        paths[name] = _as_json(column.tolist())
    return paths


def _as_json(column: list[Any]) -> list[Any]:
    """JSON has no NaN."""
    return [
        _as_json(value) if isinstance(value, list) else None if value != value else value  # noqa: PLR0124
        for value in column
    ]


_NO_PATHS = _paths(GoodLight.none())
