"""Filters of cables that light agreed with."""

from nautobot.apps.filters import MultiValueDateTimeFilter, SearchFilter

from fabric_twin.filters import related
from fabric_twin.filters.known_values import PartFilterSet
from fabric_twin.models import AgreedCable


class AgreedCableFilterSet(PartFilterSet):
    """By pod and cable, and by when it was."""

    q = SearchFilter(filter_predicates={"cable__label": "icontains"})
    pod = related.pods("agreement__pod")
    cable = related.cables("cable")
    at = MultiValueDateTimeFilter(field_name="agreement__at", label="When light last agreed")

    class Meta:
        model = AgreedCable
        fields = ["id", "pod", "cable", "at", "a", "b"]
