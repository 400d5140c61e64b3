"""Filters of ports: by the records around them, and by what the rule says of their numbers."""

import re
from collections.abc import Callable
from contextlib import suppress
from functools import reduce
from operator import and_, or_
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Mod
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from nautobot.apps.filters import (
    MultipleChoiceFilter,
    MultiValueCharFilter,
    RelatedMembershipBooleanFilter,
)
from numpy.typing import NDArray

from fabric_twin.core.cube import AXES, SIGNS
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.record_names import tidy
from fabric_twin.filters import related
from fabric_twin.filters.known_values import PartFilterSet
from fabric_twin.filters.named import NameSearch
from fabric_twin.filters.slots import SlotsFilter
from fabric_twin.models import Pod, Port
from fabric_twin.models.switch import AxisChoices

#: What the OpenAPI document says of a filter that no column stands behind.
_of_text: Any = extend_schema_field(OpenApiTypes.STR)

#: No two names have more words; what follows is one phrase, and no more work for the database.
MOST_WORDS = 8

#: What a port is called.
_NAMES = ("interface__name", "interface__device__name")

FACES = [f"{axis}{sign}" for axis in AXES for sign in SIGNS]


#: The end of what a port is called, and what stands before it: `iw1-ocs-x-3-2 7A`.
_WHOLE_NAME = re.compile(r"(?:(?P<device>.+?)[\s:]+)?(?P<port>[^\s:]+)")


def _port_named(text: str) -> Q | None:
    """The port of a device or of a cube, or that with a transceiver of this serial."""
    if (whole := tidy(text)) is None or not (name := _WHOLE_NAME.fullmatch(whole)):
        return None
    device, port = name["device"], Q(interface__name__iexact=name["port"])
    if device is None:
        return port | Q(module_bay__installed_module__serial__iexact=name["port"])
    on_device = Q(interface__device__name__iexact=device)
    return port & (on_device | Q(cube__rack__name__iexact=device))


class PortSearch(NameSearch):
    """Ports by what they are called: every word must be in the name of the port or of its device.

    A colon parts words too, so that `iw1-c007:4.3.2/X+`, the name of a cable, finds its port.
    """

    def alike(self, value: str) -> Q:
        """Ask for each word; an ID is asked for whole, and only where the whole could be one.

        Nautobot would write out the ID of every port to compare: that took longer than the names.
        """
        words = re.split(r"[\s:]+", value.strip(), maxsplit=MOST_WORDS)
        names = (
            reduce(or_, [Q(**{f"{field}__icontains": word}) for field in _NAMES]) for word in words
        )
        found = reduce(and_, names)
        with suppress(ValueError):
            found |= Q(pk=UUID(value.strip()))
        return found


class PortFilterSet(PartFilterSet):
    """By pod, cube, block, switch, device and interface; by axis and, on a cube, by face."""

    q = PortSearch(named=_port_named, filter_predicates=dict.fromkeys(_NAMES, "icontains"))
    pod = related.pods()
    cube = related.cubes()
    block = related.blocks()
    slots = SlotsFilter(field_name="cube__slot", label="Slots, such as 1-4,7")
    switch = related.switches()
    device = related.devices("interface__device")
    rack = related.racks("interface__device__rack")
    interface_status = MultiValueCharFilter(
        field_name="interface__status__name", label="Status of its interface"
    )
    is_connected = RelatedMembershipBooleanFilter(
        field_name="interface__cable_termination", label="Has a cable"
    )
    axis = _of_text(MultipleChoiceFilter(choices=AxisChoices, method="along", label="Axis"))
    face = _of_text(
        MultipleChoiceFilter(
            choices=[(face, face) for face in FACES], method="on_face", label="Face of the cube"
        )
    )

    class Meta:
        model = Port
        fields = ["id", "pod", "number", "interface", "cube", "block", "switch", "module_bay"]

    def along(self, queryset: QuerySet[Any], _name: str, axes: list[str]) -> Any:
        """Ports of cubes and of switches that serve one of the axes."""
        wanted = [AXES.lower().index(axis) for axis in axes if axis in AXES.lower()]
        queryset, on_cubes = _of_cubes(queryset, lambda layout: np.isin(layout.axis, wanted))
        return queryset.filter(on_cubes | Q(switch__axis__in=axes)) if axes else queryset

    def on_face(self, queryset: QuerySet[Any], _name: str, faces: list[str]) -> Any:
        """Ports of cubes that are on one of the faces."""
        wanted = [FACES.index(face) for face in faces if face in FACES]
        queryset, on_cubes = _of_cubes(
            queryset, lambda layout: np.isin(layout.axis * len(SIGNS) + layout.sign, wanted)
        )
        return queryset.filter(on_cubes) if faces else queryset


def _of_cubes(
    queryset: QuerySet[Any], chosen: Callable[[Layout], NDArray[np.bool_]]
) -> tuple[Any, Q]:
    """Which ports of cubes a design's layout chooses: every cube of a design has them alike."""
    condition = Q(pk__in=[])
    # Designs are read from the pods: there are far fewer of them than ports.
    designs = Pod.objects.order_by().values_list("design", "layout").distinct()
    for number, (name, digest) in enumerate(designs):
        pods = Pod(design=name, layout=digest)
        with suppress(FabricTwinError):  # nobody could say more of a design that is gone
            layout = pods.to_core().layout
            local = f"_number_on_cube_{number}"
            queryset = queryset.alias(**{local: Mod(F("number"), layout.ports_per_cube)})
            there = np.flatnonzero(chosen(layout)).tolist()
            condition |= Q(
                pod__design=name, pod__layout=digest, cube__isnull=False, **{f"{local}__in": there}
            )
    return queryset, condition
