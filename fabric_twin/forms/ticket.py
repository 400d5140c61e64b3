"""Forms of tickets: what is wished for, and on which terms."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict
from nautobot.apps.forms import (
    DynamicModelChoiceField,
    DynamicModelMultipleChoiceField,
    StaticSelect2,
    TagFilterField,
)
from nautobot.dcim.models import Rack
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.proposals.wishes import TOPOLOGIES
from fabric_twin.core.topology.network import AT_ONCE
from fabric_twin.forms import choosers
from fabric_twin.forms.seen import SeenFilterForm, SeenMixin
from fabric_twin.forms.terms import TermsForm
from fabric_twin.inventory.circuits import read_circuits
from fabric_twin.models import Cube, Demand, Slice, Switch, Ticket
from fabric_twin.models.ticket import (
    OnFailureChoices,
    RiskChoices,
    TicketKindChoices,
    TicketStateChoices,
)

_KIND = TicketKindChoices
_OF_POD = {"pod": "$pod"}
_A_BOARD = "A switch and the number of its board, from 0: {} 3, one a line"


class WishForm(SeenMixin, TermsForm):
    """A wish in a pod; each kind says what more is asked."""

    kind = ""
    pod = choosers.pod_of_cubes()
    #: Fields of the wish, shown between the pod and the terms.
    asked: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields(("pod", *self.asked))
        title, on_failure = self.fields["title"], self.fields["on_failure"]
        assert isinstance(on_failure, forms.ChoiceField)  # noqa: S101 - declared above
        for field in (title, on_failure):
            field.required = False
            field.widget.attrs.pop("required", None)  # Nautobot's mixin told the browser before
        title.help_text = "Default: what it does, in words"
        on_failure.choices = [("", "The safest for this kind of ticket"), *OnFailureChoices.CHOICES]

    @classmethod
    def initial_of(cls, asked: QueryDict) -> dict[str, Any]:
        """What an address names already: several of what takes several."""
        many = [
            name
            for name, field in cls.base_fields.items()
            if isinstance(field, forms.ModelMultipleChoiceField)
        ]
        return asked.dict() | {name: asked.getlist(name) for name in many if name in asked}

    def clean(self) -> dict[str, Any]:
        """What is named stands in the pod: slots and names are counted in each of them anew."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if pod := data.get("pod"):
            for name in self.asked:
                chosen = data.get(name)
                rows = chosen if isinstance(chosen, QuerySet) else [chosen]
                if any(getattr(row, "pod_id", pod.pk) != pod.pk for row in rows):
                    self.add_error(name, f"Choose what is of the pod {pod.name}.")
        return data

    def wish(self) -> dict[str, Any]:
        """The wish, as `core/proposals/wishes.py` has it; by default no more than its kind."""
        return {}


class SliceWishForm(WishForm):
    """Create a slice."""

    kind = _KIND.SLICE
    asked = ("shape", "twisted", "name", "slots", "bear")
    shape = forms.CharField(help_text="Chips along each axis, such as 8x8x16 or 2x2x1")
    twisted = forms.BooleanField(required=False)
    name = forms.CharField(required=False, help_text="Default: the shape and a number")
    slots = forms.CharField(
        required=False, help_text="Only these may be used, such as 1-4,7; default: any"
    )
    bear = choosers.bear()

    def wish(self) -> dict[str, Any]:
        """A shape, and what is left open."""
        return {key: self.cleaned_data[key] for key in self.asked if self.cleaned_data[key]}


class ReleaseWishForm(WishForm):
    """A slice goes."""

    kind = _KIND.RELEASE
    asked = ("slice",)
    slice = DynamicModelChoiceField(queryset=Slice.objects.all(), query_params=_OF_POD)

    def wish(self) -> dict[str, Any]:
        """Which one."""
        return {"slice": self.cleaned_data["slice"].name}


