"""Filters of substitutions."""

from nautobot.apps.filters import SearchFilter

from fabric_twin.filters import related
from fabric_twin.filters.known_values import RecordFilterSet
from fabric_twin.models import Substitution


class SubstitutionFilterSet(RecordFilterSet):
    """By pod and switch."""

    q = SearchFilter(
        filter_predicates={
            "port__interface__device__name": "icontains",
            "port__interface__name": "icontains",
            "spare__interface__name": "icontains",
            "reason": "icontains",
        }
    )
    pod = related.pods("port__pod")
    switch = related.switches("port__switch")

    class Meta:
        model = Substitution
        fields = ["id", "port", "spare", "reason", "tags"]
