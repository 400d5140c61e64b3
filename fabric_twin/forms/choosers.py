"""Fields that choose: records by name, some of a few words, or yes or no."""

from typing import Any

from django import forms
from nautobot.apps.forms import (
    DynamicModelChoiceField,
    DynamicModelMultipleChoiceField,
    StaticSelect2,
    StaticSelect2Multiple,
)
from nautobot.core.forms.constants import BOOLEAN_WITH_BLANK_CHOICES
from nautobot.dcim.models import Device, Rack

from fabric_twin.core.slices.bearing_cubes import MOST_BORNE
from fabric_twin.models import Block, Cube, Pod, Slice, Switch


def pods(label: str = "Pod") -> DynamicModelMultipleChoiceField:
    """Any number of pods, for a filter."""
    return _many(Pod, to_field_name="name", label=label)


def cubes() -> DynamicModelMultipleChoiceField:
    """Any number of cubes of the pods that are chosen."""
    return _many(Cube, label="Cube", query_params={"pod": "$pod"})


def blocks() -> DynamicModelMultipleChoiceField:
    """Any number of blocks of the networks that are chosen."""
    return _many(Block, label="Block", query_params={"pod": "$pod"})


def switches() -> DynamicModelMultipleChoiceField:
    """Any number of switches of the pods that are chosen."""
    return _many(Switch, label="Switch", query_params={"pod": "$pod"})


def slices() -> DynamicModelMultipleChoiceField:
    """Any number of slices of the pods that are chosen."""
    return _many(Slice, label="Slice", query_params={"pod": "$pod"})


def racks() -> DynamicModelMultipleChoiceField:
    """Any number of racks."""
    return _many(Rack)


def devices() -> DynamicModelMultipleChoiceField:
    """Any number of devices."""
    return _many(Device)


def pod(**which: str) -> DynamicModelChoiceField:
    """One pod or network; `which` are filters of those that are offered."""
    return DynamicModelChoiceField(queryset=Pod.objects.all(), query_params=which)


def pod_of_cubes() -> DynamicModelChoiceField:
    """One pod that is no network."""
    return pod(is_network="false")


def pod_of_cubes_or_none() -> DynamicModelChoiceField:
    """One pod that is no network, if any."""
    return DynamicModelChoiceField(
        queryset=Pod.objects.all(), required=False, query_params={"is_network": "false"}
    )


def network() -> DynamicModelChoiceField:
    """One network of blocks."""
    return DynamicModelChoiceField(
        queryset=Pod.objects.all(), label="Network", query_params={"is_network": "true"}
    )


def bear() -> forms.IntegerField:
    """How many switches a slice may lack."""
    return forms.IntegerField(
        label="Bear",
        required=False,
        min_value=0,
        max_value=MOST_BORNE,
        help_text="How many switches a join of two cubes may lack; default: none",
    )


def some_of(choices: Any) -> forms.MultipleChoiceField:
    """Any number of a few words, for a filter."""
    return forms.MultipleChoiceField(choices=choices, required=False, widget=StaticSelect2Multiple)


def yes_or_no(label: str | None = None) -> forms.NullBooleanField:
    """Yes, no, or either, for a filter."""
    widget = StaticSelect2(choices=BOOLEAN_WITH_BLANK_CHOICES)
    return forms.NullBooleanField(required=False, label=label, widget=widget)


def interrupt(help_text: str) -> forms.BooleanField:
    """Whether slices that cannot move lose their circuits: of a maintenance, or of an order."""
    return forms.BooleanField(
        required=False, label="Interrupt slices that cannot move", help_text=help_text
    )


def let_bear(help_text: str) -> forms.BooleanField:
    """Whether slices stay and do without a few switches: of a maintenance, or of an order."""
    return forms.BooleanField(
        required=False, label="Let slices bear it and be slower", help_text=help_text
    )


def chosen_pod(form: Any) -> Pod | None:
    """The pod that a form is about, once it is known."""
    key = form.data.get("pod") if form.is_bound else form.initial.get("pod")
    try:
        pod: Pod | None = form.fields["pod"].clean(key)
    except forms.ValidationError:
        return None
    return pod


def tell_bear(form: Any, pod: Pod) -> None:
    """Say how many switches a slice of a pod may lack."""
    bear = f"{pod.bear} switch{'es' * (pod.bear != 1)}"
    form.fields["bear"].help_text += f". A join of two cubes may lack {bear} in this pod"


def _many(model: Any, **options: Any) -> DynamicModelMultipleChoiceField:
    return DynamicModelMultipleChoiceField(queryset=model.objects.all(), required=False, **options)
