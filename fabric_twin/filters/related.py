"""Filters by what a record belongs to, each by name or ID."""

from typing import Any

from nautobot.apps.filters import NaturalKeyOrPKMultipleChoiceFilter, TreeNodeMultipleChoiceFilter
from nautobot.dcim.models import Cable, Device, Location, Rack
from nautobot.users.models import User

from fabric_twin.models import Block, Cube, Pod, Slice, Switch


def pods(field_name: str = "pod") -> NaturalKeyOrPKMultipleChoiceFilter:
    """Records of some pods."""
    return _named(Pod, field_name, "Pod (name or ID)")


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
    return _named(Rack, field_name, "Rack (name or ID)", prefers_id=True)


def devices(field_name: str) -> NaturalKeyOrPKMultipleChoiceFilter:
    """What is of some trays or switches."""
    return _named(Device, field_name, "Device (name or ID)")


def cables(field_name: str) -> NaturalKeyOrPKMultipleChoiceFilter:
    """What is on some cables, by label."""
    return _named(Cable, field_name, "Cable (label or ID)", to_field_name="label")


def cubes(field_name: str = "cube", **options: Any) -> NaturalKeyOrPKMultipleChoiceFilter:
    """What is of some cubes, by the names of their racks."""
    label = "Cube (name of its rack, or ID)"
    return _named(Cube, field_name, label, to_field_name="rack__name", **options)


def blocks(field_name: str = "block", **options: Any) -> NaturalKeyOrPKMultipleChoiceFilter:
    """What is of some blocks, by the names of their devices."""
    label = "Block (name of its device, or ID)"
    return _named(Block, field_name, label, to_field_name="device__name", **options)


def switches(field_name: str = "switch", **options: Any) -> NaturalKeyOrPKMultipleChoiceFilter:
    """What is of some switches, by the names of their devices."""
    label = "Switch (name of its device, or ID)"
    return _named(Switch, field_name, label, to_field_name="device__name", **options)


def slices(field_name: str = "slice") -> NaturalKeyOrPKMultipleChoiceFilter:
    """What is of some slices."""
    return _named(Slice, field_name, "Slice (name or ID)")


def people(field_name: str, label: str) -> NaturalKeyOrPKMultipleChoiceFilter:
    """What somebody did, or has, by username."""
    return _named(User, field_name, f"{label} (username or ID)", to_field_name="username")


def _named(
    model: Any, field_name: str, label: str, **options: Any
) -> NaturalKeyOrPKMultipleChoiceFilter:
    """By name, unless the options say which field people know a record by."""
    return NaturalKeyOrPKMultipleChoiceFilter(
        field_name=field_name, queryset=model.objects.all(), label=label, **options
    )
