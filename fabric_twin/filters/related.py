"""Filters by what a record belongs to, each by name or ID."""

from nautobot.apps.filters import NaturalKeyOrPKMultipleChoiceFilter, TreeNodeMultipleChoiceFilter
from nautobot.dcim.models import Device, Location, Rack

from fabric_twin.models import Cube, Pod, Slice, Switch


def pods(field_name: str = "pod") -> NaturalKeyOrPKMultipleChoiceFilter:
    """Records of some pods."""
    return NaturalKeyOrPKMultipleChoiceFilter(
        field_name=field_name, queryset=Pod.objects.all(), label="Pod (name or ID)"
    )


def locations(field_name: str) -> TreeNodeMultipleChoiceFilter:
    """What stands in some locations or anywhere below them."""
    return TreeNodeMultipleChoiceFilter(
        field_name=field_name,
        queryset=Location.objects.all(),
        prefers_id=True,
        to_field_name="name",
        label="Location (name or ID)",
    )


def racks(field_name: str) -> NaturalKeyOrPKMultipleChoiceFilter:
    """What stands in some racks."""
    return NaturalKeyOrPKMultipleChoiceFilter(
        field_name=field_name,
        queryset=Rack.objects.all(),
        prefers_id=True,
        label="Rack (name or ID)",
    )


def devices(field_name: str) -> NaturalKeyOrPKMultipleChoiceFilter:
    """What is of some trays or switches."""
    return NaturalKeyOrPKMultipleChoiceFilter(
        field_name=field_name, queryset=Device.objects.all(), label="Device (name or ID)"
    )


def cubes(field_name: str = "cube") -> NaturalKeyOrPKMultipleChoiceFilter:
    """What is of some cubes, by the names of their racks."""
    return NaturalKeyOrPKMultipleChoiceFilter(
        field_name=field_name,
        queryset=Cube.objects.all(),
        to_field_name="rack__name",
        label="Cube (name of its rack, or ID)",
    )


def switches(field_name: str = "switch") -> NaturalKeyOrPKMultipleChoiceFilter:
    """What is of some switches, by the names of their devices."""
    return NaturalKeyOrPKMultipleChoiceFilter(
        field_name=field_name,
        queryset=Switch.objects.all(),
        to_field_name="device__name",
        label="Switch (name of its device, or ID)",
    )


def slices(field_name: str = "slice") -> NaturalKeyOrPKMultipleChoiceFilter:
    """What is of some slices."""
    return NaturalKeyOrPKMultipleChoiceFilter(
        field_name=field_name, queryset=Slice.objects.all(), label="Slice (name or ID)"
    )
