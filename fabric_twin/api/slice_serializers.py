"""Slices as JSON and CSV: what is left of each, what findings take of it, the wish for one."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from drf_spectacular.utils import extend_schema_field
from nautobot.apps.api import BaseModelSerializer
from nautobot.extras.models import Status
from rest_framework import serializers

from fabric_twin.api.answers import CapacitySerializer
from fabric_twin.api.known_fields import RecordSerializer
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.slices.bearing_cubes import MOST_BORNE
from fabric_twin.core.slices.boxes import check_anywhere
from fabric_twin.core.slots import format_slots, parse_slots
from fabric_twin.models import Cube, Finding, Pod, Slice, SlicePart
from fabric_twin.operations.audits.slices_hit import HitBy, may_hit, slices_hit
from fabric_twin.operations.slices.bearing import Left, LeftOfSlices
from fabric_twin.operations.slices.make import Wish, make_slice, slots_of
from fabric_twin.presenters.asking_user import user_of


class SlicePartSerializer(BaseModelSerializer):
    """A cube's place in a slice."""

    class Meta:
        model = SlicePart
        fields = "__all__"


class SliceSerializer(RecordSerializer):
    """A slice in use; its shape and its cubes stay what they are until it is released."""

    capacity = serializers.SerializerMethodField()
    slowest_link = serializers.SerializerMethodField()

    @extend_schema_field(CapacitySerializer(allow_null=True))
    def get_capacity(self, made: Slice) -> Mapping[str, float] | None:
        """What is left of each axis; null where the slice has no circuits to lose."""
        left = self._left(made)
        return left.capacity if left else None

    def get_slowest_link(self, made: Slice) -> float | None:
        """The share of a link that its traffic has where most detours share its circuit."""
        left = self._left(made)
        return left.slowest_link if left else None

    def _left(self, made: Slice) -> Left | None:
        """Asked for once for all slices of an answer; not for webhooks and the change log."""
        if not self.context.get("request"):
            return None
        kept: LeftOfSlices = self.context.setdefault("left of slices", LeftOfSlices())
        of_list = isinstance(self.parent, serializers.ListSerializer) and self.parent.instance
        return kept.of(made, list(of_list) if of_list else ())

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


@extend_schema_field(serializers.ListField(child=serializers.DictField(), allow_null=True))
class SlicesHitField(serializers.Field[Any, Any, Any, Finding]):
    """The capacity of each slice before and after, as they are now.

    Null in webhooks and in the change log, which no user asks for, and where the design of the pod
    is not installed.
    """

    def __init__(self, **how: Any) -> None:
        """It is of the whole record, and nobody writes it."""
        super().__init__(**how, source="*", read_only=True)

    def to_representation(self, finding: Finding) -> list[dict[str, Any]] | None:
        """One object for each slice."""
        if not (request := self.context.get("request")):
            return None
        if not may_hit(finding):
            return []
        # The rows of a list share this context, so a pod is read once.
        by_pod: dict[Any, HitBy | None] = self.context.setdefault("slices_hit", {})
        if finding.pod_id not in by_pod:
            try:
                by_pod[finding.pod_id] = slices_hit(finding.pod, user_of(request))
            except FabricTwinError:
                by_pod[finding.pod_id] = None
        known = by_pod[finding.pod_id]
        return None if known is None else [hit.as_json() for hit in known.get(finding.pk, ())]


class _SeenCubes(serializers.PrimaryKeyRelatedField[Any]):
    """Cubes that the user may see."""

    def get_queryset(self) -> Any:
        return Cube.objects.restrict(self.context["request"].user, "view")


#: What is said of a slice of cubes alone, and of a cluster's job alone.
_OF_CUBES = ("twisted", "bear", "anywhere")
_OF_JOBS = ("processors", "sequence", "axes", "both_ways")


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
    anywhere = serializers.BooleanField(
        default=False,
        write_only=True,
        help_text="In a static pod: at any cube, not only at multiples of the slice's sides",
    )
    processors = serializers.IntegerField(
        required=False, min_value=1, write_only=True, help_text="Of a small job of a cluster"
    )
    sequence = serializers.IntegerField(
        required=False,
        min_value=1,
        write_only=True,
        help_text="Of a cluster's job: its processors one after the other",
    )
    axes = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        write_only=True,
        help_text='Of a cluster\'s job: what its rings are called and their planes, ["layer=row"]',
    )
    both_ways = serializers.BooleanField(
        required=False, write_only=True, help_text="Of a cluster's job: a ring each way"
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
        extra_kwargs = {
            "shape": {
                "required": False,
                "help_text": "Chips along each axis, such as 8x8x16; of a cluster's job rows by "
                "columns of groups, such as 2x3",
            }
        }
        validators: tuple[()] = ()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Leave it to the making, which knows what stands; only words of others are refused."""
        if attrs["pod"].is_cluster:
            unknown = [name for name in _OF_CUBES if attrs.get(name)]
            said = "A job of a cluster has none."
        else:
            unknown = [name for name in _OF_JOBS if attrs.get(name)]
            said = "Only a job of a cluster has it."
            if "shape" not in attrs:
                raise serializers.ValidationError({"shape": "This field is required."})
        if unknown:
            raise serializers.ValidationError(dict.fromkeys(unknown, said))
        return attrs

    def create(self, validated_data: dict[str, Any]) -> Slice:
        """Make the slice, or refuse it whole."""
        facts = dict(validated_data)
        pod = facts.pop("pod")
        facts.pop("by_ticket", None)
        wish = Wish(
            shape=facts.pop("shape", ""),
            twisted=facts.pop("twisted", False),
            name=facts.pop("name", None),
            slots=self._slots(pod, facts.pop("cubes", None), facts.pop("slots", None)),
            bear=facts.pop("bear", 0),
            anywhere=facts.pop("anywhere", False),
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
        if pod.is_cluster:
            words = {name: facts[name] for name in ("name", "shape", *_OF_JOBS) if facts.get(name)}
            return words | ({} if slots is None else {"slots": format_slots(slots)})
        check_anywhere(pod.to_core(), anywhere=facts.get("anywhere", False))
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
        if not named:
            return None
        if found := set.intersection(*named):
            return tuple(sorted(found))
        raise serializers.ValidationError({"slots": "None of them has one of the cubes."})
