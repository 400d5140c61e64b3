"""Readings of a pod as they are kept: a list a device, in the order of its ports.

shown      columns over a whole pod       (core.diagnosis.pictures)
facts      one dictionary a device        (Reading.facts)
light      what of it has a history       (LightReading, packed, until its day is over)
day        its least, last and most       (LightDay)
"""

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.diagnosis.pictures import CubesShown, Levels, Mask, SwitchesShown
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.rule import Plant

Facts = dict[str, Any]
#: Levels by name: a number a port, NaN where nothing is told.
Light = Mapping[str, Levels]
#: Levels as they are kept; None where nothing is told.
Kept = Sequence[float | None]
#: The least, the last and the most of a day.
Day = tuple[Facts, Facts, Facts]
#: By how much a level moves before what a device last said is written anew; less is noise. Its
#: history has every reading whole.
STEPS = {"sent": 0.3, "received": 0.3, "loss": 0.3, "reflection": 1.0, "temperature": 2.0}
#: How many times an error ratio becomes another before.
TIMES = {"ber": 3.0}
#: For how many days light is compared with how it was.
REMEMBERED = 30
#: The settings that say for how many days it is kept each day, a day a week, and one a month.
LIGHT_KEPT = {
    "daily": "light_kept_days",
    "weekly": "light_kept_weekly_days",
    "monthly": "light_kept_monthly_days",
}


def rounded_cubes(shown: CubesShown) -> CubesShown:
    """The same with levels as they are kept."""
    names = ("temperature", "sent", "received", "ber", "reflection")
    levels: dict[str, Any] = {name: rounded(getattr(shown, name)) for name in names}
    return replace(shown, **levels)


def rounded_switches(shown: SwitchesShown) -> SwitchesShown:
    """The same with levels as they are kept."""
    return replace(shown, loss=rounded(shown.loss))


def rounded(levels: Levels) -> Levels:
    """Four digits tell a level, and an error ratio, apart: all of a pod's at once.

    >>> rounded(np.array([-46.03712, 1.23456e-7, 0.0, np.nan])).tolist()
    [-46.04, 1.235e-07, 0.0, nan]
    """
    with np.errstate(divide="ignore"):
        digits = 3 - np.floor(np.log10(np.abs(levels)))
    # A number of four digits by a power of ten that is exact is the nearest there is.
    exact = (digits >= 0) & (digits < len(_TENS))
    scale = _TENS[np.where(exact, digits, 0).astype(np.int64)]
    return np.where(exact, np.rint(levels * scale) / scale, levels)


_TENS = np.array([float(f"1e{digits}") for digits in range(23)])


def facts_of_cube(shown: CubesShown, layout: Layout, slots: range) -> Facts:
    """What the cube in a slot said, or the block in some places."""
    ports = _ports_of(layout, slots)
    strands = 2 if layout.plant is Plant.PAIRED else 1
    trays = layout.cube.trays
    there = slice((slots.start - 1) * trays, (slots.stop - 1) * trays)
    down = np.flatnonzero(shown.trays_down[there]) + 1
    heard = shown.heard[ports.start * strands : ports.stop * strands]
    return {
        "up": "".join("1" if up else "0" for up in shown.up[ports].tolist()),
        "heard": heard.tolist(),
        "serials": list(shown.serial[ports]),
        "parts": list(shown.part[ports]),
        "trays_down": down.tolist(),
        "copper_down": [link for of, link in shown.copper_down if of in slots],
        **{name: _list(levels) for name, levels in light_of_cube(shown, layout, slots).items()},
        "temperature": _list(shown.temperature[ports]),
        "reflection": _list(shown.reflection[ports]),
    }


def light_of_cube(shown: CubesShown, layout: Layout, slots: range) -> Light:
    """The levels of a cube or a block that have a history: of each port its weakest lane."""
    ports = _ports_of(layout, slots)
    return {
        "sent": weakest_lane(shown.sent.reshape(len(shown.up), -1)[ports]),
        "received": weakest_lane(shown.received.reshape(len(shown.up), -1)[ports]),
        "ber": shown.ber[ports],
    }


def _ports_of(layout: Layout, slots: range) -> slice:
    per = layout.ports_per_cube
    return slice((slots.start - 1) * per, (slots.stop - 1) * per)


def facts_of_switch(shown: SwitchesShown, layout: Layout, number: int) -> Facts:
    """What a switch said."""
    sides = 2 * layout.radix
    ports = slice(number * sides, (number + 1) * sides)
    return {
        "serial": shown.serial[number],
        "status": shown.status[ports].tolist(),
        "forced": np.flatnonzero(shown.forced[ports]).tolist(),
        "lost": [[unit.kind, unit.name] for unit in shown.lost if unit.switch == number],
        **{name: _list(levels) for name, levels in light_of_switch(shown, layout, number).items()},
    }


