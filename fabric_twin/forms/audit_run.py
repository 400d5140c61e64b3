"""Forms of runs."""

from django import forms
from nautobot.apps.forms import NautobotFilterForm, StaticSelect2Multiple, TagFilterField

from fabric_twin.forms import choosers
from fabric_twin.models import AuditRun
from fabric_twin.models.audit_run import GateChoices, RunStateChoices, ScopeChoices


class AuditRunFilterForm(NautobotFilterForm):
    """Which runs to list."""

    model = AuditRun
    field_order = ("q", "pod", "scope", "state", "gate")
    q = forms.CharField(required=False, label="Search")
    pod = choosers.pods()
    scope = forms.MultipleChoiceField(
        choices=ScopeChoices, required=False, widget=StaticSelect2Multiple
    )
    state = forms.MultipleChoiceField(
        choices=RunStateChoices, required=False, widget=StaticSelect2Multiple
    )
    gate = forms.MultipleChoiceField(
        choices=GateChoices, required=False, widget=StaticSelect2Multiple
    )
    tags = TagFilterField(AuditRun)
