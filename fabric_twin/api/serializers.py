"""The records as JSON and CSV; Nautobot looks for them here by name."""

from typing import Any

from django.core.exceptions import ValidationError
from nautobot.apps.api import (
    BaseModelSerializer,
    ChoiceField,
)
from nautobot.extras.models import Status
from nautobot.users.models import User
from rest_framework import serializers

from fabric_twin.api.known_fields import AskedSerializer, RecordSerializer
from fabric_twin.api.order_serializers import (
    OrderEventSerializer,
    OrderStepSerializer,
    StepReportSerializer,
    StockSerializer,
    WorkOrderSerializer,
)
from fabric_twin.api.ticket_serializers import (
    ReservationSerializer,
    TicketDrainSerializer,
    TicketEventSerializer,
    TicketSerializer,
    TicketStageSerializer,
)
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.slices.bearing_cubes import MOST_BORNE
from fabric_twin.core.slots import format_slots, parse_slots
from fabric_twin.models import (
    AgreedCable,
    AuditRun,
    Cube,
    Finding,
    FindingPlace,
    OpticalCircuit,
    Pod,
    Port,
    Silence,
    Slice,
    SlicePart,
    Substitution,
    Switch,
    WrittenEnd,
)
from fabric_twin.models.finding import FindingStateChoices, ImpactChoices, SeverityChoices
from fabric_twin.operations.slices.make import Wish, make_slice, slots_of

__all__ = [
    "OrderEventSerializer",
    "OrderStepSerializer",
    "ReservationSerializer",
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


class SlicePartSerializer(BaseModelSerializer):
    """A cube's place in a slice."""

    class Meta:
        model = SlicePart
        fields = "__all__"


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


class SliceSerializer(RecordSerializer):
    """A slice in use; its shape and its cubes stay what they are until it is released."""

    class Meta:
        model = Slice
        fields = "__all__"
        read_only_fields = ("pod", "shape", "twisted")

    def validate(self, data: Any) -> Any:
        """Refuse rows of Nautobot's CSV import: a slice without a place would be none."""
        if self.instance is None:
            raise serializers.ValidationError(
                "Make slices on their page, by the job or over REST: a place is found for each."
            )
        return super().validate(data)


class _SeenCubes(serializers.PrimaryKeyRelatedField[Any]):
    """Cubes that the user may see."""

    def get_queryset(self) -> Any:
        return Cube.objects.restrict(self.context["request"].user, "view")


class SliceWishSerializer(SliceSerializer):
    """The slice to make; what is left out is chosen."""

    name = serializers.CharField(
        required=False, max_length=255, help_text="Made from the shape by default"
    )
    status = SliceSerializer.serializer_related_field(
        required=False,
        queryset=Status.objects.all(),
        view_name="extras-api:status-detail",
        help_text="Active by default",
    )
    cubes = _SeenCubes(
        many=True,
        required=False,
        write_only=True,
        queryset=Cube.objects.all(),
        help_text="The cubes that may be used: all of the pod's by default",
    )
    slots = serializers.CharField(
        required=False,
        write_only=True,
        help_text="The slots whose cubes may be used, such as 1-4,7: all by default",
    )
    bear = serializers.IntegerField(
        default=0,
        min_value=0,
        max_value=MOST_BORNE,
        write_only=True,
        help_text="How many switches a join of two cubes may lack",
    )
    by_ticket = serializers.BooleanField(
        default=False,
        write_only=True,
        help_text="Ask for it by a ticket: the answer is 202 and the ticket, already submitted",
    )

    class Meta:
        model = Slice
        fields = "__all__"
        read_only_fields = ("id",)
        validators: tuple[()] = ()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Leave it to the making, which knows what stands."""
        return attrs

    def create(self, validated_data: dict[str, Any]) -> Slice:
        """Make the slice, or refuse it whole."""
        facts = dict(validated_data)
        pod = facts.pop("pod")
        facts.pop("by_ticket", None)
        wish = Wish(
            shape=facts.pop("shape"),
            twisted=facts.pop("twisted", False),
            name=facts.pop("name", None),
            slots=self._slots(pod, facts.pop("cubes", None), facts.pop("slots", None)),
            bear=facts.pop("bear", 0),
            description=facts.pop("description", ""),
            status=facts.pop("status", None),
            custom_fields=facts.pop("_custom_field_data", {}),
        )
        facts.pop("id", None)
        try:
            made, _ = make_slice(pod, wish, self.context["request"].user)
        except ValidationError as error:
            raise serializers.ValidationError(serializers.as_serializer_error(error)) from error
        return super().update(made, facts) if facts else made

    def slice_wish(self) -> dict[str, Any]:
        """The wish as a ticket keeps it."""
        facts = self.validated_data
        pod = facts["pod"]
        slots = self._slots(pod, facts.get("cubes"), facts.get("slots"))
        wish = {"shape": facts["shape"], "twisted": facts.get("twisted", False)}
        return (
            wish
            | ({"name": facts["name"]} if facts.get("name") else {})
            | ({} if slots is None else {"slots": format_slots(slots)})
            | ({"bear": facts["bear"]} if facts.get("bear") else {})
        )

    @staticmethod
    def _slots(pod: Pod, cubes: list[Cube] | None, slots: str | None) -> tuple[int, ...] | None:
        named = [] if cubes is None else [set(slots_of(pod, cubes))]
        if slots is not None:
            named.append(set(parse_slots(slots, pod.to_core().slots)))
        return tuple(sorted(set.intersection(*named))) if named else None


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
