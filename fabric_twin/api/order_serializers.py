"""Work orders as JSON: the record, the request for a new one, and reports of steps."""

import base64
import binascii
from math import isnan
from typing import Any

from nautobot.apps.api import (
    BaseModelSerializer,
    ChoiceField,
)
from nautobot.extras.models import Team
from nautobot.users.models import User
from rest_framework import serializers

from fabric_twin.api.acts import SaidSerializer
from fabric_twin.api.known_fields import AskedSerializer, RecordSerializer
from fabric_twin.api.ticket_serializers import OfVersion1, SeenPods
from fabric_twin.core.orders.order import MOST_CREWS, Kind
from fabric_twin.core.orders.planning.routes import Route
from fabric_twin.core.orders.reports import (
    LARGEST_PHOTO,
    LONGEST_ID,
    LONGEST_REASON,
    MOST_PIXELS,
    Report,
    Told,
)
from fabric_twin.core.topology.joining import LEAST_RATE, LONGEST_OWNER, MOST_RATE
from fabric_twin.core.topology.network import LONGEST_CABLE_M, MOST_STRANDS, USED
from fabric_twin.models import OrderEvent, OrderStep, Pod, StepReport, Stock, WorkOrder
from fabric_twin.models.work_order import OrderKindChoices, OrderStateChoices

#: What the choice to interrupt means.
INTERRUPTS = "Slices that cannot move lose their circuits until the order has ended."
#: The year 2100, in seconds: what is later is told in milliseconds.
LATEST = 4_102_444_800


class WorkOrderSerializer(OfVersion1, RecordSerializer):
    """An order. Its actions change it; any may be tagged."""

    called = "orders"
    name = serializers.CharField(read_only=True, help_text="As people call it: iw1-w3")
    kind = ChoiceField(choices=OrderKindChoices, read_only=True)
    state = ChoiceField(choices=OrderStateChoices, read_only=True)

    class Meta:
        model = WorkOrder
        # The facts have an address of their own: they are long.
        exclude = ("advance_asked", "advance_calls", "facts", "under_way_since")
        read_only_fields = tuple(
            field.name
            for field in (*WorkOrder._meta.concrete_fields, *WorkOrder._meta.many_to_many)
            if field.name not in {"id", "_custom_field_data", "tags"}
        )


class OrderStepSerializer(BaseModelSerializer):
    """One step, and where it stands."""

    words = serializers.SerializerMethodField()

    class Meta:
        model = OrderStep
        fields = "__all__"

    def get_words(self, row: OrderStep) -> str:
        """The step as a sentence."""
        from fabric_twin.core.orders.steps import Step

        return str(Step.from_json(row.facts))


class StepReportSerializer(BaseModelSerializer):
    """A report of a step."""

    class Meta:
        model = StepReport
        fields = "__all__"


class OrderEventSerializer(BaseModelSerializer):
    """A line of an order's history."""

    class Meta:
        model = OrderEvent
        fields = "__all__"


class StockSerializer(RecordSerializer):
    """Parts on the shelf, and on their way."""

    class Meta:
        model = Stock
        fields = "__all__"


class NewBlockSerializer(AskedSerializer):
    """A block to install; of one that is planned, the name alone says which."""

    name = serializers.CharField(max_length=32, help_text="Within its network, such as ab05")
    strands = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST_STRANDS, help_text="Its uplinks"
    )
    rate_gbps = serializers.FloatField(
        required=False,
        min_value=LEAST_RATE,
        max_value=MOST_RATE,
        help_text="What a strand carries, in Gbit/s",
    )
    first_port = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=USED,
        help_text="The first of its ports on every switch; by default the lowest with room",
    )
    owner = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=LONGEST_OWNER
    )
    location = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=255,
        help_text="Where it stands, by name or ID, if that is not where its switches are",
    )
    cable_m = serializers.FloatField(
        required=False,
        min_value=0.01,
        max_value=LONGEST_CABLE_M,
        help_text="Metres of its cables, if it stands in another building",
    )


