"""Forms of slices."""

from django import forms
from nautobot.apps.forms import (
    NautobotBulkEditForm,
    NautobotFilterForm,
    NautobotModelForm,
    StatusModelBulkEditFormMixin,
    StatusModelFilterFormMixin,
    TagFilterField,
    TagsBulkEditFormMixin,
)

from fabric_twin.forms import choosers
from fabric_twin.models import Slice


class SliceForm(NautobotModelForm):
    """What may be said of a slice that stands; where it stands is chosen when it is made."""

    class Meta:
        model = Slice
        fields = ("status", "description", "tags")


class SliceBulkEditForm(
    StatusModelBulkEditFormMixin, TagsBulkEditFormMixin, NautobotBulkEditForm
):
    """What several slices can be given at once."""

    pk = forms.ModelMultipleChoiceField(Slice.objects.all(), widget=forms.MultipleHiddenInput)
    description = forms.CharField(max_length=255, required=False)

    class Meta:
        nullable_fields = ("description",)


class SliceFilterForm(StatusModelFilterFormMixin, NautobotFilterForm):
    """Which slices to list."""

    model = Slice
    field_order = ("q", "pod", "shape", "slots", "status")
    q = forms.CharField(required=False, label="Search")
    pod = choosers.pods()
    shape = forms.CharField(required=False, help_text="Such as 8x8x16")
    slots = forms.CharField(required=False, label="Slots", help_text="Such as 1-4,7")
    tags = TagFilterField(Slice)
