"""Filters of slices and of their parts."""

from nautobot.apps.filters import (
    MultiValueCharFilter,
    RelatedMembershipBooleanFilter,
    SearchFilter,
    StatusModelFilterSetMixin,
)

from fabric_twin.filters import related
from fabric_twin.filters.known_values import PartFilterSet, RecordFilterSet
from fabric_twin.filters.slots import SlotsFilter
from fabric_twin.models import Slice, SlicePart


class SliceFilterSet(RecordFilterSet, StatusModelFilterSetMixin):
    """By what was wished for, and by where it stands."""

    q = SearchFilter(
        filter_predicates={
            "name": "icontains",
            "shape": "icontains",
            "description": "icontains",
            "pod__name": "icontains",
        }
    )
    pod = related.pods()
    design = MultiValueCharFilter(field_name="pod__design", label="Design")
    location = related.locations("pod__location")
    cube = related.cubes("parts__cube")
    rack = related.racks("parts__cube__rack")
    slots = SlotsFilter(
        field_name="parts__cube__slot", distinct=True, label="On one of the slots, such as 1-4,7"
    )
    has_circuits = RelatedMembershipBooleanFilter(field_name="circuits", label="Has circuits")

    class Meta:
        model = Slice
        fields = ["id", "pod", "name", "shape", "twisted", "status", "description", "tags"]


class SlicePartFilterSet(PartFilterSet):
    """By slice and by cube."""

    q = SearchFilter(
        filter_predicates={"slice__name": "icontains", "cube__rack__name": "icontains"}
    )
    pod = related.pods("slice__pod")
    slice = related.slices()
    cube = related.cubes()
    rack = related.racks("cube__rack")
    slots = SlotsFilter(field_name="cube__slot", label="Slots, such as 1-4,7")

    class Meta:
        model = SlicePart
        fields = ["id", "slice", "cube", "place"]
