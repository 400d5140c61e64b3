"""Forms of the tickets of a cluster: its jobs, and what goes out of service and comes back."""

from collections.abc import Mapping
from typing import Any

from django import forms
from nautobot.apps.forms import DynamicModelChoiceField, DynamicModelMultipleChoiceField
from nautobot.dcim.models import Rack

from fabric_twin.core.slots import format_slots
from fabric_twin.forms.ticket import WishForm
from fabric_twin.models import Cube, Slice, Switch
from fabric_twin.models.ticket import TicketKindChoices

_KIND = TicketKindChoices
_OF_POD = {"pod": "$pod"}


def _groups(help_text: str = "", **which: str) -> DynamicModelMultipleChoiceField:
    """Any number of groups; `which` are filters of those that are offered."""
    return DynamicModelMultipleChoiceField(
        queryset=Cube.objects.all(),
        label="Groups",
        required=False,
        query_params={**_OF_POD, **which},
        help_text=help_text,
    )


def _switches(**which: str) -> DynamicModelMultipleChoiceField:
    """Any number of switches."""
    return DynamicModelMultipleChoiceField(
        queryset=Switch.objects.all(), required=False, query_params={**_OF_POD, **which}
    )


class JobWishForm(WishForm):
    """A job: how large it is, and which rings it has."""

    kind = _KIND.SLICE
    asked = ("name", "processors", "sequence", "shape", "axes", "both_ways", "cubes")
    name = forms.CharField(help_text="What the job is called")
    processors = forms.IntegerField(
        required=False,
        min_value=1,
        help_text="Of a small job: it fits in a group, and shares it with other small jobs",
    )
    sequence = forms.IntegerField(
        required=False,
        min_value=1,
        help_text="Processors one after the other in one ring, such as 150",
    )
    shape = forms.CharField(
        required=False, help_text="Rows by columns of groups, each with its rings, such as 2x3"
    )
    axes = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="What rings are called and their planes, one a line: layer=row, layer=row-2, "
        "data=row-*-3 or pipeline=col-4-1. Default: row, and of a shape col too",
    )
    both_ways = forms.BooleanField(
        required=False, help_text="A ring each way, and not one way alone"
    )
    cubes = _groups("Exactly these; default: where least is left free beside it")

    def wish(self) -> dict[str, Any]:
        """Its size and its rings, and its groups where they are chosen."""
        data = self.cleaned_data
        axes = [line.strip() for line in data["axes"].splitlines() if line.strip()]
        groups = format_slots([group.slot for group in data["cubes"]])
        said = {key: data[key] for key in ("processors", "sequence", "shape") if data[key]}
        return (
            {"name": data["name"], **said}
            | ({"axes": axes} if axes else {})
            | ({"both_ways": True} if data["both_ways"] else {})
            | ({"slots": groups} if groups else {})
        )


class ReleaseJobForm(WishForm):
    """A job goes."""

    kind = _KIND.RELEASE
    asked = ("slice",)
    slice = DynamicModelChoiceField(queryset=Slice.objects.all(), label="Job", query_params=_OF_POD)

    def wish(self) -> dict[str, Any]:
        """Which one."""
        return {"slice": self.cleaned_data["slice"].name}


class DevicesOutForm(WishForm):
    """Jobs go on without groups, switches, or all that is in a rack."""

    kind = _KIND.MAINTENANCE
    asked = ("cubes", "switches", "racks", "interrupt")
    cubes = _groups()
    switches = _switches()
    racks = DynamicModelMultipleChoiceField(
        queryset=Rack.objects.all(),
        required=False,
        help_text="Every group and every switch in them",
    )
    interrupt = forms.BooleanField(
        required=False,
        label="Interrupt jobs that have nowhere to go",
        help_text="They stand still until what they lack is in service again",
    )

    def wish(self) -> dict[str, Any]:
        """Groups by slot, switches and racks by name."""
        racks = sorted(rack.name for rack in self.cleaned_data["racks"])
        return {**_devices(self), "racks": racks, "interrupt": self.cleaned_data["interrupt"]}


class DevicesBackForm(WishForm):
    """Groups and switches are in service again, and jobs get the rings that they lack."""

    kind = _KIND.RETURN
    asked = ("cubes", "switches")
    cubes = _groups("Those that are out", status="Out")
    switches = _switches(status="Maintenance")

    def wish(self) -> dict[str, Any]:
        """Groups by slot, switches by name."""
        return _devices(self)


class EntriesWishForm(WishForm):
    """Switches get the entries that jobs have and they lack, and lose those of nobody."""

    kind = _KIND.DRIFT


def _devices(form: WishForm) -> dict[str, Any]:
    data = form.cleaned_data
    return {
        "slots": sorted(group.slot for group in data["cubes"]),
        "switches": sorted(switch.device.name for switch in data["switches"]),
    }


OF_CLUSTERS: Mapping[str, type[WishForm]] = {
    form.kind: form
    for form in (JobWishForm, ReleaseJobForm, DevicesOutForm, DevicesBackForm, EntriesWishForm)
}
