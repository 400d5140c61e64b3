"""The records as JSON and CSV; Nautobot looks for them here by name."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from nautobot.apps.api import (
    BaseModelSerializer,
    ChoiceField,
)
from nautobot.users.models import User
from rest_framework import serializers

from fabric_twin.api.known_fields import AskedSerializer, RecordSerializer
from fabric_twin.api.multislices import MultislicePartSerializer, MultisliceSerializer
from fabric_twin.api.order_serializers import (
    OrderEventSerializer,
    OrderStepSerializer,
    StepReportSerializer,
    StockSerializer,
    WorkOrderSerializer,
)
from fabric_twin.api.slice_serializers import (
    SlicePartSerializer,
    SliceSerializer,
    SlicesHitField,
    SliceWishSerializer,
)
from fabric_twin.api.ticket_serializers import (
    ReservationSerializer,
    TicketDrainSerializer,
    TicketEventSerializer,
    TicketSerializer,
    TicketStageSerializer,
)
from fabric_twin.core.errors import NotPossible
from fabric_twin.models import (
    AgreedCable,
    AuditRun,
    Block,
    Cube,
    Demand,
    Finding,
    FindingPlace,
    OpticalCircuit,
    Pod,
    Port,
    Silence,
    Substitution,
    Switch,
    WrittenEnd,
)
from fabric_twin.models.finding import FindingStateChoices, ImpactChoices, SeverityChoices

__all__ = [
    "MultislicePartSerializer",
    "MultisliceSerializer",
    "OrderEventSerializer",
    "OrderStepSerializer",
    "ReservationSerializer",
    "SlicePartSerializer",
    "SliceSerializer",
    "SliceWishSerializer",
    "StepReportSerializer",
    "StockSerializer",
    "TicketDrainSerializer",
    "TicketEventSerializer",
    "TicketSerializer",
    "TicketStageSerializer",
    "WorkOrderSerializer",
]


def check_not_held(circuit: OpticalCircuit) -> None:
    """Refuse to touch a circuit that is a slice's."""
    if circuit.slice:
        raise NotPossible(
            f"the slice {circuit.slice.name} holds it",
            where=f"circuit {circuit}",
            remedy="Release the slice",
        )


class PodSerializer(RecordSerializer):
    """A pod."""

    class Meta:
        model = Pod
        fields = "__all__"


#: What is unique as a pair is not required for it.
_REACHED = {"address": {"required": False}, "target": {"required": False}}


class CubeSerializer(RecordSerializer):
    """A cube in its slot."""

    class Meta:
        model = Cube
        fields = "__all__"
        extra_kwargs = _REACHED
        validators = ()


class BlockSerializer(RecordSerializer):
    """A block of a network, by its uplinks."""

    class Meta:
        model = Block
        fields = "__all__"
        extra_kwargs = _REACHED
        # The record itself says which other has its name, or where it could begin.
        validators = ()


class SwitchSerializer(RecordSerializer):
    """A switch; its axis and index follow from its number."""

    class Meta:
        model = Switch
        fields = "__all__"
        extra_kwargs = _REACHED
        # The record itself says which other has its number, or its address.
        validators = ()


class PortSerializer(BaseModelSerializer):
    """A port: which interface is which number of the design's layout."""

    class Meta:
        model = Port
        fields = "__all__"


@extend_schema_field(
    {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "from": {"type": "string"},
                "to": {"type": "string"},
                "gbps": {"type": "number"},
            },
        },
    }
)
class PairsField(serializers.ReadOnlyField):
    """What pairs of blocks ask for, a row a pair."""

    def to_representation(self, rows: Any) -> list[dict[str, Any]]:
        """The rows by name, as they are imported."""
        return [{"from": one, "to": other, "gbps": gbps} for one, other, gbps in rows]


class DemandSerializer(RecordSerializer):
    """What blocks ask of each other on a day; an import writes it, and people describe it."""

    gbps = PairsField(source="rows", help_text="A row a pair of blocks; others ask for nothing")

    class Meta:
        model = Demand
        fields = "__all__"
        read_only_fields = ("pod", "day")
        validators = ()

    def validate(self, data: Any) -> Any:
        """Refuse rows of Nautobot's CSV import: a demand without its pairs would be none."""
        if self.instance is None:
            raise serializers.ValidationError("Import the demand of a day as from,to,gbps.")
        return super().validate(data)