class OrderWishSerializer(AskedSerializer):
    """The work that a new order asks for."""

    pod = SeenPods(queryset=Pod.objects.all(), slug_field="name", help_text="By name or ID")
    kind = serializers.ChoiceField(choices=[str(kind) for kind in Kind])
    slots = serializers.CharField(
        required=False, default="", help_text="To install or to decommission, such as 1-4,7"
    )
    block = NewBlockSerializer(
        required=False,
        default=None,
        allow_null=True,
        help_text="To install in a network or, by its name, to decommission, in place of slots",
    )
    moves = serializers.ListField(
        child=serializers.DictField(), required=False, default=list, help_text="Plugs to move"
    )
    findings = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        default=list,
        help_text="Findings to repair, by ID or key; by default all open ones",
    )
    crews = serializers.IntegerField(
        required=False, default=1, help_text=f"Crews that work at the same time: 1 to {MOST_CREWS}"
    )
    route = serializers.ChoiceField(
        choices=[str(route) for route in Route],
        required=False,
        default=str(Route.RACKS_ONCE),
        help_text="The order in which a repair mends its findings; ignored for other kinds",
    )
    interrupt = serializers.BooleanField(
        required=False, default=False, help_text=f"{INTERRUPTS} Chosen when tickets are asked for"
    )
    title = serializers.CharField(required=False, default="", max_length=255, allow_blank=True)
    reason = serializers.CharField(required=False, default="", allow_blank=True)
    due = serializers.DateTimeField(required=False, allow_null=True, default=None)
    elsewhere = serializers.CharField(
        required=False,
        default="",
        max_length=255,
        allow_blank=True,
        help_text="Another system that tracks this work, and the number there",
    )


class AssignSerializer(SaidSerializer):
    """Whom an order is given to."""

    assignee = serializers.SlugRelatedField(
        slug_field="username", queryset=User.objects.all(), required=False, default=None
    )
    team = serializers.SlugRelatedField(
        slug_field="name", queryset=Team.objects.all(), required=False, default=None
    )


class CheckSerializer(AskedSerializer):
    """Which bundles are looked at."""

    bundles = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        default=list,
        help_text="By name; by default all whose manual steps are done",
    )


class InterruptSerializer(AskedSerializer):
    """How circuits leave the ports that will be worked on."""

    bear = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Slices stay, and are slower, where a join of two cubes then lacks no more "
        "switches than the pod says",
    )
    interrupt = serializers.BooleanField(
        required=False,
        default=False,
        help_text=f"{INTERRUPTS} Refused without it where one cannot move",
    )
    submitted = serializers.BooleanField(
        required=False, default=False, help_text="Submit all drafts of the order for approval"
    )


class NothingSerializer(AskedSerializer):
    """An empty object."""


class StepSaidSerializer(AskedSerializer):
    """A report of one step; with the same id it counts once, however often it is sent."""

    id = serializers.CharField(
        max_length=LONGEST_ID, help_text="Your own ID, a new one for each report"
    )
    at = serializers.FloatField(
        required=False,
        default=0.0,
        min_value=0.0,
        max_value=LATEST,
        help_text="Seconds since 1970 by your clock; now by default",
    )
    scanned = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=LONGEST_REASON
    )
    reason = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=LONGEST_REASON
    )
    photo = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=LARGEST_PHOTO * 4 // 3 + 100,
        help_text="A JPEG, PNG or WEBP picture in base64, of at most 12 MB, and all of a request "
        f"of at most {MOST_PIXELS:,} pixels together; a request is held to Nautobot's "
        "DATA_UPLOAD_MAX_MEMORY_SIZE, by default 2.5 MB: a picture of 1.9 MB",
    )

    def validate_at(self, told: float) -> float:
        """A moment: NaN is neither before nor after any bound."""
        if isnan(told):
            raise serializers.ValidationError("It is not a date and time.")
        return told

    def validate_photo(self, told: str) -> bytes | None:
        """The file as it was sent; it is unpacked where it is known to be wanted."""
        if not told:
            return None
        try:
            return base64.b64decode(told.rpartition(",")[2], validate=True)
        except (binascii.Error, ValueError):
            raise serializers.ValidationError("It is not base64.") from None


class StepReportedSerializer(StepSaidSerializer):
    """A report that names its step."""

    step = serializers.IntegerField(min_value=1, help_text="Its number")
    told = serializers.ChoiceField(choices=[str(told) for told in Told])


class ReportsSerializer(AskedSerializer):
    """What a phone kept, in the order in which it was done."""

    reports = serializers.ListField(child=StepReportedSerializer())


class AnswerSerializer(serializers.Serializer[Any]):
    """What became of a report."""

    id = serializers.CharField()
    step = serializers.IntegerField()
    taken = serializers.BooleanField()
    state = serializers.CharField(help_text="Where the step stands now")
    why = serializers.CharField(help_text="Why it was refused, and what would be right")
    again = serializers.BooleanField(help_text="It had been sent before")


class AnswersSerializer(serializers.Serializer[Any]):
    """An answer to each report, in the order of the reports."""

    answers = AnswerSerializer(many=True)


def report_of(facts: dict[str, Any], step: int = 0, told: str = "") -> tuple[Report, bytes | None]:
    """A report as the core has it, and its picture."""
    said = {name: facts[name] for name in ("id", "at", "scanned", "reason")}
    return (
        Report(
            **said,
            step=facts.get("step", step),
            told=Told(facts.get("told", told)),
        ),
        facts["photo"],
    )
