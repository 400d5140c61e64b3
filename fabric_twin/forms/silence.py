"""Forms of silences."""

from typing import Any

from django import forms
from nautobot.apps.forms import (
    BootstrapMixin,
    DynamicModelChoiceField,
    NautobotBulkEditForm,
    NautobotModelForm,
    TagFilterField,
    TagsBulkEditFormMixin,
)
from nautobot.dcim.models import Cable, Device
from nautobot.extras.models import Tag

from fabric_twin.forms import choosers
from fabric_twin.forms.seen import SeenFilterForm
from fabric_twin.forms.zoned_picker import ZonedPicker
from fabric_twin.models import Finding, Silence


class SilenceForm(NautobotModelForm):
    """A rule; what is left empty fits everything of the pod."""

    pod = choosers.pod()
    finding = DynamicModelChoiceField(
        queryset=Finding.objects.all(), required=False, query_params={"pod": "$pod"}
    )
    device = DynamicModelChoiceField(queryset=Device.objects.all(), required=False)
    cable = DynamicModelChoiceField(queryset=Cable.objects.all(), required=False)
    tag = DynamicModelChoiceField(
        queryset=Tag.objects.all(), required=False, label="Findings on anything with this tag"
    )
    until = forms.DateTimeField(widget=ZonedPicker())

    class Meta:
        model = Silence
        fields = ("pod", "finding", "code", "device", "cable", "tag", "until", "reason", "tags")


class SilenceBulkEditForm(TagsBulkEditFormMixin, NautobotBulkEditForm):
    """What several rules can be given at once."""

    pk = forms.ModelMultipleChoiceField(Silence.objects.all(), widget=forms.MultipleHiddenInput)
    until = forms.DateTimeField(required=False, widget=ZonedPicker())
    reason = forms.CharField(label="Reason", max_length=255, required=False)

    class Meta:
        nullable_fields = ()


class SilenceFindingsForm(BootstrapMixin, forms.Form):
    """How long findings that were chosen are silenced, and why."""

    until = forms.DateTimeField(
        widget=ZonedPicker(), help_text="They raise alarms again from then on"
    )
    reason = forms.CharField(
        label="Reason",
        required=False,  # a browser asks for it, and the operation refuses who gives none
        widget=forms.TextInput(attrs={"required": True, "maxlength": 255}),
    )

    def facts(self) -> dict[str, Any]:
        """What is given with the act."""
        return {"until": self.cleaned_data["until"], "said": self.cleaned_data["reason"]}


class SilenceFilterForm(SeenFilterForm):
    """Which rules to list."""

    model = Silence
    field_order = ("q", "pod", "code", "holds")
    q = forms.CharField(required=False, label="Search")
    pod = choosers.pods()
    code = forms.CharField(label="Code", required=False)
    holds = choosers.yes_or_no("Has not ended")
    tags = TagFilterField(Silence)
