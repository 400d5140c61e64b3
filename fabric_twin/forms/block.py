"""Forms of blocks."""

from django import forms
from nautobot.apps.forms import (
    DynamicModelChoiceField,
    NautobotBulkEditForm,
    NautobotModelForm,
    StatusModelBulkEditFormMixin,
    StatusModelFilterFormMixin,
    TagFilterField,
    TagsBulkEditFormMixin,
)
from nautobot.dcim.models import Device

from fabric_twin.forms import choosers
from fabric_twin.forms.seen import SeenFilterForm
from fabric_twin.models import Block


class BlockForm(NautobotModelForm):
    """Which device is a block of a network, and its uplinks."""

    pod = choosers.network()
    device = DynamicModelChoiceField(queryset=Device.objects.all())
    serves = choosers.pod_of_cubes_or_none()

    class Meta:
        model = Block
        fields = (
            "pod",
            "name",
            "device",
            "first_port",
            "strands",
            "rate_gbps",
            "serves",
            "owner",
            "status",
            "address",
            "target",
            "description",
            "tags",
        )


class BlockBulkEditForm(StatusModelBulkEditFormMixin, TagsBulkEditFormMixin, NautobotBulkEditForm):
    """What several blocks can be given at once."""

    pk = forms.ModelMultipleChoiceField(Block.objects.all(), widget=forms.MultipleHiddenInput)
    rate_gbps = forms.FloatField(
        label="Rate in Gbit/s", min_value=0.001, required=False, help_text="What a strand carries"
    )
    owner = forms.CharField(label="Owner", max_length=64, required=False)
    address = forms.CharField(
        label="Address", max_length=255, required=False, help_text="One that several devices share"
    )

    class Meta:
        nullable_fields = ("owner", "address")


class BlockFilterForm(StatusModelFilterFormMixin, SeenFilterForm):
    """Which blocks to list."""

    model = Block
    field_order = ("q", "pod", "owner", "rack", "status")
    q = forms.CharField(required=False, label="Search")
    pod = choosers.pods()
    owner = forms.CharField(required=False, label="Owner")
    rack = choosers.racks()
    tags = TagFilterField(Block)
