"""Forms of work orders and stock: what is wished for, and the words that go with each act."""

from dataclasses import replace
from typing import Any

from django import forms
from nautobot.apps.forms import (
    BootstrapMixin,
    DynamicModelChoiceField,
    DynamicModelMultipleChoiceField,
    NautobotBulkEditForm,
    NautobotModelForm,
    StaticSelect2,
    TagFilterField,
    TagsBulkEditFormMixin,
)
from nautobot.dcim.models import Location
from nautobot.extras.models import Team
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.kinds import Verb
from fabric_twin.core.orders.life import Act
from fabric_twin.core.orders.order import MOST_CREWS, Kind
from fabric_twin.core.orders.planning.routes import IN_WORDS, Route
from fabric_twin.core.slots import parse_slots
from fabric_twin.core.topology.joining import LEAST_RATE, LONGEST_OWNER, MOST_RATE, NewBlock
from fabric_twin.core.topology.network import LONGEST_CABLE_M, MOST_STRANDS, USED
from fabric_twin.forms import choosers
from fabric_twin.forms.seen import SeenFilterForm, SeenMixin
from fabric_twin.forms.zoned_picker import ZonedPicker
from fabric_twin.models import Block, Finding, Stock, WorkOrder
from fabric_twin.models.work_order import OrderKindChoices, OrderStateChoices
from fabric_twin.operations.orders.actions import ASK
from fabric_twin.operations.orders.propose import OrderWish

_OF_POD = {"pod": "$pod"}
#: What can be wished for on a page; moves come from a file or over REST.
WISHED = (Kind.INSTALL, Kind.REPAIR, Kind.DECOMMISSION)
#: What a page calls the installation of a block, and taking one out.
BLOCK, BLOCK_OUT = "block", "block-out"


def interrupt_field() -> forms.BooleanField:
    """The same choice for the ports that an order works on."""
    return choosers.interrupt(
        "They lose their circuits on the ports to be worked on, once somebody confirms "
        "that they run nothing, and get them back when the order has ended. Not ticked: tickets "
        "are refused while such a slice is in the way"
    )


