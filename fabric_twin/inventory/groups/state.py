"""The rings of a cluster as `fabric-twin rings` writes them: read whole, or refused whole."""

import re
from typing import Any

from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.core.groups.design import GroupsDesign
from fabric_twin.core.rings.job import Axis, Form, Job
from fabric_twin.core.rings.plane import Plane, Way, parse_planes
from fabric_twin.core.rings.ring import Entry, Ring, Wanted, ring_of
from fabric_twin.core.rings.state import State
from fabric_twin.core.rings.wish import Wish, check_form, check_groups
from fabric_twin.inventory.json_files import (
    check_keys,
    list_of,
    read_object,
    text_of,
    unlike,
    whole_number,
)

_SHAPE = (
    '{"version": 1, "cluster": "pg1", "design": "groups-a", "kept_back": 0, "lost": {"groups": '
    '["r01c07"], "switches": ["row-t1-1-1-2"]}, "jobs": [JOB, ..]}, each JOB as fabric-twin rings '
    "writes it"
)
_KEYS = ("version", "cluster", "design", "kept_back", "lost", "jobs")
_OF_JOB = ("name", "form", "processors", "columns", "groups", "axes", "both_ways", "rings")
_OF_RING = ("axis", "plane", "way", "groups", "entries")
_ENTRY = re.compile(r"(\S{1,60}) ([1-9]\d?)->([1-9]\d?)", re.ASCII)


def read_state(data: bytes, source: str, design: GroupsDesign, cluster: str) -> State:
    """The state of a cluster, every ring of it followed link by link."""
    content = read_object(data, source, _SHAPE)
    check_keys(content, _KEYS, source)
    for key, ours in (("cluster", cluster), ("design", design.name)):
        written = text_of(content, key, source, _SHAPE)
        if written != ours:
            raise UnusableInput(
                f"it is of {key} {written[:60]}, not {ours}",
                where=source,
                remedy=f"Give the file of {ours}, or name another {key}",
            )
    kept_back = content.get("kept_back", 0)
    if not isinstance(kept_back, int | float) or isinstance(kept_back, bool):
        raise unlike('"kept_back" is no number', source, _SHAPE)
    try:
        empty = State.of(design, cluster, float(kept_back))
    except (OverflowError, UnusableInput):
        raise unlike('"kept_back" is no number from 0 to less than 1', source, _SHAPE) from None
    reading = _Reading(empty, source)
    state = reading.state(content)
    try:
        state.check()
    except UnusableInput as refusal:
        raise UnusableInput(refusal.what, where=source, remedy=refusal.remedy) from None
    return state


def device_numbers(state: State) -> dict[str, int]:
    """Groups and switches by what they are called, in full or within the cluster."""
    names = state.names.devices
    within = (name.removeprefix(f"{state.names.pod}-") for name in names)
    return {name: number for both in (names, within) for number, name in enumerate(both)}


