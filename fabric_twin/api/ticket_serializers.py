"""Tickets as JSON: the record, the request for a new one, and the fields of each action."""

import uuid
from typing import Any

from nautobot.apps.api import (
    BaseModelSerializer,
    ChoiceField,
)
from rest_framework import serializers

from fabric_twin.api.acts import SaidSerializer
from fabric_twin.api.known_fields import AskedSerializer, RecordSerializer
from fabric_twin.core.tickets.course import Direction, Position
from fabric_twin.models import Pod, Reservation, Ticket, TicketDrain, TicketEvent, TicketStage
from fabric_twin.models.ticket import (
    DirectionChoices,
    OnFailureChoices,
    RiskChoices,
    TicketKindChoices,
    TicketStateChoices,
)
from fabric_twin.operations.tickets.drafts.make import edit_ticket
from fabric_twin.operations.tickets.drafts.terms import Terms

#: What people decide about a ticket, as `Terms` has it.
TERMS = ("title", "reason", "window_start", "window_end", "on_failure", "most_bad")
#: Between workers and the database; and the plan, which has an address of its own: it is long.
_EXCLUDED = ("lease_token", "lease_until", "dark", "fingerprint", "plan")


class OfVersion1(serializers.Serializer[Any]):
    """What is planned from a wish; webhooks and REST tell it by a schema: `docs/schemas/`."""

    #: What several are called.
    called = ""
    version = serializers.SerializerMethodField(help_text="Of its schema: work-order-1, ticket-1")

    def get_version(self, _record: Any) -> int:
        """What the schema names stays as it is until this is another number."""
        return 1

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse rows of Nautobot's CSV import: they are no wish."""
        if self.instance is None:
            raise serializers.ValidationError(
                f"CSV import cannot make {self.called}: ask for one on a page, or over REST."
            )
        return attrs


class TicketSerializer(OfVersion1, RecordSerializer):
    """A ticket. It is changed by its actions; drafts are edited, and any may be tagged."""

    called = "tickets"
    name = serializers.CharField(read_only=True, help_text="As people call it: iw1-t12")
    kind = ChoiceField(choices=TicketKindChoices, read_only=True)
    state = ChoiceField(choices=TicketStateChoices, read_only=True)
    risk = ChoiceField(choices=RiskChoices, read_only=True)
    direction = ChoiceField(choices=DirectionChoices, read_only=True)

    class Meta:
        model = Ticket
        exclude = _EXCLUDED
        read_only_fields = tuple(
            field.name
            for field in Ticket._meta.concrete_fields
            if field.name not in {*TERMS, *_EXCLUDED, "id", "_custom_field_data"}
        )

    def update(self, instance: Ticket, validated_data: dict[str, Any]) -> Ticket:
        """Change what people decide about a draft; tags and custom fields of any."""
        decided = {name: validated_data.pop(name) for name in TERMS if name in validated_data}
        if decided:
            instance = edit_ticket(instance, self.context["request"].user, Terms(**decided))
        return super().update(instance, validated_data) if validated_data else instance


class TicketStageSerializer(BaseModelSerializer):
    """How far a stage of a ticket is."""

    class Meta:
        model = TicketStage
        fields = "__all__"


class TicketEventSerializer(BaseModelSerializer):
    """A line of a ticket's history."""

    class Meta:
        model = TicketEvent
        fields = "__all__"


class TicketDrainSerializer(BaseModelSerializer):
    """Who confirmed that a slice runs nothing, or that its job can go on with fewer circuits."""

    class Meta:
        model = TicketDrain
        fields = "__all__"


class ReservationSerializer(BaseModelSerializer):
    """A port or a cube that is one open ticket's alone."""

    class Meta:
        model = Reservation
        fields = "__all__"


