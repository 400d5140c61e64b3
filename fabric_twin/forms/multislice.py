"""Forms of multislices."""

from typing import Any, ClassVar

from django import forms
from nautobot.apps.forms import (
    DynamicModelMultipleChoiceField,
    NautobotModelForm,
    TagFilterField,
)

from fabric_twin.core.topology.network import AT_ONCE, MOST_SWITCHES
from fabric_twin.forms import choosers
from fabric_twin.forms.seen import SeenFilterForm, SeenMixin
from fabric_twin.models import Multislice, Pod
from fabric_twin.operations.superpods.ask import MultisliceWish


class MultisliceForm(NautobotModelForm):
    """What may be said of a multislice; where it stands is chosen when it is asked for."""

    class Meta:
        model = Multislice
        fields = ("owner", "description", "tags")


class MakeMultisliceForm(SeenMixin, NautobotModelForm):
    """A wish for a job over several pods."""

    pod = choosers.network()
    pods = DynamicModelMultipleChoiceField(
        queryset=Pod.objects.all(),
        query_params={"is_network": "false"},
        help_text="Two or more, each with blocks of the network that serve it",
    )
    at_once = forms.IntegerField(
        label="Switches at once",
        min_value=1,
        max_value=MOST_SWITCHES,
        initial=AT_ONCE,
        help_text="Changed together while its rings are made",
    )

    class Meta:
        model = Multislice
        fields = (
            "pod",
            "pods",
            "name",
            "shape",
            "owner",
            "least",
            "gigabytes",
            "at_once",
            "description",
            "tags",
        )
        labels: ClassVar = {"least": "Least links"}

    def wish(self) -> MultisliceWish:
        """What is asked for."""
        data: dict[str, Any] = self.cleaned_data
        return MultisliceWish(
            name=data["name"],
            shape=data["shape"],
            pods=tuple(data["pods"]),
            owner=data["owner"],
            least=data["least"],
            gigabytes=data["gigabytes"],
            at_once=data["at_once"],
            description=data["description"],
            custom_fields=dict(self.instance.cf),
            tags=tuple(data["tags"]),
        )

    def _post_clean(self) -> None:
        """Leave the record to the asking, which checks all of it."""


class MultisliceFilterForm(SeenFilterForm):
    """Which multislices to list."""

    model = Multislice
    field_order = ("q", "pod", "over", "owner")
    q = forms.CharField(required=False, label="Search")
    pod = choosers.pods("Network")
    over = choosers.pods("Over pod")
    owner = forms.CharField(required=False, label="Owner")
    tags = TagFilterField(Multislice)
