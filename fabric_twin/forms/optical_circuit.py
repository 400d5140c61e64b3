"""Forms of circuits."""

from typing import Any

from django import forms
from nautobot.apps.forms import (
    BulkEditNullBooleanSelect,
    DynamicModelChoiceField,
    NautobotBulkEditForm,
    NautobotModelForm,
    TagFilterField,
    TagsBulkEditFormMixin,
)

from fabric_twin.forms import choosers
from fabric_twin.forms.seen import SeenFilterForm
from fabric_twin.models import OpticalCircuit, Switch


class SidePortField(forms.IntegerField):
    """A port of one side of a switch, as SONiC names it; its number alone is enough."""

    widget = forms.TextInput

    def __init__(self, side: str) -> None:
        super().__init__(label=f"{side} port", min_value=1, help_text=f"Such as 7{side}")
        self._side = side

    def prepare_value(self, value: Any) -> Any:
        """Show it with its side."""
        return f"{value}{self._side}" if isinstance(value, int) else value

    def to_python(self, value: Any) -> int | None:
        """Read it with or without its side."""
        text = str(value).strip().upper().removesuffix(self._side) if value else value
        number: int | None = super().to_python(text)
        return number


class OpticalCircuitForm(NautobotModelForm):
    """One cross-connect of a switch; whose it is and whether it is seen is not said by hand."""

    switch = DynamicModelChoiceField(queryset=Switch.objects.all())
    a = SidePortField("A")
    b = SidePortField("B")

    class Meta:
        model = OpticalCircuit
        fields = ("switch", "a", "b", "wanted", "tags")


class OpticalCircuitBulkEditForm(TagsBulkEditFormMixin, NautobotBulkEditForm):
    """What several circuits can be given at once."""

    pk = forms.ModelMultipleChoiceField(
        OpticalCircuit.objects.all(), widget=forms.MultipleHiddenInput
    )
    wanted = forms.NullBooleanField(required=False, widget=BulkEditNullBooleanSelect)

    class Meta:
        nullable_fields = ()


class OpticalCircuitFilterForm(SeenFilterForm):
    """Which circuits to list."""

    model = OpticalCircuit
    field_order = ("q", "pod", "switch", "slice", "port", "wanted", "seen", "drift")
    q = forms.CharField(required=False, label="Search")
    pod = choosers.pods()
    switch = choosers.switches()
    slice = choosers.slices()
    port = forms.CharField(label="Port", required=False, help_text="Such as 7A")
    wanted = choosers.yes_or_no()
    seen = choosers.yes_or_no()
    drift = choosers.yes_or_no("Wanted and seen differ")
    tags = TagFilterField(OpticalCircuit)