class SeenPods(serializers.SlugRelatedField[Any]):
    """A pod by name or ID, of those that the user may see."""

    def get_queryset(self) -> Any:
        return Pod.objects.restrict(self.context["request"].user, "view")

    def to_internal_value(self, data: Any) -> Any:
        """A name, or the key that other endpoints take."""
        try:
            key = uuid.UUID(str(data))
        except ValueError:
            return super().to_internal_value(data)
        if found := self.get_queryset().filter(pk=key).first():
            return found
        raise serializers.ValidationError("There is no such pod, or you may not see it.")


class TermsSerializer(AskedSerializer):
    """What people decide about a ticket; what is left out is chosen."""

    title = serializers.CharField(required=False, max_length=255)
    reason = serializers.CharField(required=False)
    window_start = serializers.DateTimeField(required=False, help_text="Not begun before this")
    window_end = serializers.DateTimeField(required=False, help_text="No stage is begun after this")
    on_failure = serializers.ChoiceField(required=False, choices=OnFailureChoices.CHOICES)
    most_bad = serializers.IntegerField(
        required=False,
        min_value=0,
        help_text="Circuits that may be bad before it stops",
    )

    def terms(self) -> Terms:
        """What was decided."""
        data = self.validated_data
        return Terms(**{name: data[name] for name in TERMS if name in data})


class TicketWishSerializer(TermsSerializer):
    """The change that a new ticket asks for."""

    pod = SeenPods(queryset=Pod.objects.all(), slug_field="name", help_text="By name or ID")
    kind = serializers.ChoiceField(choices=TicketKindChoices.CHOICES)
    wish = serializers.DictField(
        required=False,
        help_text='What to do, by kind: slice {"shape": "8x8x16"}, release {"slice": ..}, '
        'hand {"circuits": [..]}, spare {"port": [switch, "7A"]}, defragment {"shape": ..}, '
        'maintenance {"switches": [..], "boards": [[switch, 0]], "slots": [..], "racks": [..], '
        '"bear": 1, "interrupt": false}, '
        'drift {"ports": [..], "accept": false}, topology {"topology": "engineered", '
        '"demand": "2026-11-24", "headroom": 0.1, "at_once": 8}; in a cluster slice '
        '{"name": "job-a", "sequence": 150, "axes": ["layer=row"], "both_ways": false}',
    )
    submit = serializers.BooleanField(
        default=False, help_text="Ask for approval at once, and do not leave it a draft"
    )


class ScheduleSerializer(AskedSerializer):
    """When a ticket may run; what is left out stays."""

    start = serializers.DateTimeField(
        required=False,
        allow_null=True,
        help_text="Not begun before this; null: as soon as possible",
    )
    end = serializers.DateTimeField(
        required=False, allow_null=True, help_text="No stage is begun after this; null: never"
    )

    def facts(self) -> dict[str, Any]:
        """The window as it is to be."""
        ends = {f"window_{end}": at for end, at in self.validated_data.items()}
        return {"window": Terms(**ends)}


class DrainedSerializer(SaidSerializer):
    """Which slices run nothing, and of which the job can go on with fewer circuits."""

    slices = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        default=list,
        help_text="Slices by name; a request without any is refused, and the refusal lists the "
        "names",
    )

    def facts(self) -> dict[str, Any]:
        """What was said, and of whom."""
        return super().facts() | {"slices": tuple(self.validated_data["slices"])}


class LinksDrainedSerializer(SaidSerializer):
    """Of which stage the links that go carry nothing: the one that waits, and no other."""

    stage = serializers.IntegerField(min_value=1, help_text="As the ticket's message says")
    back = serializers.BooleanField(default=False, help_text="Whether it is going back")

    def facts(self) -> dict[str, Any]:
        """What was said, and of which step."""
        data = self.validated_data
        direction = Direction.BACK if data["back"] else Direction.FORWARD
        return {"said": data.get("said", ""), "step": Position(data["stage"], direction)}


class RunAskedSerializer(serializers.Serializer[Any]):
    """A ticket that a worker was called for, and the job that carries it out."""

    ticket = TicketSerializer()
    job_result = serializers.DictField(allow_null=True, help_text="Its id and url")
