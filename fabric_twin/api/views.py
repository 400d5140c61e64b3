"""Lists, details and actions over REST."""

import io
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from nautobot.apps.api import NautobotModelViewSet, ReadOnlyModelViewSet
from nautobot.core.api.views import BulkDestroyModelMixin
from nautobot.extras.api.views import NotesViewSetMixin
from rest_framework.decorators import action
from rest_framework.mixins import DestroyModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from fabric_twin import filters
from fabric_twin.api import answers, serializers
from fabric_twin.api.acts import job_asked
from fabric_twin.api.confirming import ConfirmMixin
from fabric_twin.api.known_fields import check_nothing_sent
from fabric_twin.api.locked import LockedUpdateMixin
from fabric_twin.api.permissions import MayAsk, ReleasePermission, ViewPermission
from fabric_twin.api.refusals import REFUSED, Refusing
from fabric_twin.core.errors import NotPossible
from fabric_twin.models import (
    AgreedCable,
    Block,
    Cube,
    Demand,
    OpticalCircuit,
    Pod,
    Port,
    Slice,
    SlicePart,
    Switch,
    WrittenEnd,
)
from fabric_twin.operations.discovery.ask import ask_for_discovery
from fabric_twin.operations.pods.audit_schedule import ask_for_audit
from fabric_twin.operations.pods.export_cut_sheet import export_cut_sheet
from fabric_twin.operations.slices.as_json import slice_json
from fabric_twin.operations.slices.release import release_slice
from fabric_twin.operations.slices.utilisation import utilisation_of
from fabric_twin.operations.tickets.create import ask_for_slice
from fabric_twin.presenters.asking_user import user_of
from fabric_twin.presenters.light_paths import light_path_json
from fabric_twin.presenters.networks.links_json import links_json
from fabric_twin.presenters.pod_fabric import drawn_json
from fabric_twin.repositories.pod_record import PodRecord

#: A list of wishes, and CSV, which always is one, is answered by a list.
_SLICE = {"$ref": "#/components/schemas/Slice"}
MADE = {"oneOf": [_SLICE, {"type": "array", "items": _SLICE}]}


class Nested:
    """A view of records around Nautobot's own, which it would ask for one by one to nest them."""

    #: What is asked for at once instead, where there is a depth.
    nested: tuple[str, ...] = ()

    def get_queryset(self) -> Any:
        """The records, with what their nested ones will be asked for."""
        queryset = super().get_queryset()  # type: ignore[misc]
        if not self.get_serializer_context()["depth"]:  # type: ignore[attr-defined]
            return queryset
        return queryset.prefetch_related(*self.nested)


