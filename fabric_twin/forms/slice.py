"""Forms of slices."""

from collections.abc import Callable
from typing import Any

from django import forms
from nautobot.apps.forms import (
    ConfirmationForm,
    DynamicModelChoiceField,
    NautobotBulkEditForm,
    NautobotModelForm,
    StatusModelBulkEditFormMixin,
    StatusModelFilterFormMixin,
    TagFilterField,
    TagsBulkEditFormMixin,
)
from nautobot.extras.models import Status

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.kinds import Verb, why_not
from fabric_twin.core.slices.shapes import parse_shape
from fabric_twin.core.slices.slice import LONGEST_NAME
from fabric_twin.core.slots import parse_slots
from fabric_twin.forms import choosers
from fabric_twin.forms.seen import SeenFilterForm, SeenMixin
from fabric_twin.models import Slice
from fabric_twin.operations.slices.make import Wish
from fabric_twin.operations.slices.release import drop_circuits


class SliceForm(NautobotModelForm):
    """What may be said of a slice that stands; where it stands is chosen when it is made."""

    class Meta:
        model = Slice
        fields = ("status", "description", "tags")


class MakeSliceForm(SeenMixin, NautobotModelForm):
    """A wish for a slice; where it stands is chosen, unless slots are named."""

    pod = choosers.pod_of_cubes()
    name = forms.CharField(
        label="Name",
        required=False,
        max_length=LONGEST_NAME,
        help_text="Default: the shape and a number",
    )
    shape = forms.CharField(
        label="Shape", help_text="Chips along each axis, such as 8x8x16 or 2x2x1"
    )
    status = DynamicModelChoiceField(
        queryset=Status.objects.all(),
        required=False,
        query_params={"content_types": "fabric_twin.slice"},
        help_text="Default: Active",
    )
    slots = forms.CharField(
        label="Slots",
        required=False,
        help_text="Only these may be used, such as 1-4,7; default: any",
    )

    bear = choosers.bear()
    anywhere = forms.BooleanField(
        label="Begin anywhere",
        required=False,
        help_text="In a static pod: at any cube, not only at multiples of the slice's sides",
    )

    class Meta:
        model = Slice
        fields = ("pod", "name", "shape", "twisted", "status", "description", "tags")

    field_order = (
        "pod",
        "name",
        "shape",
        "twisted",
        "slots",
        "bear",
        "anywhere",
        "status",
        "description",
        "tags",
    )

    def clean(self) -> dict[str, Any]:
        """Read the shape and the slots as the pod's design has them."""
        super().clean()
        data = self.cleaned_data
        if (pod := data.get("pod")) and (no := why_not(pod.kind, Verb.SLICE)):
            self.add_error("pod", f"{no.why[:1].upper()}{no.why[1:]}. {no.remedy}.")
        elif pod and pod.present_in_database:
            design = pod.design_to_check_by()
            self._read("shape", lambda text: parse_shape(text, design, twisted=data["twisted"]))
            self._read("slots", lambda text: parse_slots(text, design.slots))
        return data

    def _read(self, field: str, read: Callable[[str], Any]) -> None:
        try:
            if text := self.cleaned_data.get(field):
                read(text)
        except FabricTwinError as refusal:
            self.add_error(field, str(refusal))

    def wish(self) -> Wish:
        """What is asked for."""
        data = self.cleaned_data
        slots = parse_slots(data["slots"], data["pod"].to_core().slots) if data["slots"] else None
        return Wish(
            shape=data["shape"],
            twisted=data["twisted"],
            name=data["name"] or None,
            slots=slots,
            bear=data["bear"] or 0,
            anywhere=data["anywhere"],
            description=data["description"],
            status=data["status"],
        )

    def _post_clean(self) -> None:
        """Leave the record to the making: a wish without a name is none that could be checked."""


class SliceBulkEditForm(StatusModelBulkEditFormMixin, TagsBulkEditFormMixin, NautobotBulkEditForm):
    """What several slices can be given at once."""

    pk = forms.ModelMultipleChoiceField(Slice.objects.all(), widget=forms.MultipleHiddenInput)
    description = forms.CharField(label="Description", max_length=255, required=False)

    class Meta:
        nullable_fields = ("description",)


class SliceFilterForm(StatusModelFilterFormMixin, SeenFilterForm):
    """Which slices to list."""

    model = Slice
    field_order = ("q", "pod", "shape", "slots", "status")
    q = forms.CharField(required=False, label="Search")
    pod = choosers.pods()
    shape = forms.CharField(label="Shape", required=False, help_text="Such as 8x8x16")
    slots = forms.CharField(required=False, label="Slots", help_text="Such as 1-4,7")
    tags = TagFilterField(Slice)


class SliceBulkDeleteForm(ConfirmationForm):
    """Nautobot's bulk deletion: a slice's circuits are released before it is deleted."""

    def __init__(self, *args: Any, delete_all: bool = False, **kwargs: Any) -> None:  # noqa: ARG002
        super().__init__(*args, **kwargs)

    def perform_pre_delete(self, slices: Any) -> None:
        """Release them, as the page of each would."""
        drop_circuits(list(slices))
