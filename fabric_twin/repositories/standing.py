"""What stands in a pod by its records: the cubes that take slices, the slices, the circuits."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np

from fabric_twin.core.circuits import Circuits
from fabric_twin.core.joins import cube_ports_behind
from fabric_twin.core.layout import NO_PORT
from fabric_twin.core.occupancy import Occupancy
from fabric_twin.core.plant import Intended, intended_plant
from fabric_twin.core.shapes import parse_shape
from fabric_twin.core.slices import Slice as CoreSlice
from fabric_twin.models import Cube, OpticalCircuit, Pod, Slice, SlicePart, Switch

#: The status of a cube, a switch or a pod that takes what is new.
ACTIVE = "Active"
#: The status of a switch that joins nothing.
OUT = "Out"


@dataclass(frozen=True, eq=False)
class Standing:
    """A pod's records at one moment, ready to be asked where a slice would go."""

    intended: Intended
    occupancy: Occupancy
    #: The record of the cube in each slot, and of the switch of each number.
    cubes: dict[int, UUID]
    switches: dict[int, UUID]
    #: The circuits that the switches show, whoever wants them.
    seen: Circuits


def read_standing(pod: Pod, slots: Collection[int] | None = None) -> Standing:
    """Read what stands in a pod; only active cubes take slices, of these slots where named."""
    design = pod.to_core()
    intended = intended_plant(design, pod.name)
    cubes = {slot: (pk, status) for slot, pk, status in _cubes(pod)}
    allowed = {slot for slot, (_, status) in cubes.items() if status == ACTIVE}
    circuits = _circuits(pod)
    allowed -= _slots_behind(intended, circuits.held_by_nobody)
    occupancy = Occupancy(design, allowed if slots is None else allowed & set(slots))
    for made in standing_slices(pod):
        occupancy.add(made)
    switches = {number: (pk, status) for number, pk, status in _switches(pod)}
    for number, (_, status) in switches.items():
        if status == OUT:
            _fail_switch(occupancy, intended, number)
    return Standing(
        intended,
        occupancy,
        {slot: pk for slot, (pk, _) in cubes.items()},
        {number: pk for number, (pk, _) in switches.items()},
        circuits.seen,
    )


def standing_slices(pod: Pod) -> list[CoreSlice]:
    """Every slice of a pod, in the order of their names."""
    design = pod.to_core()
    parts: dict[UUID, list[tuple[int, Any]]] = defaultdict(list)
    rows = SlicePart.objects.filter(slice__pod=pod).order_by("slice", "place")
    for made, slot, chips in rows.values_list("slice_id", "cube__slot", "chips"):
        parts[made].append((slot, chips))
    found = Slice.objects.filter(pod=pod, pk__in=parts).order_by("name")
    return [
        CoreSlice(
            name,
            parse_shape(shape, design, twisted=twisted),
            tuple(slot for slot, _ in parts[pk]),
            tuple(tuple(chip) for _, chips in parts[pk] for chip in chips or ()),
        )
        for pk, name, shape, twisted in found.values_list("pk", "name", "shape", "twisted")
    ]


@dataclass(frozen=True, eq=False)
class _Recorded:
    seen: Circuits
    #: Wanted, but by no slice: made by hand.
    held_by_nobody: Circuits


def _circuits(pod: Pod) -> _Recorded:
    rows = OpticalCircuit.objects.filter(switch__pod=pod).order_by()
    columns = ("switch__number", "a", "b")
    return _Recorded(
        _as_circuits(rows.filter(seen=True).values_list(*columns)),
        _as_circuits(rows.filter(wanted=True, slice=None).values_list(*columns)),
    )


def _as_circuits(rows: Any) -> Circuits:
    columns = np.array(list(rows), dtype=np.int32).reshape(-1, 3).T
    return Circuits(*columns)


def _cubes(pod: Pod) -> Any:
    rows = Cube.objects.filter(pod=pod).order_by("slot")
    return rows.values_list("slot", "pk", "status__name")


def _switches(pod: Pod) -> Any:
    rows = Switch.objects.filter(pod=pod).order_by("number")
    return rows.values_list("number", "pk", "status__name")


def _slots_behind(intended: Intended, circuits: Circuits) -> set[int]:
    """The slots of the cubes that some circuits join."""
    layout = intended.design.layout
    if not len(circuits):
        return set()
    ends = np.concatenate(cube_ports_behind(layout, circuits, intended.mate))
    return set(layout.slot[ends[ends != NO_PORT]].tolist())


def _fail_switch(occupancy: Occupancy, intended: Intended, number: int) -> None:
    """No cube can use its ports on a switch that is out."""
    layout = intended.design.layout
    first = layout.cube_ports + number * layout.ports_per_switch
    for port in range(first, first + layout.ports_per_switch):
        occupancy.fail_port(port)
