"""Filters of cubes."""

from nautobot.apps.filters import (
    MultiValueCharFilter,
    RelatedMembershipBooleanFilter,
    StatusModelFilterSetMixin,
)

from fabric_twin.core.record_names import CUBE_NAME
from fabric_twin.filters import related
from fabric_twin.filters.known_values import RecordFilterSet
from fabric_twin.filters.named import NameSearch, numbered
from fabric_twin.filters.slots import SlotsFilter
from fabric_twin.models import Cube


class CubeFilterSet(RecordFilterSet, StatusModelFilterSetMixin):
    """By pod and slot, by rack, and by what stands on the cube."""

    q = NameSearch(
        named=numbered(CUBE_NAME, "slot"),
        filter_predicates={
            "rack__name": "icontains",
            "pod__name": "icontains",
            "address": "icontains",
            "target": "icontains",
        },
    )
    pod = related.pods()
    design = MultiValueCharFilter(field_name="pod__design", label="Design")
    location = related.locations("rack__location")
    rack = related.racks("rack")
    slots = SlotsFilter(field_name="slot", label="Slots, such as 1-4,7")
    slice = related.slices("parts__slice")
    has_slice = RelatedMembershipBooleanFilter(field_name="parts", label="Is in a slice")

    class Meta:
        model = Cube
        fields = ["id", "pod", "slot", "rack", "status", "address", "target", "tags"]
