"""Forms of cubes."""

from django import forms
from nautobot.apps.forms import (
    DynamicModelChoiceField,
    NautobotBulkEditForm,
    NautobotModelForm,
    StatusModelBulkEditFormMixin,
    StatusModelFilterFormMixin,
    TagFilterField,
    TagsBulkEditFormMixin,
)
from nautobot.dcim.models import Rack

from fabric_twin.forms import choosers
from fabric_twin.forms.seen import SeenFilterForm
from fabric_twin.models import Cube


class CubeForm(NautobotModelForm):
    """Which rack stands in a slot."""

    pod = choosers.pod_of_cubes()
    rack = DynamicModelChoiceField(queryset=Rack.objects.all())

    class Meta:
        model = Cube
        fields = ("pod", "slot", "rack", "status", "address", "target", "tags")


class CubeBulkEditForm(StatusModelBulkEditFormMixin, TagsBulkEditFormMixin, NautobotBulkEditForm):
    """What several cubes can be given at once: drain or take out a row of racks."""

    pk = forms.ModelMultipleChoiceField(Cube.objects.all(), widget=forms.MultipleHiddenInput)
    address = forms.CharField(
        label="Address", max_length=255, required=False, help_text="One that several devices share"
    )

    class Meta:
        nullable_fields = ("address",)


class CubeFilterForm(StatusModelFilterFormMixin, SeenFilterForm):
    """Which cubes to list."""

    model = Cube
    field_order = ("q", "pod", "slots", "rack", "slice", "status")
    q = forms.CharField(required=False, label="Search")
    pod = choosers.pods()
    slots = forms.CharField(required=False, label="Slots", help_text="Such as 1-4,7")
    rack = choosers.racks()
    slice = choosers.slices()
    tags = TagFilterField(Cube)
