"""Filters of circuits."""

from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.db.models import F, Q, QuerySet
from nautobot.apps.filters import (
    BooleanFilter,
    MultipleChoiceFilter,
    MultiValueCharFilter,
    RelatedMembershipBooleanFilter,
    SearchFilter,
    multivalue_field_factory,
)

from fabric_twin.filters import related
from fabric_twin.filters.known_values import RecordFilterSet
from fabric_twin.models import OpticalCircuit
from fabric_twin.models.switch import AxisChoices


class SwitchPortField(forms.CharField):
    """A port of a switch as SONiC names it."""

    default_validators = [RegexValidator(r"\A[1-9][0-9]{0,3}[AB]\Z", "Write a port such as 7A.")]


class SwitchPortFilter(MultiValueCharFilter):
    """Ports of switches, each such as 7A."""

    field_class = multivalue_field_factory(SwitchPortField)


class OpticalCircuitFilterSet(RecordFilterSet):
    """By switch, port and slice, and by what is wanted, what is seen, and where the two differ."""

    q = SearchFilter(
        filter_predicates={"switch__device__name": "icontains", "slice__name": "icontains"}
    )
    pod = related.pods("switch__pod")
    switch = related.switches()
    device = related.devices("switch__device")
    axis = MultipleChoiceFilter(field_name="switch__axis", choices=AxisChoices, label="Axis")
    index = MultiValueCharFilter(field_name="switch__index", label="Index, such as 3-2")
    port = SwitchPortFilter(method="on_port", label="Port, such as 7A")
    slice = related.slices()
    has_slice = RelatedMembershipBooleanFilter(field_name="slice", label="Is of a slice")
    drift = BooleanFilter(method="that_drift", label="Wanted and not seen, or seen and not wanted")

    class Meta:
        model = OpticalCircuit
        fields = ["id", "switch", "a", "b", "slice", "wanted", "seen", "tags"]

    def on_port(self, queryset: QuerySet[Any], _name: str, ports: list[str]) -> Any:
        """Circuits that are on one of the ports."""
        on = Q()
        for port in ports:
            on |= Q(**{port[-1].lower(): int(port[:-1])})
        return queryset.filter(on)

    def that_drift(self, queryset: QuerySet[Any], _name: str, drift: bool) -> Any:
        """Circuits on which the inventory and the switch differ, or those on which they agree."""
        return queryset.exclude(wanted=F("seen")) if drift else queryset.filter(wanted=F("seen"))