class PodViewSet(MayAsk, Refusing, LockedUpdateMixin, NautobotModelViewSet):
    """Pods."""

    may_ask = {"audit": "view", "discover": "view"}  # to look at a pod is no change of it
    queryset = Pod.objects.all()
    serializer_class = serializers.PodSerializer
    filterset_class = filters.PodFilterSet

    @extend_schema(responses={200: answers.UtilisationSerializer} | REFUSED, filters=False)
    @action(detail=True, pagination_class=None)
    def utilisation(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """How much of the pod is in use, and what would fit now."""
        return Response(utilisation_of(self.get_object()))

    @extend_schema(responses={200: answers.LinksSerializer} | REFUSED, filters=False)
    @action(detail=True, pagination_class=None)
    def links(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """The links of a network of blocks, what is left of them, and their load."""
        return Response(links_json(self.get_object(), user_of(request)))

    @extend_schema(
        request=serializers.AuditWishSerializer,
        responses={202: serializers.JobAskedSerializer} | REFUSED,
        filters=False,
    )
    @action(detail=True, methods=["post"], permission_classes=[ViewPermission])
    def audit(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """Have a worker audit the pod; the answer is its job."""
        wish = serializers.AuditWishSerializer(data=request.data)
        wish.is_valid(raise_exception=True)
        result = ask_for_audit(self.get_object(), user_of(request), **wish.validated_data)
        return Response({"job_result": job_asked(result, request)}, status=202)

    @extend_schema(
        request=None, responses={202: serializers.JobAskedSerializer} | REFUSED, filters=False
    )
    @action(detail=True, methods=["post"], permission_classes=[ViewPermission])
    def discover(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """Let a worker learn by light which cable is in which port; the answer is the job."""
        pod = self.get_object()
        check_nothing_sent(request)
        result = ask_for_discovery(pod, user_of(request))
        return Response({"job_result": job_asked(result, request)}, status=202)

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR}, filters=False)
    @action(detail=True, pagination_class=None, url_path="cut-sheet")
    def cut_sheet(self, request: Request, pk: str) -> HttpResponse:  # noqa: ARG002
        """The pod's cables as a cut sheet, a row a cable, for who may see all of them."""
        pod, sheet = self.get_object(), io.StringIO()
        export_cut_sheet(PodRecord(pod), sheet, user_of(request))
        file = {"Content-Disposition": f'attachment; filename="{pod.name}-cables.csv"'}
        return HttpResponse(sheet.getvalue(), content_type="text/csv; charset=utf-8", headers=file)

    @extend_schema(responses={200: OpenApiTypes.OBJECT} | REFUSED, filters=False)
    @action(detail=True, pagination_class=None)
    def drawn(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """All that maps of the pod show, for who may see all of it."""
        record = PodRecord(self.get_object())
        return Response(drawn_json(record, user_of(request)))


class CubeViewSet(ConfirmMixin, MayAsk, Refusing, NautobotModelViewSet):
    """Cubes in their slots."""

    may_ask = {"confirm": "view"}
    queryset = Cube.objects.select_related("pod", "rack")
    serializer_class = serializers.CubeSerializer
    filterset_class = filters.CubeFilterSet


class BlockViewSet(ConfirmMixin, MayAsk, Nested, Refusing, NautobotModelViewSet):
    """Blocks of networks."""

    may_ask = {"confirm": "view"}
    nested = ("device__parent_bay",)

    queryset = Block.objects.select_related("pod", "device__location", "device__tenant")
    serializer_class = serializers.BlockSerializer
    filterset_class = filters.BlockFilterSet


class DemandViewSet(
    Refusing,
    NotesViewSetMixin,
    LockedUpdateMixin,
    DestroyModelMixin,
    BulkDestroyModelMixin,
    ReadOnlyModelViewSet,
):
    """What blocks ask of each other on a day. An import writes it; people describe it."""

    queryset = Demand.objects.select_related("pod")
    serializer_class = serializers.DemandSerializer
    filterset_class = filters.DemandFilterSet
    http_method_names = ["get", "head", "options", "patch", "post", "delete"]


class SwitchViewSet(ConfirmMixin, MayAsk, Nested, Refusing, NautobotModelViewSet):
    """Switches."""

    may_ask = {"confirm": "view"}
    nested = ("device__parent_bay",)

    queryset = Switch.objects.select_related("pod", "device__location", "device__tenant")
    serializer_class = serializers.SwitchSerializer
    filterset_class = filters.SwitchFilterSet


class PortViewSet(Nested, Refusing, ReadOnlyModelViewSet):
    """Ports: interfaces of trays and switches by their numbers in the design's layout."""

    nested = (
        "interface__cable_paths__destination",
        "interface__cable_termination__cable__cable_type",
        "interface__cable_termination__cable__terminations__interface",
        "switch__device__parent_bay",
    )

    # Asked for after the rows are chosen: joined, PostgreSQL would join all ports to show fifty.
    queryset = Port.objects.prefetch_related(
        "pod",
        "interface__device__location",
        "interface__device__tenant",
        "cube__pod",
        "cube__rack__location",
        "cube__rack__rack_group",
        "block__pod",
        "block__device__location",
        "block__device__tenant",
        "switch__pod",
        "switch__device__location",
        "switch__device__tenant",
        "module_bay__parent_device__location",
        "module_bay__parent_device__tenant",
    )
    serializer_class = serializers.PortSerializer
    filterset_class = filters.PortFilterSet

    def get_queryset(self) -> Any:
        """The ports without the joins that Nautobot adds for what a serializer shows."""
        return super().get_queryset().select_related(None)

    @extend_schema(responses={200: answers.LightPathSerializer} | REFUSED, filters=False)
    @action(detail=True, pagination_class=None, url_path="light-path")
    def light_path(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """What the light of the port passes: cables, a circuit, and the ports on the way."""
        return Response(light_path_json(self.get_object(), user_of(request)))


class SlicePartViewSet(Refusing, ReadOnlyModelViewSet):
    """Which cubes are which places of slices."""

    queryset = SlicePart.objects.select_related("slice__pod", "cube__pod")
    serializer_class = serializers.SlicePartSerializer
    filterset_class = filters.SlicePartFilterSet


class WrittenEndViewSet(Nested, Refusing, ReadOnlyModelViewSet):
    """Ends of cables that no port takes; loading and adopting write them."""

    nested = ("cable__terminations__interface",)

    queryset = WrittenEnd.objects.select_related("pod", "cable__status")
    serializer_class = serializers.WrittenEndSerializer
    filterset_class = filters.WrittenEndFilterSet


class AgreedCableViewSet(Nested, Refusing, ReadOnlyModelViewSet):
    """When light last agreed with cables, as audits saw it."""

    nested = ("cable__terminations__interface",)

    queryset = AgreedCable.objects.select_related("agreement__pod", "cable__status")
    serializer_class = serializers.AgreedCableSerializer
    filterset_class = filters.AgreedCableFilterSet


class OpticalCircuitViewSet(Refusing, NautobotModelViewSet):
    """Circuits. Those of a slice are its own until it is released."""

    queryset = OpticalCircuit.objects.select_related(
        "switch__device__location", "switch__device__tenant", "switch__pod", "slice__pod"
    )
    serializer_class = serializers.OpticalCircuitSerializer
    filterset_class = filters.OpticalCircuitFilterSet

    def perform_destroy(self, instance: OpticalCircuit) -> None:
        """Delete a circuit that no slice holds."""
        serializers.check_not_held(instance)
        super().perform_destroy(instance)


@extend_schema_view(
    create=extend_schema(
        request=serializers.SliceWishSerializer,
        responses={201: MADE, 202: serializers.TicketSerializer} | REFUSED,
    ),
    destroy=extend_schema(responses={204: None} | REFUSED),
)
class SliceViewSet(MayAsk, Refusing, NautobotModelViewSet):
    """Slices. POST creates one, DELETE releases it."""

    may_ask = {"release": "delete"}
    queryset = Slice.objects.select_related("pod")
    serializer_class = serializers.SliceSerializer
    filterset_class = filters.SliceFilterSet

    def get_serializer_class(self) -> Any:
        """A wish where a slice is to be made."""
        if getattr(self.request, "method", "") == "POST" and self.action in {"create", "metadata"}:
            return serializers.SliceWishSerializer
        return super().get_serializer_class()

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Make a slice at once, or ask for it by a ticket, which a scheduler then follows."""
        given: Any = request.data
        if not isinstance(given, dict) or not given.get("by_ticket"):
            return super().create(request, *args, **kwargs)
        wish = self.get_serializer(data=given)
        wish.is_valid(raise_exception=True)
        ticket = ask_for_slice(wish.slice_wish(), wish.validated_data["pod"], user_of(request))
        shown = serializers.TicketSerializer(ticket, context=self.get_serializer_context())
        return Response(shown.data, status=202)

    def perform_destroy(self, instance: Slice) -> None:
        """Release the slice: its circuits go with it, but for those that are still seen."""
        release_slice(instance, user_of(self.request))

    @extend_schema(request=None, responses={200: answers.ReleasedSerializer} | REFUSED)
    @action(detail=True, methods=["post"], permission_classes=[ReleasePermission])
    def release(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """Release the slice, and say what was freed."""
        made = self.get_object()
        check_nothing_sent(request)
        released = release_slice(made, user_of(request))
        if released is None:
            raise NotPossible(
                "it is released already", where=f"slice {made.name}", remedy="Nothing is left to do"
            )
        return Response(answers.ReleasedSerializer(released).data)

    @extend_schema(responses={200: answers.SliceCircuitsSerializer} | REFUSED, filters=False)
    @action(detail=True, pagination_class=None)
    def circuits(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """The slice with its cubes and circuits, as the command line writes it."""
        return Response(slice_json(self.get_object(), user_of(request)))
