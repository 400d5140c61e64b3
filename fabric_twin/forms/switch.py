"""Forms of switches."""

from typing import Any

from django import forms
from nautobot.apps.forms import (
    DynamicModelChoiceField,
    NautobotBulkEditForm,
    NautobotModelForm,
    StaticSelect2,
    StatusModelBulkEditFormMixin,
    StatusModelFilterFormMixin,
    TagFilterField,
    TagsBulkEditFormMixin,
    add_blank_choice,
)
from nautobot.dcim.models import Device

from fabric_twin.forms import choosers
from fabric_twin.forms.seen import SeenFilterForm
from fabric_twin.models import Switch
from fabric_twin.models.switch import AxisChoices, DialectChoices

#: What only a packet switch of a cluster has.
OF_CLUSTERS = ("flow_address", "datapath")


class SwitchForm(NautobotModelForm):
    """Which device is a switch of a pod, and how it is reached."""

    pod = choosers.pod()
    device = DynamicModelChoiceField(queryset=Device.objects.all())

    class Meta:
        model = Switch
        fields = (
            "pod",
            "number",
            "device",
            "status",
            "address",
            "target",
            "dialect",
            *OF_CLUSTERS,
            "tags",
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        pod = choosers.chosen_pod(self)
        if pod and not pod.is_cluster:
            for name in OF_CLUSTERS:
                del self.fields[name]


class SwitchBulkEditForm(StatusModelBulkEditFormMixin, TagsBulkEditFormMixin, NautobotBulkEditForm):
    """What several switches can be given at once."""

    pk = forms.ModelMultipleChoiceField(Switch.objects.all(), widget=forms.MultipleHiddenInput)
    address = forms.CharField(
        label="Address", max_length=255, required=False, help_text="One that several devices share"
    )
    dialect = forms.ChoiceField(
        choices=add_blank_choice(DialectChoices), required=False, widget=StaticSelect2
    )

    class Meta:
        nullable_fields = ("address",)


class SwitchFilterForm(StatusModelFilterFormMixin, SeenFilterForm):
    """Which switches to list."""

    model = Switch
    field_order = ("q", "pod", "axis", "index", "rack", "status")
    q = forms.CharField(required=False, label="Search")
    pod = choosers.pods()
    axis = choosers.some_of(AxisChoices)
    index = forms.CharField(label="Index", required=False, help_text="Such as 3-2")
    rack = choosers.racks()
    tags = TagFilterField(Switch)
