"""Forms of findings."""

from django import forms
from nautobot.apps.forms import (
    BootstrapMixin,
    DateTimePicker,
    DynamicModelMultipleChoiceField,
    NautobotFilterForm,
    StaticSelect2,
    StaticSelect2Multiple,
    TagFilterField,
)
from nautobot.core.forms.constants import BOOLEAN_WITH_BLANK_CHOICES
from nautobot.dcim.models import Device, Rack

from fabric_twin.forms import choosers
from fabric_twin.models import Finding
from fabric_twin.models.finding import FindingStateChoices, SeverityChoices


class AcknowledgeForm(BootstrapMixin, forms.Form):
    """What comes of a finding, in the words of a user who knows."""

    why = forms.CharField(
        required=False,  # a browser asks for it, and the operation refuses who gives none
        label="Why",
        widget=forms.TextInput(attrs={"required": True, "maxlength": 255}),
        help_text="What will be done, or why nothing needs to be",
    )


class FindingFilterForm(NautobotFilterForm):
    """Which findings to list."""

    model = Finding
    field_order = (
        "q",
        "is_there",
        "pod",
        "severity",
        "state",
        "code",
        "switch",
        "rack",
        "device",
        "slice",
        "silenced",
        "opened__gte",
        "opened__lte",
    )
    q = forms.CharField(required=False, label="Search")
    is_there = forms.NullBooleanField(
        required=False,
        label="Is not mended",
        widget=StaticSelect2(choices=BOOLEAN_WITH_BLANK_CHOICES),
    )
    pod = choosers.pods()
    severity = forms.MultipleChoiceField(
        choices=SeverityChoices, required=False, widget=StaticSelect2Multiple
    )
    state = forms.MultipleChoiceField(
        choices=FindingStateChoices, required=False, widget=StaticSelect2Multiple
    )
    code = forms.CharField(label="Code", required=False, help_text="Such as swapped")
    switch = choosers.switches()
    rack = DynamicModelMultipleChoiceField(queryset=Rack.objects.all(), required=False)
    device = DynamicModelMultipleChoiceField(queryset=Device.objects.all(), required=False)
    slice = choosers.slices()
    silenced = forms.NullBooleanField(
        required=False, widget=StaticSelect2(choices=BOOLEAN_WITH_BLANK_CHOICES)
    )
    opened__gte = forms.DateTimeField(required=False, label="Opened after", widget=DateTimePicker())
    opened__lte = forms.DateTimeField(
        required=False, label="Opened before", widget=DateTimePicker()
    )
    tags = TagFilterField(Finding)
