"""Multislices over REST: asked for, looked at, and released as one."""

from dataclasses import fields
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from nautobot.apps.api import BaseModelSerializer, ReadOnlyModelViewSet
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from fabric_twin import filters
from fabric_twin.api.known_fields import RecordSerializer, check_nothing_sent
from fabric_twin.api.refusals import REFUSED, Refusing
from fabric_twin.api.ticket_serializers import TicketSerializer
from fabric_twin.api.wished import WishedViewSet
from fabric_twin.core.superpods.rings import MOST_LEAST
from fabric_twin.core.topology.network import AT_ONCE, MOST_SWITCHES
from fabric_twin.models import Multislice, MultislicePart, Pod
from fabric_twin.operations.networks.rings import jobs_of
from fabric_twin.operations.superpods.ask import MultisliceWish, ask_for_multislice
from fabric_twin.operations.superpods.release import release_multislice
from fabric_twin.presenters.asking_user import user_of
from fabric_twin.presenters.networks.rings import RingsSight


class MultisliceSerializer(RecordSerializer):
    """A job over several pods; what it is stays until it is released."""

    state = serializers.SerializerMethodField()

    def get_state(self, made: Multislice) -> str | None:
        """planned, running, without rings, incomplete, releasing or ended.

        Null inside another record, which only names it.
        """
        of_list = isinstance(self.parent, serializers.ListSerializer) and self.parent.instance
        if not of_list and self.root is not self:
            return None
        kept: dict[Any, str] = self.context.setdefault("states of multislices", {})
        if made.pk not in kept:
            jobs = jobs_of(list(of_list) if of_list else [made])
            kept.update({job.multislice.pk: str(job.state) for job in jobs})
        return kept[made.pk]

    class Meta:
        model = Multislice
        fields = "__all__"
        read_only_fields = ("pod", "name", "shape", "author", "least", "gigabytes", "ticket")

    def validate(self, data: Any) -> Any:
        """Refuse rows of Nautobot's CSV import: they would bring no tickets."""
        if self.instance is None:
            raise serializers.ValidationError("Ask for multislices on their page or over REST.")
        return super().validate(data)


class _SeenPods(serializers.PrimaryKeyRelatedField[Any]):
    """Pods that the user may see."""

    def get_queryset(self) -> Any:
        return Pod.objects.restrict(self.context["request"].user, "view")


class MultisliceWishSerializer(MultisliceSerializer):
    """The job to make."""

    pods = _SeenPods(
        many=True, write_only=True, queryset=Pod.objects.all(), help_text="Two or more, of cubes"
    )
    least = serializers.IntegerField(default=1, min_value=1, max_value=MOST_LEAST)
    gigabytes = serializers.FloatField(default=140.0, min_value=0.001, max_value=1e9)
    at_once = serializers.IntegerField(
        default=AT_ONCE, min_value=1, max_value=MOST_SWITCHES, write_only=True
    )

    class Meta:
        model = Multislice
        fields = (
            *("pod", "pods", "name", "shape", "owner", "least", "gigabytes", "at_once"),
            "description",
            "tags",
            "custom_fields",
        )
        validators = ()

    def validate(self, data: Any) -> Any:
        """Leave it to the asking, which checks all of it."""
        return data

    def wish(self) -> MultisliceWish:
        """What is asked for."""
        told = self.validated_data
        known = {one.name for one in fields(MultisliceWish)}
        facts = {name: value for name, value in told.items() if name in known}
        lists = {name: tuple(told.get(name, ())) for name in ("pods", "tags")}
        own = {"custom_fields": told.get("_custom_field_data", {})}
        return MultisliceWish(**facts | lists | own)


class ReleaseAskedSerializer(serializers.Serializer[Any]):
    """The tickets that release a job, or are withdrawn with it."""

    version = serializers.IntegerField()
    tickets = TicketSerializer(many=True)


@extend_schema_view(
    create=extend_schema(
        request=MultisliceWishSerializer, responses={201: MultisliceSerializer} | REFUSED
    )
)
class MultisliceViewSet(WishedViewSet):
    """Multislices. POST asks for one; `rings/` is how it stands."""

    queryset = Multislice.objects.select_related("pod", "author", "ticket__pod")
    serializer_class = MultisliceSerializer
    filterset_class = filters.MultisliceFilterSet
    wish_class = MultisliceWishSerializer

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ARG002
        """Ask for a job over several pods: its tickets are submitted."""
        wish = self.get_serializer(data=request.data)
        wish.is_valid(raise_exception=True)
        made = ask_for_multislice(wish.validated_data["pod"], wish.wish(), user_of(request))
        shown = MultisliceSerializer(made, context=self.get_serializer_context())
        return Response(shown.data, status=201)

    @extend_schema(responses={200: OpenApiTypes.OBJECT} | REFUSED, filters=False)
    @action(detail=True, pagination_class=None, filterset_class=None)
    def rings(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """Its pods in ring order, their slices and tickets, and what each pair keeps of links."""
        return Response(RingsSight(self.get_object(), user_of(request)).as_json())

    @extend_schema(request=None, responses={200: ReleaseAskedSerializer} | REFUSED)
    @action(detail=True, methods=["post"])
    def release(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """Ask for the release of its slices and rings, and answer with the tickets of that."""
        made = self.get_object()
        check_nothing_sent(request)
        tickets = release_multislice(made, user_of(request))
        context = self.get_serializer_context()
        shown = [TicketSerializer(ticket, context=context).data for ticket in tickets]
        return Response({"version": 1, "tickets": shown})


class MultislicePartSerializer(BaseModelSerializer):
    """A pod's place on the rings of a multislice."""

    class Meta:
        model = MultislicePart
        fields = "__all__"


class MultislicePartViewSet(Refusing, ReadOnlyModelViewSet):
    """Which pods are which places on the rings of multislices."""

    queryset = MultislicePart.objects.select_related("multislice__pod", "pod", "ticket__pod")
    serializer_class = MultislicePartSerializer
    filterset_class = filters.MultislicePartFilterSet
