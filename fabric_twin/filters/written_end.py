"""Filters of ends that no port takes."""

from nautobot.apps.filters import SearchFilter

from fabric_twin.filters import related
from fabric_twin.filters.known_values import PartFilterSet
from fabric_twin.models import WrittenEnd


class WrittenEndFilterSet(PartFilterSet):
    """By pod and cable, and by searching what was written."""

    q = SearchFilter(
        filter_predicates={"cable__label": "icontains", "device": "icontains", "port": "icontains"}
    )
    pod = related.pods()

    class Meta:
        model = WrittenEnd
        fields = ["id", "pod", "cable"]
