"""Filters of ends that no port takes."""

from nautobot.apps.filters import BaseFilterSet, MultiValueCharFilter, SearchFilter

from fabric_twin.filters import related
from fabric_twin.models import WrittenEnd


class WrittenEndFilterSet(BaseFilterSet):
    """By cable, and by what was written."""

    q = SearchFilter(
        filter_predicates={"cable__label": "icontains", "device": "icontains", "port": "icontains"}
    )
    pod = related.pods()
    device = MultiValueCharFilter(label="Device, as written")
    port = MultiValueCharFilter(label="Port, as written")

    class Meta:
        model = WrittenEnd
        fields = ["id", "pod", "cable", "device", "port"]
