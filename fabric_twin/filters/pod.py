"""Filters of pods."""

from nautobot.apps.filters import (
    MultiValueCharFilter,
    SearchFilter,
    StatusModelFilterSetMixin,
)

from fabric_twin.filters import related
from fabric_twin.filters.known_values import RecordFilterSet
from fabric_twin.models import Pod


class PodFilterSet(RecordFilterSet, StatusModelFilterSetMixin):
    """By design, and by where the pod stands."""

    q = SearchFilter(
        filter_predicates={
            "name": "icontains",
            "design": "icontains",
            "description": "icontains",
            "location__name": "icontains",
        }
    )
    design = MultiValueCharFilter()
    location = related.locations("location")

    class Meta:
        model = Pod
        fields = ["id", "name", "design", "location", "description", "status", "tags"]