def light_of_switch(shown: SwitchesShown, layout: Layout, number: int) -> Light:
    """The levels of a switch that have a history: what the circuit of each A port loses.

    `to` is its B port: what another circuit lost does not count for this one.
    """
    loss, to = np.full(layout.radix, np.nan), np.full(layout.radix, np.nan)
    mine = shown.carried.switch == number
    at = shown.carried.a[mine] - 1
    loss[at], to[at] = shown.loss[mine], shown.carried.b[mine]
    return {"loss": loss, "to": to}


def circuits_of(shown: Circuits, number: int) -> set[tuple[int, int]]:
    """The circuits of one switch, as A and B port."""
    mine = shown.switch == number
    return set(zip(shown.a[mine].tolist(), shown.b[mine].tolist(), strict=True))


def says_the_same(before: Facts, now: Facts) -> bool:
    """Whether a device says what it said, but for the noise of its levels.

    >>> before = {"up": "1", "sent": [2.0], "ber": [1e-7]}
    >>> says_the_same(before, before | {"sent": [2.2], "ber": [5e-8]})
    True
    >>> says_the_same(before, before | {"sent": [1.6]})
    False
    >>> says_the_same(before, before | {"up": "0"})
    False
    """
    return before.keys() == now.keys() and all(
        before[name] == told
        if name not in STEPS and name not in TIMES
        else _is_near(name, before[name], told)
        for name, told in now.items()
    )


def _is_near(name: str, before: Kept, now: Kept) -> bool:
    if before == now:
        return True
    if len(before) != len(now):
        return False
    was, at = as_levels(before), as_levels(now)
    with np.errstate(divide="ignore", invalid="ignore"):
        if name in TIMES:
            is_near = np.abs(np.log(at / was)) <= np.log(TIMES[name])
        else:
            is_near = np.abs(at - was) <= STEPS[name]
    return bool(np.all(is_near | (was == at) | (np.isnan(was) & np.isnan(at))))


def joined_day(before: Day | None, readings: Iterable[Light]) -> Day:
    """The least, the last and the most of a day, with some more readings.

    Of a port that leads elsewhere since, what it lost before is told no more.
    """
    least, last, most = (
        {name: as_levels(levels) for name, levels in kept.items()} for kept in before or _NO_DAY
    )
    for now in readings:
        other = ~_same(last.get("to"), now["to"]) if "to" in now else np.False_
        least = {name: _with(least.get(name), at, np.fmin, other) for name, at in now.items()}
        most = {name: _with(most.get(name), at, np.fmax, other) for name, at in now.items()}
        last = dict(now)
    return _lists(least), _lists(last), _lists(most)


_NO_DAY: Day = ({}, {}, {})


def packed(light: Mapping[str, Light]) -> bytes:
    """The light of some devices, as small as little work makes it: a head, then four bytes a level.

    >>> light = {"c1": {"ber": np.array([1.235e-7, np.nan])}, "s1": {"loss": np.array([1.5])}}
    >>> {key: {name: of.tolist() for name, of in told.items()}
    ...  for key, told in unpacked(packed(light)).items()}
    {'c1': {'ber': [1.235e-07, nan]}, 's1': {'loss': [1.5]}}
    """
    head = [
        (key, [(name, len(levels)) for name, levels in told.items()]) for key, told in light.items()
    ]
    columns = [levels for told in light.values() for levels in told.values()]
    with np.errstate(over="ignore"):
        levels = np.concatenate([*columns, np.empty(0)]).astype("<f4")
    levels[np.isinf(levels)] = np.nan  # a level that no device can have
    return zlib.compress(json.dumps(head).encode() + b"\n" + levels.tobytes(), level=1)


def unpacked(kept: bytes) -> dict[str, Light]:
    """What was packed."""
    head, _, body = zlib.decompress(kept).partition(b"\n")
    levels = rounded(np.frombuffer(body, "<f4").astype(np.float64))
    light: dict[str, Light] = {}
    end = 0
    for key, told in json.loads(head):
        of = {}
        for name, many in told:
            of[name] = levels[end : end + many]
            end += many
        light[key] = of
    return light


def as_levels(kept: Kept) -> Levels:
    """Levels that were kept as a list."""
    return np.array([np.nan if level is None else level for level in kept], dtype=np.float64)


def _same(was: Levels | None, now: Levels) -> Mask:
    """Which ports still lead where they led."""
    if was is None or len(was) != len(now):
        return np.zeros(len(now), np.bool_)
    return np.asarray((was == now) | (np.isnan(was) & np.isnan(now)))


def _with(was: Levels | None, now: Levels, choose: Any, other: Any) -> Levels:
    if was is None or len(was) != len(now):
        return now
    return np.where(other, now, choose(was, now))


def weakest_lane(lanes: Levels) -> Levels:
    """The weakest lane of each row; NaN where none is told."""
    told = ~np.isnan(lanes)
    weakest = np.where(told, lanes, np.inf).min(axis=1, initial=np.inf)
    return np.where(told.any(axis=1), weakest, np.nan)


def _lists(light: Light) -> Facts:
    return {name: _list(levels) for name, levels in light.items()}


def _list(levels: Levels) -> list[float | None]:
    """As JSON has it."""
    return [
        None if level != level else level  # noqa: PLR0124 - NaN alone is not itself
        for level in levels.tolist()
    ]
