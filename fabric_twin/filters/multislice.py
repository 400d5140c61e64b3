"""Filters of multislices."""

from nautobot.apps.filters import SearchFilter

from fabric_twin.filters import related
from fabric_twin.filters.known_values import PartFilterSet, RecordFilterSet
from fabric_twin.models import Multislice, MultislicePart


class MultisliceFilterSet(RecordFilterSet):
    """By network, pods, shape and owner."""

    q = SearchFilter(
        filter_predicates={
            "name": "icontains",
            "pod__name": "icontains",
            "owner": "icontains",
            "description": "icontains",
        }
    )
    pod = related.pods()
    over = related.pods("parts__pod")

    class Meta:
        model = Multislice
        fields = ["id", "pod", "name", "shape", "owner", "least", "description", "tags"]


class MultislicePartFilterSet(PartFilterSet):
    """By multislice and pod."""

    q = SearchFilter(filter_predicates={"multislice__name": "icontains", "pod__name": "icontains"})
    pod = related.pods()

    class Meta:
        model = MultislicePart
        fields = ["id", "multislice", "pod", "place"]
