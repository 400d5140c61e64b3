"""Fields that choose records of this App by name."""

from typing import Any

from nautobot.apps.forms import DynamicModelChoiceField, DynamicModelMultipleChoiceField

from fabric_twin.models import Cube, Pod, Slice, Switch


def pods(**options: Any) -> DynamicModelMultipleChoiceField:
    """Any number of pods, for a filter."""
    return _many(Pod, to_field_name="name", label="Pod", **options)


def cubes(**options: Any) -> DynamicModelMultipleChoiceField:
    """Any number of cubes of the pods that are chosen."""
    return _many(Cube, label="Cube", query_params={"pod": "$pod"}, **options)


def switches(**options: Any) -> DynamicModelMultipleChoiceField:
    """Any number of switches of the pods that are chosen."""
    return _many(Switch, label="Switch", query_params={"pod": "$pod"}, **options)


def slices(**options: Any) -> DynamicModelMultipleChoiceField:
    """Any number of slices of the pods that are chosen."""
    return _many(Slice, label="Slice", query_params={"pod": "$pod"}, **options)


def pod(**options: Any) -> DynamicModelChoiceField:
    """One pod."""
    return DynamicModelChoiceField(queryset=Pod.objects.all(), **options)


def _many(model: Any, **options: Any) -> DynamicModelMultipleChoiceField:
    return DynamicModelMultipleChoiceField(queryset=model.objects.all(), required=False, **options)
