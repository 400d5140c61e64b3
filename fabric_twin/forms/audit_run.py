"""Forms of runs."""

from django import forms
from nautobot.apps.forms import TagFilterField

from fabric_twin.forms import choosers
from fabric_twin.forms.seen import SeenFilterForm
from fabric_twin.models import AuditRun
from fabric_twin.models.audit_run import GateChoices, RunStateChoices, ScopeChoices


class AuditRunFilterForm(SeenFilterForm):
    """Which runs to list."""

    model = AuditRun
    field_order = ("q", "pod", "scope", "state", "gate")
    q = forms.CharField(required=False, label="Search")
    pod = choosers.pods()
    scope = choosers.some_of(ScopeChoices)
    state = choosers.some_of(RunStateChoices)
    gate = choosers.some_of(GateChoices)
    tags = TagFilterField(AuditRun)
