"""Filters of pods."""

from typing import Any

from django.db.models import Q, QuerySet
from nautobot.apps.filters import (
    BooleanFilter,
    MultiValueCharFilter,
    SearchFilter,
    StatusModelFilterSetMixin,
)

from fabric_twin.core.topology.design import network_design_named
from fabric_twin.filters import related
from fabric_twin.filters.known_values import RecordFilterSet
from fabric_twin.models import Pod


class PodFilterSet(RecordFilterSet, StatusModelFilterSetMixin):
    """By design, by what it is made of, and by where it stands."""

    q = SearchFilter(
        filter_predicates={
            "name": "icontains",
            "design": "icontains",
            "description": "icontains",
            "location__name": "icontains",
        }
    )
    design = MultiValueCharFilter()
    is_network = BooleanFilter(method="that_is_network", label="Is a network of blocks")
    location = related.locations("location")

    class Meta:
        model = Pod
        fields = ["id", "name", "design", "location", "description", "kept_back", "status", "tags"]

    def that_is_network(self, queryset: QuerySet[Any], _name: str, wanted: bool) -> Any:
        """Networks of blocks, or pods of cubes: their designs say which."""
        designs = Pod.objects.order_by().values_list("design", flat=True).distinct()
        networks = Q(design__in=[name for name in designs if network_design_named(name)])
        return queryset.filter(networks) if wanted else queryset.exclude(networks)
