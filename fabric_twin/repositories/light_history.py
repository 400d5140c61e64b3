"""How light was: on the days before, a row of lists a device; when last good, one a switch."""

from dataclasses import fields
from datetime import date, timedelta
from typing import Any
from uuid import UUID

import numpy as np

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.diagnosis import kept_readings
from fabric_twin.core.diagnosis.kept_readings import rounded
from fabric_twin.core.diagnosis.last_good import GoodLight
from fabric_twin.core.diagnosis.pictures import Baseline
from fabric_twin.models import LastGoodLight, LightDay
from fabric_twin.repositories.pod_record import PodRecord

Paths = dict[str, list[Any]]
_COLUMNS = tuple(field.name for field in fields(GoodLight))
#: How long light is remembered as it was when it was good, in days.
REMEMBERED = 30


def baseline_of(record: PodRecord, today: date) -> Baseline:
    """How the light was on the best of the last days, and of each path when it was last good."""
    days = LightDay.objects.filter(
        pod=record.pod, day__gte=today - timedelta(days=REMEMBERED), day__lt=today
    ).order_by("day")
    layout = record.design.layout
    ber = np.full(layout.cube_ports, np.nan)
    slots = {pk: slot for slot, (pk, _, _) in record.cubes.items()}
    for cube, least in days.filter(cube__isnull=False).values_list("cube_id", "least"):
        levels = kept_readings.as_levels(least.get("ber", ()))
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
    circuits = Circuits(*np.array(list(best), np.int32).reshape(-1, 3).T)
    return Baseline(
        circuits, np.array(list(best.values()), np.float64), ber=ber, light=good_light_of(record)
    )


def good_light_of(record: PodRecord) -> GoodLight:
    """What is remembered of the paths of a pod."""
    return _light_of(_kept(record))


def write_good_light(record: PodRecord, now: GoodLight) -> None:
    """Remember paths that were seen good, in the caller's transaction; write what moved."""
    if not len(now):
        return
    kept = _kept(record)
    light = _light_of(kept).with_later(now)
    layout = record.design.layout
    switch = (light.a - layout.cube_ports) // layout.ports_per_switch
    rows = []
    for number, (pk, _, _) in record.switches.items():
        paths = _paths(light.take(switch == number))
        if paths != kept.get(pk, _NO_PATHS):
            rows.append(LastGoodLight(pod=record.pod, switch_id=pk, paths=paths))
    LastGoodLight.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["switch"], update_fields=["paths"]
    )


def _kept(record: PodRecord) -> dict[UUID, Paths]:
    there = {pk for pk, _, _ in record.switches.values()}
    rows = LastGoodLight.objects.filter(pod=record.pod).order_by("switch__number")
    return {key: paths for key, paths in rows.values_list("switch_id", "paths") if key in there}


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
