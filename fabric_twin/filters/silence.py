"""Filters of silences."""

from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Now
from nautobot.apps.filters import BooleanFilter, SearchFilter

from fabric_twin.filters import related
from fabric_twin.filters.known_values import RecordFilterSet
from fabric_twin.models import Silence


class SilenceFilterSet(RecordFilterSet):
    """By pod, by what is silenced, and by whether it still is."""

    q = SearchFilter(filter_predicates={"reason": "icontains", "code": "icontains"})
    pod = related.pods()
    device = related.devices("device")
    cable = related.cables("cable")
    holds = BooleanFilter(method="that_holds", label="Has not ended")

    class Meta:
        model = Silence
        fields = ["id", "pod", "finding", "code", "device", "cable", "until", "reason", "tags"]

    def that_holds(self, queryset: QuerySet[Any], _name: str, holds: bool) -> Any:
        """Rules that have not ended, or those that have."""
        return queryset.filter(until__gt=Now()) if holds else queryset.filter(until__lte=Now())
