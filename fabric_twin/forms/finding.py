"""Forms of findings."""

from typing import Any, cast

from django import forms
from nautobot.apps.forms import (
    BootstrapMixin,
    DynamicModelChoiceField,
    DynamicModelMultipleChoiceField,
    StaticSelect2Multiple,
    TagFilterField,
)
from nautobot.users.models import User

from fabric_twin.forms import choosers
from fabric_twin.forms.seen import SeenFilterForm
from fabric_twin.forms.zoned_picker import ZonedPicker
from fabric_twin.models import Finding
from fabric_twin.models.finding import FindingStateChoices, ImpactChoices, SeverityChoices
from fabric_twin.operations.audits.assign_findings import Change


class AcknowledgeForm(BootstrapMixin, forms.Form):
    """What comes of a finding, in the words of the user who acknowledges it."""

    why = forms.CharField(
        required=False,  # a browser asks for it, and the operation refuses who gives none
        label="Why",
        widget=forms.TextInput(attrs={"required": True, "maxlength": 255}),
        help_text="What will be done, or why nothing needs to be",
    )

    def facts(self) -> dict[str, Any]:
        """What is said."""
        return {"said": self.cleaned_data["why"]}


class ReopenForm(forms.Form):
    """Nothing is asked: only whether it is meant."""

    def facts(self) -> dict[str, Any]:
        """Nothing is said."""
        return {}


class AssignForm(BootstrapMixin, forms.Form):
    """Who sees to findings, and by when."""

    owner = DynamicModelChoiceField(
        queryset=User.objects.filter(is_active=True),
        required=False,
        help_text="Default: nobody",
    )
    due = forms.DateTimeField(
        required=False,
        widget=ZonedPicker(),
        help_text="By when it should be mended, in the time zone of your profile; "
        "left empty: no time",
    )

    def change(self) -> Change:
        """What is to be written."""
        return Change(owner=self.cleaned_data["owner"], due=self.cleaned_data["due"])


class BulkAssignForm(AssignForm):
    """The same for several findings: what is left empty stays as it is with each."""

    clear = forms.MultipleChoiceField(
        required=False,
        choices=(("owner", "Owner"), ("due", "Due")),
        widget=StaticSelect2Multiple,
        label="Clear",
        help_text="Cleared on all of them",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("owner", "due"):
            self.fields[name].help_text = "Unchanged if left empty"

    def change(self) -> Change:
        """What is filled in, and what is to be taken away."""
        data = self.cleaned_data
        filled = {name: data[name] for name in ("owner", "due") if data[name]}
        return cast("Change", dict.fromkeys(data["clear"]) | filled)

    def facts(self) -> dict[str, Any]:
        """What is given with the act."""
        return {"change": self.change()}


class FindingFilterForm(SeenFilterForm):
    """Which findings to list."""

    model = Finding
    field_order = (
        "q",
        "is_there",
        "pod",
        "impact",
        "severity",
        "state",
        "owner",
        "overdue",
        "code",
        "switch",
        "block",
        "rack",
        "device",
        "slice",
        "silenced",
        "seen",
        "opened__gte",
        "opened__lte",
    )
    q = forms.CharField(required=False, label="Search")
    is_there = choosers.yes_or_no("Is there")
    pod = choosers.pods()
    impact = choosers.some_of(ImpactChoices)
    severity = choosers.some_of(SeverityChoices)
    state = choosers.some_of(FindingStateChoices)
    owner = DynamicModelMultipleChoiceField(
        queryset=User.objects.all(), to_field_name="username", required=False
    )
    overdue = choosers.yes_or_no("Overdue")
    code = forms.CharField(label="Code", required=False, help_text="Such as swapped")
    switch = choosers.switches()
    block = choosers.blocks()
    rack = choosers.racks()
    device = choosers.devices()
    slice = choosers.slices()
    silenced = choosers.yes_or_no()
    seen = choosers.yes_or_no("Seen by the last audit")
    opened__gte = forms.DateTimeField(required=False, label="Opened after", widget=ZonedPicker())
    opened__lte = forms.DateTimeField(required=False, label="Opened before", widget=ZonedPicker())
    tags = TagFilterField(Finding)