class _Reading:
    def __init__(self, empty: State, source: str) -> None:
        self._empty, self._source = empty, source
        self._devices = device_numbers(empty)
        self._cluster = empty.wiring.cluster

    def state(self, content: dict[str, Any]) -> State:
        lost = content.get("lost", {})
        if not isinstance(lost, dict):
            raise unlike('"lost" is no object', self._source, _SHAPE)
        where = f"{self._source}, lost"
        check_keys(lost, ("groups", "switches"), where)
        gone = [
            self._device(name, where, group=key == "groups")
            for key in ("groups", "switches")
            for name in list_of(lost, key, where, _SHAPE)
        ]
        if twice := [device for device in gone if gone.count(device) > 1]:
            raise UnusableInput(
                f"{self._empty.names.device(twice[0])} is lost twice",
                where=where,
                remedy="Name each once",
            )
        jobs = [
            self._job(row, f"{self._source}, job {number}")
            for number, row in enumerate(list_of(content, "jobs", self._source, _SHAPE), 1)
        ]
        return State(
            self._empty.wiring,
            self._empty.names,
            tuple(jobs),
            frozenset(gone),
            self._empty.kept_back,
        )

    def _device(self, name: Any, where: str, *, group: bool) -> int:
        number = self._devices.get(name) if isinstance(name, str) else None
        if number is None or (number < self._cluster.groups) is not group:
            noun = "group" if group else "switch"
            raise UnusableInput(
                f"there is no {noun} {str(name)[:40]!r}",
                where=where,
                remedy=f"Name a {noun} of the cluster, like {'r01c07' if group else 'row-01-1-1'}",
            )
        return number

    def _groups(self, row: dict[str, Any], where: str) -> tuple[int, ...]:
        names = list_of(row, "groups", where, _SHAPE, needed=True)
        return tuple(self._device(name, where, group=True) for name in names)

    def _job(self, row: Any, where: str) -> Job:
        name = text_of(row, "name", where, _SHAPE)
        check_keys(row, _OF_JOB, where)
        form = text_of(row, "form", where, _SHAPE)
        if form not in {*Form}:
            raise unlike(f'"form" is none of {", ".join(Form)}', where, _SHAPE)
        both_ways = row.get("both_ways", False)
        if not isinstance(both_ways, bool):
            raise unlike('"both_ways" is neither true nor false', where, _SHAPE)
        processors = whole_number(row.get("processors", 0), '"processors"', where, _SHAPE)
        columns = whole_number(row.get("columns", 0), '"columns"', where, _SHAPE)
        groups = self._groups(row, where)
        axes = tuple(
            self._axis(axis, f"{where}, axis {number}")
            for number, axis in enumerate(list_of(row, "axes", where, _SHAPE), 1)
        )
        rows = len(groups) // columns if columns else 0
        wish = Wish(name, Form(form), processors, rows, columns, axes, both_ways, groups)
        try:
            check_form(self._empty, wish)
            check_groups(self._empty, wish)
        except FabricTwinError as refusal:
            raise UnusableInput(refusal.what, where=where, remedy=refusal.remedy) from None
        job = Job(name, Form(form), processors, groups, columns, axes, both_ways)
        wanted = {
            (ring.axis, ring.plane, ring.way, ring.groups): number
            for number, ring in enumerate(job.wanted)
        }
        rings: dict[int, Ring] = {}
        for number, given in enumerate(list_of(row, "rings", where, _SHAPE), 1):
            at = f"{where}, ring {number}"
            ring = self._ring(given, at)
            place = wanted.get((ring.axis, ring.plane, ring.way, ring.groups))
            if place is None or place in rings:
                why = "is there twice" if place in rings else f"is none that {name[:40]} asks for"
                raise UnusableInput(
                    f"the ring {why}", where=at, remedy="Give each ring of its axes once"
                )
            rings[place] = ring
        return job.with_rings(rings)

    def _axis(self, row: Any, where: str) -> Axis:
        name = text_of(row, "name", where, _SHAPE)
        check_keys(row, ("name", "planes"), where)
        planes = list_of(row, "planes", where, _SHAPE, needed=True)
        if len(planes) > self._cluster.dimensions * self._cluster.planes:
            raise unlike(f'"planes" has {len(planes):,} planes', where, _SHAPE)
        return Axis(name, tuple(self._plane(plane, where) for plane in planes))

    def _plane(self, text: Any, where: str) -> Plane:
        found = parse_planes(str(text), self._cluster, where)
        if str(found[0]) != text:
            raise unlike(f"{str(text)[:40]!r} is more than one plane", where, _SHAPE)
        return found[0]

    def _ring(self, row: Any, where: str) -> Ring:
        axis, plane, way = (text_of(row, key, where, _SHAPE) for key in _OF_RING[:3])
        check_keys(row, _OF_RING, where)
        if way not in {*Way}:
            raise unlike(f'"way" is none of {", ".join(Way)}', where, _SHAPE)
        groups = self._groups(row, where)
        entries = [
            self._entry(text, where) for text in list_of(row, "entries", where, _SHAPE, needed=True)
        ]
        wanted = Wanted(axis, self._plane(plane, where), Way(way), groups)
        ring = Ring(axis, wanted.plane, wanted.way, groups, tuple(entries))
        wiring = self._empty.wiring
        paths = [path for _, path in ring.paths(wiring)] if groups else []
        if not groups or ring_of(wiring, wanted, paths) != ring:
            raise UnusableInput(
                "its entries do not make a ring through its groups",
                where=where,
                remedy="Give the entries in the order in which the ring passes them",
            )
        return ring

    def _entry(self, text: Any, where: str) -> Entry:
        match = _ENTRY.fullmatch(text) if isinstance(text, str) else None
        if not match:
            raise unlike(f'{str(text)[:40]!r} is no entry like "row-01-1-1 2->3"', where, _SHAPE)
        switch = self._device(match[1], where, group=False)
        return Entry(switch, int(match[2]), int(match[3]))
