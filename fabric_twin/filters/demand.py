"""Filters of demand."""

from nautobot.apps.filters import MultiValueCharFilter, SearchFilter

from fabric_twin.filters import related
from fabric_twin.filters.known_values import RecordFilterSet
from fabric_twin.models import Demand


class DemandFilterSet(RecordFilterSet):
    """By network and day."""

    q = SearchFilter(filter_predicates={"pod__name": "icontains", "description": "icontains"})
    pod = related.pods()
    design = MultiValueCharFilter(field_name="pod__design", label="Design")
    location = related.locations("pod__location")

    class Meta:
        model = Demand
        fields = ["id", "pod", "day", "description", "tags"]