class OrderWishForm(SeenMixin, BootstrapMixin, forms.Form):
    """A wish for an order."""

    #: What a page calls it, where its kind does not say all.
    heading = ""
    pod = choosers.pod_of_cubes()
    slots = forms.CharField(help_text="Of the cubes or groups, such as 9-16 or 1-4,7")
    findings = DynamicModelMultipleChoiceField(
        queryset=Finding.objects.all(),
        required=False,
        query_params=_OF_POD,
        help_text="Findings to repair; default: all of the pod that nobody is working on",
    )
    crews = forms.IntegerField(
        initial=1, help_text=f"Crews that work at the same time: 1 to {MOST_CREWS}"
    )
    route = forms.ChoiceField(
        choices=[(str(route), words) for route, words in IN_WORDS.items()],
        initial=str(Route.RACKS_ONCE),
        required=False,
        widget=StaticSelect2,
        help_text="Press See what it would take to compare time to mend and metres on foot",
    )
    interrupt = interrupt_field()
    title = forms.CharField(
        required=False, max_length=255, help_text="Default: what it does, in words"
    )
    reason = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 3}))
    due = forms.DateTimeField(
        required=False,
        widget=ZonedPicker(),
        help_text="Until then its missing cables are not reported",
    )
    elsewhere = forms.CharField(
        required=False,
        max_length=255,
        label="External reference",
        help_text="Another system that tracks this work, and the number there",
    )

    def __init__(self, *args: Any, kind: Kind, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        if kind == Kind.REPAIR:
            self.fields["pod"] = choosers.pod()
        del self.fields["slots" if kind == Kind.REPAIR else "findings"]
        pod = choosers.chosen_pod(self)
        has_slices = kind != Kind.INSTALL and (pod is None or pod.can(Verb.SLICE))
        if not has_slices:
            del self.fields["interrupt"]
        if kind != Kind.INSTALL:
            self.fields["due"].help_text = "When it should be done"
        if kind != Kind.REPAIR:
            del self.fields["route"]

    def clean(self) -> dict[str, Any]:
        """Slots that the pod has."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if data.get("pod") and data.get("slots"):
            try:
                data["slots"] = parse_slots(data["slots"], data["pod"].to_core().slots)
            except FabricTwinError as refusal:
                self.add_error("slots", str(refusal))
        return data

    def wish(self) -> OrderWish:
        """What is wished for."""
        data = self.cleaned_data
        names = ("crews", "interrupt", "title", "reason", "due", "elsewhere")
        more = {name: data.get(name, False) for name in names}
        return OrderWish(
            kind=self.kind,
            slots=tuple(data.get("slots") or ()),
            findings=tuple(data.get("findings") or ()),
            route=Route(data.get("route") or Route.RACKS_ONCE),
            **more,
        )


class BlockOrderForm(OrderWishForm):
    """A wish for an order that installs a block."""

    heading = "Install a block"
    pod = choosers.network()
    name = forms.CharField(
        label="Block",
        max_length=32,
        help_text="Its name, such as ab05. Of a block that is planned, the name is enough",
    )
    strands = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_STRANDS,
        help_text="Uplinks: as many to each switch, half of them on side A",
    )
    rate_gbps = forms.FloatField(
        required=False,
        label="Rate in Gbit/s",
        min_value=LEAST_RATE,
        max_value=MOST_RATE,
        help_text="What a strand carries",
    )
    first_port = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=USED,
        help_text="The first of its ports on every switch; default: the lowest with room",
    )
    owner = forms.CharField(
        required=False,
        max_length=LONGEST_OWNER,
        help_text="Whose it is, where a topology keeps owners apart",
    )
    location = DynamicModelChoiceField(
        queryset=Location.objects.all(),
        required=False,
        help_text="Where it stands; default: where its switches are",
    )
    cable_m = forms.FloatField(
        required=False,
        label="Metres of its cables",
        min_value=0.01,
        max_value=LONGEST_CABLE_M,
        help_text="If it stands in another building; default: as long as others to there",
    )
    field_order = (
        *("pod", "name", "strands", "rate_gbps", "first_port", "owner", "location", "cable_m"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, kind=Kind.INSTALL, **kwargs)
        del self.fields["slots"]

    def wish(self) -> OrderWish:
        """What is wished for."""
        names = ("name", "strands", "rate_gbps", "first_port", "owner")
        place = self.cleaned_data["location"]
        block = NewBlock(
            **{name: self.cleaned_data[name] for name in (*names, "cable_m")},
            location=str(place.pk) if place else "",
        )
        return replace(super().wish(), block=block)


class BlockOutForm(OrderWishForm):
    """A wish for an order that takes a block out of a network."""

    heading = "Take a block out"
    pod = choosers.network()
    block = DynamicModelChoiceField(
        queryset=Block.objects.all(),
        query_params=_OF_POD,
        help_text="It is Draining, Out or half installed, and no circuit joins it any more",
    )
    field_order = ("pod", "block")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, kind=Kind.DECOMMISSION, **kwargs)
        del self.fields["slots"]
        self.fields.pop("interrupt", None)

    def clean(self) -> dict[str, Any]:
        """A block of the network that is chosen."""
        data = super().clean()
        if data.get("block") and data["block"].pod != data.get("pod"):
            self.add_error("block", "It is of another network")
        return data

    def wish(self) -> OrderWish:
        """What is wished for."""
        return replace(super().wish(), block=NewBlock(self.cleaned_data["block"].name))


#: Orders of blocks have forms of their own.
OF_BLOCKS = {BLOCK: BlockOrderForm, BLOCK_OUT: BlockOutForm}


class OrderDeedForm(BootstrapMixin, forms.Form):
    """The words that go with an act; whom the order is given to; how its tickets are asked for."""

    bear = choosers.let_bear(
        "A join of two cubes may lack as many switches as the pod says. They lose only their "
        "circuits on the ports to be worked on, until the order has ended"
    )
    interrupt = interrupt_field()
    submitted = forms.BooleanField(
        required=False,
        label="Submit them for approval",
        help_text="All drafts of the order. Not ticked: drafts are made, and each is submitted on "
        "its own page",
    )
    assignee = DynamicModelChoiceField(queryset=User.objects.all(), required=False)
    team = DynamicModelChoiceField(queryset=Team.objects.all(), required=False)
    said = forms.CharField(
        required=False, label="Comment", widget=forms.Textarea(attrs={"rows": 3})
    )

    def __init__(
        self, *args: Any, act: str, needs_reason: bool, has_slices: bool = True, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        # A browser asks for it; who sends none all the same is refused by the operation.
        self.fields["said"].widget.attrs |= {"required": True} if needs_reason else {}
        of_slices = ("bear", "interrupt") if has_slices else ()
        asked = {Act.ASSIGN: ("assignee", "team", "said"), ASK: (*of_slices, "submitted")}
        for name in set(self.fields) - set(asked.get(act, ("said",))):
            del self.fields[name]

    def facts(self) -> dict[str, Any]:
        """What was said, and whom it is given to."""
        return dict(self.cleaned_data)


class WorkOrderFilterForm(SeenFilterForm):
    """Which orders to list."""

    model = WorkOrder
    field_order = ("q", "is_open", "pod", "kind", "state", "assignee", "team", "rack")
    q = forms.CharField(required=False, label="Search")
    is_open = choosers.yes_or_no("Is open")
    pod = choosers.pods()
    kind = choosers.some_of(OrderKindChoices)
    state = choosers.some_of(OrderStateChoices)
    assignee = DynamicModelMultipleChoiceField(
        queryset=User.objects.all(), to_field_name="username", required=False
    )
    team = DynamicModelMultipleChoiceField(
        queryset=Team.objects.all(), to_field_name="name", required=False
    )
    rack = choosers.racks()
    tags = TagFilterField(WorkOrder)


class StockForm(NautobotModelForm):
    """Parts on the shelf."""

    location = DynamicModelChoiceField(queryset=Location.objects.all())

    class Meta:
        model = Stock
        fields = ("part", "location", "on_hand", "ordered", "tags")


class StockBulkEditForm(TagsBulkEditFormMixin, NautobotBulkEditForm):
    """What several parts can be given at once."""

    pk = forms.ModelMultipleChoiceField(Stock.objects.all(), widget=forms.MultipleHiddenInput)
    on_hand = forms.IntegerField(required=False, min_value=0)
    ordered = forms.IntegerField(required=False, min_value=0)

    class Meta:
        nullable_fields = ()


class StockFilterForm(SeenFilterForm):
    """Which parts to list."""

    model = Stock
    field_order = ("q", "location")
    q = forms.CharField(required=False, label="Search")
    location = DynamicModelMultipleChoiceField(queryset=Location.objects.all(), required=False)
    tags = TagFilterField(Stock)
