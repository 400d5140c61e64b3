"""What stands in a pod by its records: the cubes that take slices, the slices, the circuits."""

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import numpy as np

from fabric_twin.core.cabling.plant import Intended, intended_plant
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.circuits.links import slots_behind
from fabric_twin.core.design import Design
from fabric_twin.core.pods.own_names import OwnNames
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import parse_shape
from fabric_twin.core.slices.slice import Slice as CoreSlice
from fabric_twin.models import OpticalCircuit, Pod, Reservation, Slice, SlicePart
from fabric_twin.repositories.pod_record import BAD_PORT, DOWN, USABLE, PodRecord


@dataclass(frozen=True, eq=False)
class Standing:
    """A pod's records at one moment, ready to be asked where a slice would go."""

    record: PodRecord
    intended: Intended
    occupancy: Occupancy
    #: The circuits that the switches show, whoever wants them.
    seen: Circuits


def read_standing(pod: Pod, slots: Collection[int] | None = None) -> Standing:
    """Read what stands in a pod; only active cubes take slices, of these slots where named."""
    record = PodRecord(pod)
    names = OwnNames(record.design.layout, pod.name, {}, _switch_names(record), {})
    intended = intended_plant(record.design, pod.name, None, record.substitutions)
    intended = replace(intended, names=names)
    rows = OpticalCircuit.objects.filter(switch__pod=pod)
    allowed = set(record.slots(USABLE))
    allowed = allowed if slots is None else allowed & set(slots)
    occupancy = Occupancy(record.design, allowed, mate=intended.mate)
    by_hand = slots_behind(intended, _circuits(rows.filter(wanted=True, slice=None)))
    for slot in by_hand | _reserved_slots(pod, intended):
        occupancy.reserve(slot)
    for made in standing_slices(pod, record.design):
        occupancy.add(made)
    for port in _bad_ports(record):
        occupancy.fail_port(port)
    return Standing(record, intended, occupancy, _circuits(rows.filter(seen=True)))


def standing_slices(pod: Pod, design: Design) -> list[CoreSlice]:
    """Every slice of a pod, in the order of their names."""
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


def _switch_names(record: PodRecord) -> dict[int, str]:
    return {number: device for number, (_, device, _) in record.switches.items()}


def _circuits(rows: Any) -> Circuits:
    found = list(rows.order_by().values_list("switch__number", "a", "b"))
    return Circuits(*np.array(found, dtype=np.int32).reshape(-1, 3).T)


def _reserved_slots(pod: Pod, intended: Intended) -> set[int]:
    """The slots whose cube an open ticket or work order holds, or a port that its cables are on."""
    held = Reservation.objects.order_by()
    slots = set(held.filter(cube__pod=pod).values_list("cube__slot", flat=True))
    rows = list(held.filter(switch__pod=pod).values_list("switch__number", "port", "port"))
    # A port as a circuit to itself: in a split plant both of its sides are one cube's.
    ports = Circuits(*np.array(rows, dtype=np.int32).reshape(-1, 3).T)
    return slots | slots_behind(intended, ports)


def _bad_ports(record: PodRecord) -> Iterator[int]:
    """The ports that have failed, alone or with their switch."""
    layout = record.design.layout
    bad = record.pod.ports.filter(interface__status__name__in=BAD_PORT).order_by()
    yield from bad.values_list("number", flat=True)
    for number, (_, _, status) in record.switches.items():
        if status in DOWN:
            first = layout.cube_ports + number * layout.ports_per_switch
            yield from range(first, first + layout.ports_per_switch)
