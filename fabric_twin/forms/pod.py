"""Forms of pods."""

from typing import Any

from django import forms
from nautobot.apps.forms import (
    DynamicModelChoiceField,
    DynamicModelMultipleChoiceField,
    NautobotBulkEditForm,
    NautobotModelForm,
    StaticSelect2,
    StatusModelBulkEditFormMixin,
    StatusModelFilterFormMixin,
    TagFilterField,
    TagsBulkEditFormMixin,
    add_blank_choice,
)
from nautobot.dcim.models import Location
from nautobot.extras.models import JobQueue

from fabric_twin.core.designs import design_names, find_design
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.kinds import Verb, why_not
from fabric_twin.core.slices.bearing_cubes import MOST_BORNE
from fabric_twin.forms import choosers
from fabric_twin.forms.seen import SeenFilterForm
from fabric_twin.models import Pod


def designs() -> list[tuple[str, str]]:
    """The designs that a pod can be recorded by, to choose from."""
    return [(name, name) for name in design_names() if _is_recorded(name)]


def _is_recorded(name: str) -> bool:
    """Whether there are records for a design of its kind; one that is broken says so when used."""
    try:
        return why_not(find_design(name).kind, Verb.RECORD) is None
    except FabricTwinError:
        return True


class PodForm(NautobotModelForm):
    """A pod without anything in it; the job Load Pod fills it."""

    design = forms.ChoiceField(
        choices=lambda: add_blank_choice(designs()),
        widget=StaticSelect2,
        help_text="The wiring rule that the pod follows",
    )
    location = DynamicModelChoiceField(queryset=Location.objects.all())
    queue = DynamicModelChoiceField(
        queryset=JobQueue.objects.all(),
        required=False,
        query_params={"queue_type": "celery"},
        help_text=Pod._meta.get_field("queue").help_text,
    )

    class Meta:
        model = Pod
        fields = (
            "name",
            "design",
            "location",
            "status",
            "description",
            "serials_follow",
            "bear",
            "kept_back",
            "queue",
            "tags",
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["kept_back"].required = False
        now, chooser = self.instance.design, self.fields["design"]
        if now and now not in design_names():  # a pod whose design is gone is still worked on
            chooser.choices = [*chooser.choices, (now, now)]  # type: ignore[attr-defined]
        if self.instance.present_in_database:
            if self.instance.is_cluster or not self.instance.has_circuits:
                del self.fields["bear"]
            if not self.instance.is_cluster:
                del self.fields["kept_back"]

    def clean_kept_back(self) -> float:
        """Nothing is kept back where nobody says how much."""
        return self.cleaned_data["kept_back"] or 0.0


class PodBulkEditForm(StatusModelBulkEditFormMixin, TagsBulkEditFormMixin, NautobotBulkEditForm):
    """What several pods can be given at once."""

    pk = forms.ModelMultipleChoiceField(Pod.objects.all(), widget=forms.MultipleHiddenInput)
    location = DynamicModelChoiceField(queryset=Location.objects.all(), required=False)
    description = forms.CharField(label="Description", max_length=255, required=False)
    bear = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=MOST_BORNE,
        label="Switches that a slice may lack",
    )
    queue = DynamicModelChoiceField(queryset=JobQueue.objects.all(), required=False)

    class Meta:
        nullable_fields = ("description", "queue")


class PodFilterForm(StatusModelFilterFormMixin, SeenFilterForm):
    """Which pods to list."""

    model = Pod
    field_order = ("q", "design", "location", "status")
    q = forms.CharField(required=False, label="Search")
    design = choosers.some_of(designs)
    location = DynamicModelMultipleChoiceField(
        queryset=Location.objects.all(), to_field_name="name", required=False
    )
    tags = TagFilterField(Pod)
