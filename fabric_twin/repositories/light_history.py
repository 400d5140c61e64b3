"""How light was on the days before: a row of arrays a device and day."""

from datetime import date, timedelta

import numpy as np

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.diagnosis import kept_readings
from fabric_twin.core.diagnosis.pictures import Baseline
from fabric_twin.models import LightDay
from fabric_twin.repositories.good_light import good_light_of
from fabric_twin.repositories.pod_record import PodRecord

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
