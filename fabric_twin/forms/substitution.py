"""Forms of substitutions."""

from django import forms
from nautobot.apps.forms import (
    DynamicModelChoiceField,
    NautobotBulkEditForm,
    NautobotModelForm,
    TagFilterField,
    TagsBulkEditFormMixin,
)

from fabric_twin.forms import choosers
from fabric_twin.forms.seen import SeenFilterForm
from fabric_twin.models import Port, Substitution, Switch


class SubstitutionForm(NautobotModelForm):
    """A spare in place of a port; the switch is asked for to find both."""

    switch = DynamicModelChoiceField(queryset=Switch.objects.all(), required=False)
    port = DynamicModelChoiceField(
        queryset=Port.objects.all(), label="In place of", query_params={"switch": "$switch"}
    )
    spare = DynamicModelChoiceField(queryset=Port.objects.all(), query_params={"switch": "$switch"})

    class Meta:
        model = Substitution
        fields = ("switch", "port", "spare", "reason", "tags")


class SubstitutionBulkEditForm(TagsBulkEditFormMixin, NautobotBulkEditForm):
    """What several substitutions can be given at once."""

    pk = forms.ModelMultipleChoiceField(
        Substitution.objects.all(), widget=forms.MultipleHiddenInput
    )
    reason = forms.CharField(label="Reason", max_length=255, required=False)

    class Meta:
        nullable_fields = ("reason",)


class SubstitutionFilterForm(SeenFilterForm):
    """Which substitutions to list."""

    model = Substitution
    field_order = ("q", "pod", "switch")
    q = forms.CharField(required=False, label="Search")
    pod = choosers.pods()
    switch = choosers.switches()
    tags = TagFilterField(Substitution)