class WrittenEndSerializer(BaseModelSerializer):
    """An end of a cable as somebody wrote it, where there is no port to plug it in."""

    class Meta:
        model = WrittenEnd
        fields = "__all__"


class AgreedCableSerializer(BaseModelSerializer):
    """A cable that light agreed with, and when it last did."""

    pod = BaseModelSerializer.serializer_related_field(
        source="agreement.pod",
        read_only=True,
        view_name="plugins-api:fabric_twin-api:pod-detail",
    )
    at = serializers.DateTimeField(source="agreement.at", read_only=True)

    class Meta:
        model = AgreedCable
        exclude = ("agreement",)


class OpticalCircuitSerializer(RecordSerializer):
    """A circuit. Only a slice's making says whose it is, and only its switch what is seen."""

    class Meta:
        model = OpticalCircuit
        fields = "__all__"
        read_only_fields = ("slice", "seen")
        # The record itself says which circuit has a port; these would name fields.
        validators = ()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Leave a slice its circuits; any may be tagged."""
        before, joins = self.instance, {"switch", "a", "b", "wanted"}.intersection(attrs)
        if before and any(getattr(before, fact) != attrs[fact] for fact in joins):
            check_not_held(before)
        attrs = super().validate(attrs)
        return attrs


class SubstitutionSerializer(RecordSerializer):
    """A spare in place of a port."""

    class Meta:
        model = Substitution
        fields = "__all__"


class SilenceSerializer(RecordSerializer):
    """A rule that keeps findings quiet; who makes it is who says so."""

    class Meta:
        model = Silence
        fields = "__all__"
        read_only_fields = ("user",)

    def create(self, validated_data: dict[str, Any]) -> Any:
        """Write down who said so."""
        request = self.context.get("request")
        return super().create(validated_data | {"user": getattr(request, "user", None)})


class AuditRunSerializer(RecordSerializer):
    """A run. Its lease is between workers and the database."""

    class Meta:
        model = AuditRun
        exclude = ("lease_token", "lease_until")


class FindingSerializer(RecordSerializer):
    """A finding. Runs write it; what people say of it goes by actions, and by tags."""

    slices_hit = SlicesHitField(
        help_text="Slices that it takes circuits from, with the capacity of each before and after"
    )
    severity = ChoiceField(choices=SeverityChoices, read_only=True)
    state = ChoiceField(choices=FindingStateChoices, read_only=True)
    impact = ChoiceField(choices=ImpactChoices, read_only=True)

    class Meta:
        model = Finding
        exclude = ("digest",)
        read_only_fields = tuple(
            field.name
            for field in (*Finding._meta.concrete_fields, *Finding._meta.many_to_many)
            if field.name not in {"id", "_custom_field_data", "tags", "digest"}
        )


class FindingPlaceSerializer(BaseModelSerializer):
    """A port or a cable of a finding."""

    class Meta:
        model = FindingPlace
        fields = "__all__"


class WhySerializer(AskedSerializer):
    """A reason."""

    why = serializers.CharField(required=False, allow_blank=True, default="")


class AcceptSerializer(AskedSerializer):
    """Which cables of a discovery, by their numbers, and why their records are wrong."""

    cables = serializers.ListField(child=serializers.IntegerField(min_value=0))
    reason = serializers.CharField()


class AssignFindingSerializer(AskedSerializer):
    """Who is responsible for a finding, and by when; what is left out stays, null clears it."""

    owner = serializers.SlugRelatedField(
        slug_field="username",
        queryset=User.objects.all(),
        required=False,
        allow_null=True,
        help_text="A user, by name",
    )
    due = serializers.DateTimeField(required=False, allow_null=True)


class AuditWishSerializer(AskedSerializer):
    """How much of a pod to audit; nothing named is all of it."""

    switch = serializers.UUIDField(required=False, help_text="One switch")
    cube = serializers.UUIDField(required=False, help_text="One cube")
    block = serializers.UUIDField(required=False, help_text="One block of a network")
    ports = serializers.ListField(
        child=serializers.UUIDField(), required=False, help_text="Ports that changed"
    )
    light = serializers.BooleanField(
        required=False, default=False, help_text="Only light and circuits, no serials and parts"
    )
    light_test = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Make test circuits for findings not seen since",
    )
    fail_on = serializers.ChoiceField(
        choices=("error", "warning"), required=False, help_text="What makes the job fail"
    )


class JobAskedSerializer(serializers.Serializer[Any]):
    """The job that does what was asked, on its way."""

    job_result = serializers.DictField(help_text="Its id and its address")
