"""Filters of switches."""

from nautobot.apps.filters import (
    MultipleChoiceFilter,
    MultiValueCharFilter,
    SearchFilter,
    StatusModelFilterSetMixin,
)

from fabric_twin.filters import related
from fabric_twin.filters.known_values import RecordFilterSet
from fabric_twin.models import Switch
from fabric_twin.models.switch import AxisChoices, DialectChoices


def _digits(text: str) -> str:
    """The digits of a datapath id, with or without what some put before and between them."""
    found = text.strip().lower().removeprefix("0x").replace(":", "")
    if not found:
        raise ValueError(text)
    return found


class SwitchFilterSet(RecordFilterSet, StatusModelFilterSetMixin):
    """By what a switch joins (axis and index), by where it stands, and by how it is reached."""

    q = SearchFilter(
        filter_predicates={
            "device__name": "icontains",
            "device__serial": "iexact",
            "pod__name": "icontains",
            "address": "icontains",
            "target": "icontains",
            "flow_address": "icontains",
            "datapath": {"lookup_expr": "icontains", "preprocessor": _digits},
        }
    )
    pod = related.pods()
    design = MultiValueCharFilter(field_name="pod__design", label="Design")
    location = related.locations("device__location")
    rack = related.racks("device__rack")
    device = related.devices("device")
    axis = MultipleChoiceFilter(choices=AxisChoices)
    index = MultiValueCharFilter(label="Index, such as 3-2")
    dialect = MultipleChoiceFilter(choices=DialectChoices)

    class Meta:
        model = Switch
        fields = [
            "id",
            "pod",
            "number",
            "device",
            "axis",
            "index",
            "address",
            "target",
            "dialect",
            "flow_address",
            "datapath",
            "status",
            "tags",
        ]
