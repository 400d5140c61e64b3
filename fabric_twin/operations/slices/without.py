"""What slices do without: circuits of their torus that the records do not want.

    torus of job-a    3,072 circuits, from its cubes
    records           3,008 of them wanted       64 went with the maintenance of iw1-ocs-x-3-2

It is not stored: it follows from the circuits, so it is right after each stage of each ticket, and
when a circuit comes back. A slice that a ticket makes or releases has no losses: its circuits
come, or go, stage by stage.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db.models import Count, IntegerField, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.slices.slice import CircuitNumbers, slice_circuits, torus_size
from fabric_twin.core.slices.slice import Slice as CoreSlice
from fabric_twin.models import OpticalCircuit, Slice, SlicePart
from fabric_twin.models.slice import PLANNED, RELEASING

#: Slices whose circuits come or go.
ON_THE_WAY = (PLANNED, RELEASING)


def joined_slices(slices: Any) -> Any:
    """Slices of whole cubes that stand, each with the number of its cubes and its circuits."""
    stand = slices.order_by().exclude(status__name__in=ON_THE_WAY)
    cubes = _count(SlicePart.objects.filter(chips__isnull=True))
    wanted = _count(OpticalCircuit.objects.filter(wanted=True))
    return stand.annotate(whole_cubes=cubes, made_circuits=wanted).filter(whole_cubes__gt=0)


def with_losses(slices: Mapping[UUID, CoreSlice], intended: Intended) -> dict[UUID, CoreSlice]:
    """Slices of a pod, by the keys of their records, with what they do without."""
    design = intended.design
    counts = joined_slices(Slice.objects.filter(pk__in=slices))
    fewer = {
        pk
        for pk, cubes, circuits in counts.values_list("pk", "whole_cubes", "made_circuits")
        if circuits < torus_size(design, cubes)
    }
    wanted: dict[UUID, set[CircuitNumbers]] = defaultdict(set)
    rows = OpticalCircuit.objects.filter(slice__in=fewer, wanted=True).order_by()
    for pk, switch, a, b in rows.values_list("slice", "switch__number", "a", "b"):
        wanted[pk].add((switch, a, b))
    return dict(slices) | {pk: _without(slices[pk], intended, wanted[pk]) for pk in fewer}


def _without(made: CoreSlice, intended: Intended, wanted: set[CircuitNumbers]) -> CoreSlice:
    torus = slice_circuits(intended.design, made, intended.mate)
    columns = (column.tolist() for column in (torus.switch, torus.a, torus.b))
    lost = (circuit for circuit in zip(*columns, strict=True) if circuit not in wanted)
    return replace(made, without=tuple(lost))


def _count(rows: Any) -> Any:
    """How many rows a slice has, within the query of slices."""
    of_slice = rows.filter(slice=OuterRef("pk")).order_by().values("slice")
    many = of_slice.annotate(many=Count("pk")).values("many")
    return Coalesce(Subquery(many, output_field=IntegerField()), Value(0))
