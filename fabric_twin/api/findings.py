"""Runs, findings, silences and substitutions over REST."""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from nautobot.apps.api import NautobotModelViewSet, ReadOnlyModelViewSet
from nautobot.extras.api.views import NotesViewSetMixin
from rest_framework.decorators import action
from rest_framework.mixins import DestroyModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from fabric_twin import filters
from fabric_twin.api import serializers
from fabric_twin.api.documents import attachment, document_in
from fabric_twin.api.known_fields import check_nothing_sent
from fabric_twin.api.locked import LockedUpdateMixin
from fabric_twin.api.permissions import MayAsk, ViewPermission
from fabric_twin.api.refusals import REFUSED, Refusing
from fabric_twin.api.views import Nested
from fabric_twin.models import AuditRun, Finding, FindingPlace, Silence, Substitution
from fabric_twin.operations.audits.assign_findings import assign_findings
from fabric_twin.operations.audits.finding_life import acknowledge, reopen
from fabric_twin.operations.discovery.accept import accept_cables
from fabric_twin.presenters.asking_user import user_of
from fabric_twin.presenters.runs.audit_report import FORMS, run_report
from fabric_twin.presenters.runs.discovered import discovery_json
from fabric_twin.repositories.permissions import require_of
from fabric_twin.repositories.pod_record import PodRecord


class SubstitutionViewSet(Refusing, NautobotModelViewSet):
    """Spares in place of ports."""

    queryset = Substitution.objects.select_related(
        "port__pod", "port__interface__device", "spare__pod", "spare__interface__device"
    )
    serializer_class = serializers.SubstitutionSerializer
    filterset_class = filters.SubstitutionFilterSet


class SilenceViewSet(Refusing, NautobotModelViewSet):
    """Rules that keep findings quiet."""

    queryset = Silence.objects.select_related(
        "pod", "finding__pod", "device", "cable", "tag", "user"
    )
    serializer_class = serializers.SilenceSerializer
    filterset_class = filters.SilenceFilterSet


class AuditRunViewSet(MayAsk, Refusing, NotesViewSetMixin, DestroyModelMixin, ReadOnlyModelViewSet):
    """Runs. POST to a pod's `audit/` or `discover/` makes one."""

    may_ask = {"accept": "view"}
    queryset = AuditRun.objects.select_related("pod", "before__pod", "job_result")
    serializer_class = serializers.AuditRunSerializer
    filterset_class = filters.AuditRunFilterSet

    @document_in(FORMS)
    def report(self, request: Request, pk: str) -> HttpResponse:  # noqa: ARG002
        """What the run found, as a document."""
        run = self.get_object()
        return attachment(*run_report(run, request.GET.get("form", "html"), user_of(request)))

    @extend_schema(responses={200: OpenApiTypes.OBJECT} | REFUSED, filters=False)
    @action(detail=True, pagination_class=None)
    def cables(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """What light showed of cables, for who may see all of the pod's."""
        run = self.get_object()
        require_of(user_of(request), "view", PodRecord(run.pod).behind_cables)
        return Response(discovery_json(run))

    @extend_schema(
        request=serializers.AcceptSerializer,
        responses={200: serializers.AuditRunSerializer} | REFUSED,
        filters=False,
    )
    @action(detail=True, methods=["post"], permission_classes=[ViewPermission])
    def accept(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """Record cables where light showed them, by their numbers in `cables/`: all or none."""
        said = serializers.AcceptSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        run = self.get_object()
        accept_cables(
            run, user_of(request), said.validated_data["cables"], said.validated_data["reason"]
        )
        run.refresh_from_db()
        return Response(self.get_serializer(run).data)


class FindingViewSet(MayAsk, Refusing, NotesViewSetMixin, LockedUpdateMixin, ReadOnlyModelViewSet):
    """Findings. Runs write them; people acknowledge and tag them."""

    may_ask = {"acknowledge": "view", "reopen": "view", "assign": "view"}
    queryset = Finding.objects.select_related("pod", "acknowledged_by", "owner").prefetch_related(
        "slices__pod"
    )
    serializer_class = serializers.FindingSerializer
    filterset_class = filters.FindingFilterSet
    http_method_names = ["get", "head", "options", "patch", "post"]

    @extend_schema(
        request=serializers.WhySerializer,
        responses={200: serializers.FindingSerializer} | REFUSED,
        filters=False,
    )
    @action(detail=True, methods=["post"], permission_classes=[ViewPermission])
    def acknowledge(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """Say that you know of it, and what will be done or why nothing needs to be."""
        said = serializers.WhySerializer(data=request.data)
        said.is_valid(raise_exception=True)
        done = acknowledge(self.get_object(), user_of(request), said.validated_data["why"])
        return Response(self.get_serializer(done).data)

    @extend_schema(
        request=serializers.AssignFindingSerializer,
        responses={200: serializers.FindingSerializer} | REFUSED,
        filters=False,
    )
    @action(detail=True, methods=["post"], permission_classes=[ViewPermission])
    def assign(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """Say who is responsible for it, and by when."""
        said = serializers.AssignFindingSerializer(data=request.data)
        said.is_valid(raise_exception=True)
        finding = self.get_object()
        assign_findings([finding], user_of(request), said.validated_data)
        finding.refresh_from_db()
        return Response(self.get_serializer(finding).data)

    @extend_schema(
        request=None, responses={200: serializers.FindingSerializer} | REFUSED, filters=False
    )
    @action(detail=True, methods=["post"], permission_classes=[ViewPermission])
    def reopen(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """Reopen it: clear its acknowledgement, its owner, or that it was mended."""
        finding = self.get_object()
        check_nothing_sent(request)
        return Response(self.get_serializer(reopen(finding, user_of(request))).data)


class FindingPlaceViewSet(Nested, Refusing, ReadOnlyModelViewSet):
    """Ports and cables of findings."""

    nested = (
        "device__location",
        "device__tenant",
        "device__parent_bay",
        "rack__location",
        "rack__rack_group",
        "cable__status",
        "cable__cable_type",
        "cable__terminations__interface",
        "port__interface__device",
    )

    queryset = FindingPlace.objects.select_related(
        "finding__pod", "port__pod", "device", "rack", "cable"
    )
    serializer_class = serializers.FindingPlaceSerializer
    filterset_class = filters.FindingPlaceFilterSet