class HandWishForm(WishForm):
    """Circuits as a file has them."""

    kind = _KIND.HAND
    asked = ("circuits", "kept")
    #: What the file held, once it was read: a browser sends a file only once.
    kept = forms.JSONField(required=False, widget=forms.HiddenInput)
    circuits = forms.FileField(
        required=False,
        help_text='Circuits that are to be there: {"version": 1, "circuits": [{"switch", "a", '
        '"b"}]}. Those made by hand before and absent from it go',
    )

    def clean_circuits(self) -> list[dict[str, str]] | None:
        """Read the file, or say what is wrong with it."""
        given = self.cleaned_data["circuits"]
        if not given:
            return None
        try:
            return [circuit.as_json() for circuit in read_circuits(given.read(), given.name)]
        except FabricTwinError as refusal:
            raise forms.ValidationError(str(refusal)) from refusal

    def wish(self) -> dict[str, Any]:
        """All of them; a file may well have none."""
        given = self.cleaned_data["circuits"]
        return {"circuits": self.cleaned_data["kept"] if given is None else given}

    def clean(self) -> dict[str, Any]:
        """A file now, or the one before."""
        data = super().clean()
        is_given = data.get("circuits") is not None or data.get("kept") is not None
        if not is_given and "circuits" not in self.errors:
            self.add_error("circuits", "Choose a file of circuits.")
        return data


class SpareWishForm(WishForm):
    """Off a bad port, to a spare or to other cubes."""

    kind = _KIND.SPARE
    asked = ("switch", "port", "spare", "move")
    switch = DynamicModelChoiceField(queryset=Switch.objects.all(), query_params=_OF_POD)
    port = forms.CharField(help_text="As the switch names it, such as 7A")
    spare = forms.CharField(required=False, help_text="Default: the first that is free")
    move = forms.BooleanField(
        required=False, label="Move the slice", help_text="To other cubes, even if a spare is free"
    )

    def wish(self) -> dict[str, Any]:
        """The port, and where to."""
        data = self.cleaned_data
        port = [data["switch"].device.name, data["port"]]
        wish = {"port": port, "spare": data["spare"] or None, "move": data["move"]}
        return wish | ({"reason": data["reason"]} if data["reason"] else {})


class DefragmentWishForm(WishForm):
    """Slices under a cube are brought together."""

    kind = _KIND.DEFRAGMENT
    asked = ("shape",)
    shape = forms.CharField(
        required=False,
        help_text="A shape that must fit afterwards, such as 4x4x8; default: as much as possible",
    )

    def wish(self) -> dict[str, Any]:
        """What must fit."""
        return {"shape": self.cleaned_data["shape"]} if self.cleaned_data["shape"] else {}


class MaintenanceWishForm(WishForm):
    """What must move before this is touched."""

    kind = _KIND.MAINTENANCE
    pod = choosers.pod()
    asked = ("switches", "boards", "cubes", "racks", "bear", "interrupt")
    #: What only a pod of cubes is asked for.
    of_cubes = ("cubes", "bear", "interrupt")
    switches = DynamicModelMultipleChoiceField(
        queryset=Switch.objects.all(), required=False, query_params=_OF_POD
    )
    boards = forms.CharField(
        required=False,
        label="Driver boards",
        help_text=_A_BOARD.format("iw1-ocs-x-1-1"),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    cubes = DynamicModelMultipleChoiceField(
        queryset=Cube.objects.all(), required=False, query_params=_OF_POD
    )
    racks = DynamicModelMultipleChoiceField(
        queryset=Rack.objects.all(),
        required=False,
        help_text="Every cube and every switch in them",
    )
    bear = choosers.let_bear(
        "They lose only their circuits on what is out of service, until it is returned"
    )
    interrupt = choosers.interrupt(
        "They lose their circuits on what is out of service until the ticket is undone, and so do "
        "circuits made by hand"
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        pod = choosers.chosen_pod(self)
        if pod is not None and pod.is_network:
            for name in self.of_cubes:
                del self.fields[name]
            self.fields["racks"].help_text = "Every switch in them"
            self.fields["boards"].help_text = _A_BOARD.format(f"{pod.name}-ocs-01")
        elif pod is not None:
            choosers.tell_bear(self, pod)

    def clean_boards(self) -> list[list[Any]]:
        """Read a switch and a number a line."""
        found = []
        for line in self.cleaned_data["boards"].splitlines():
            if line.strip():
                switch, _, board = line.strip().rpartition(" ")
                if not switch or not board.isdecimal():
                    raise forms.ValidationError(f"{line[:60]!r} is not a switch and a number.")
                found.append([switch.strip(), int(board)])
        return found

    def wish(self) -> dict[str, Any]:
        """Switches by name, cubes by slot."""
        data = self.cleaned_data
        wish = {
            "switches": sorted(switch.device.name for switch in data["switches"]),
            "boards": data["boards"],
            "racks": sorted(rack.name for rack in data["racks"]),
        }
        if "cubes" not in self.fields:
            return wish
        return wish | {
            "slots": sorted(cube.slot for cube in data["cubes"]),
            "bear": data["pod"].bear if data["bear"] else 0,
            "interrupt": data["interrupt"],
        }


class DriftWishForm(WishForm):
    """What the switches show becomes what is wanted, on all ports; or is wanted from now on."""

    kind = _KIND.DRIFT
    asked = ("accept",)
    accept = forms.BooleanField(
        required=False,
        label="Accept what the switches show",
        help_text="No switch changes: circuits made by hand are wanted from now on",
    )

    def wish(self) -> dict[str, Any]:
        """Which of the two gives way."""
        return {"accept": self.cleaned_data["accept"]}


class ReturnWishForm(WishForm):
    """Switches are in service again, with the circuits that slices, or pairs of blocks, lack."""

    kind = _KIND.RETURN
    pod = choosers.pod()
    asked = ("switches",)
    switches = DynamicModelMultipleChoiceField(
        queryset=Switch.objects.all(),
        query_params=_OF_POD,
        help_text="One in maintenance becomes Active; circuits come only if their light is good",
    )

    def wish(self) -> dict[str, Any]:
        """Switches by name."""
        chosen = self.cleaned_data["switches"]
        return {"switches": sorted(switch.device.name for switch in chosen)}


class TopologyWishForm(WishForm):
    """The links that blocks of a network should have."""

    kind = _KIND.TOPOLOGY
    pod = choosers.network()
    asked = ("topology", "demand", "headroom", "at_once")
    topology = forms.ChoiceField(
        choices=[(one, one.capitalize()) for one in TOPOLOGIES],
        initial="engineered",
        widget=StaticSelect2,
        help_text="Uniform: as many links for each pair. Engineered: more where demand is greater. "
        "Isolated: within the blocks of one owner",
    )
    demand = DynamicModelChoiceField(
        queryset=Demand.objects.all(),
        required=False,
        query_params=_OF_POD,
        help_text="Default: that of the last day. No stage takes links that it needs",
    )
    headroom = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=1000,
        label="Headroom in percent",
        help_text="What pairs keep beyond what they ask for, while a stage is switched; default: 0",
    )
    at_once = forms.IntegerField(
        required=False,
        min_value=1,
        label="Switches at once",
        help_text=f"Default: {AT_ONCE}, a rack; fewer where demand asks for it",
    )

    def wish(self) -> dict[str, Any]:
        """What is made, and what stages keep."""
        data = self.cleaned_data
        wish: dict[str, Any] = {"topology": data["topology"]}
        wish |= {"demand": str(data["demand"].day)} if data["demand"] else {}
        wish |= {"headroom": data["headroom"] / 100} if data["headroom"] else {}
        return wish | ({"at_once": data["at_once"]} if data["at_once"] else {})


WISHES: Mapping[str, type[WishForm]] = {
    form.kind: form
    for form in (
        SliceWishForm,
        ReleaseWishForm,
        HandWishForm,
        SpareWishForm,
        DefragmentWishForm,
        MaintenanceWishForm,
        DriftWishForm,
        ReturnWishForm,
        TopologyWishForm,
    )
}


class TicketFilterForm(SeenFilterForm):
    """Which tickets to list."""

    model = Ticket
    field_order = ("q", "is_open", "pod", "kind", "state", "risk", "author", "review_owed")
    q = forms.CharField(required=False, label="Search")
    is_open = choosers.yes_or_no("Is open")
    pod = choosers.pods()
    kind = choosers.some_of(TicketKindChoices)
    state = choosers.some_of(TicketStateChoices)
    risk = choosers.some_of(RiskChoices)
    author = DynamicModelMultipleChoiceField(
        queryset=User.objects.all(), to_field_name="username", required=False
    )
    review_owed = choosers.yes_or_no("Needs a review")
    tags = TagFilterField(Ticket)
