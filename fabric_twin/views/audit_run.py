"""Pages of runs: how each went, and how it compares with the run before."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from nautobot.apps.ui import ButtonColorChoices, ObjectDetailContent
from nautobot.apps.views import (
    ObjectBulkDestroyViewMixin,
    ObjectChangeLogViewMixin,
    ObjectDestroyViewMixin,
    ObjectDetailViewMixin,
    ObjectListViewMixin,
    ObjectNotesViewMixin,
)
from rest_framework.decorators import action

from fabric_twin import filters, forms, tables
from fabric_twin.core.discovery.against_record import Compared
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import AuditRun
from fabric_twin.models.audit_run import RunStateChoices
from fabric_twin.panels import LEFT, RIGHT, WIDE
from fabric_twin.panels.audit_run import (
    DiscoveredPanel,
    can_accept,
    can_accept_heard,
    is_audit,
    tell_inputs,
    tell_outcome,
)
from fabric_twin.panels.buttons import RecordButton, document_buttons
from fabric_twin.panels.facts import FactsPanel, FieldsPanel
from fabric_twin.panels.finding_list import ComparedPanel, FoundPanel
from fabric_twin.panels.jobs.progress import ProgressPanel, of_run
from fabric_twin.presenters.runs.audit_report import PRINTED, run_report
from fabric_twin.presenters.runs.discovered import tell_discovered
from fabric_twin.tables.audit_run import seconds
from fabric_twin.views.fabric.discovering import AcceptMixin
from fabric_twin.views.in_pod import breadcrumbs
from fabric_twin.views.page import FollowedPageMixin
from fabric_twin.views.seen_filters import SeenFiltersMixin


class AuditRunUIViewSet(
    FollowedPageMixin,
    AcceptMixin,
    SeenFiltersMixin,
    ObjectDetailViewMixin,
    ObjectListViewMixin,
    ObjectDestroyViewMixin,
    ObjectBulkDestroyViewMixin,
    ObjectChangeLogViewMixin,
    ObjectNotesViewMixin,
):
    """A run: what it found, what is new, what is gone, and its report."""

    queryset = AuditRun.objects.select_related("pod", "before__pod", "job_result")
    action_buttons = ("export",)
    table_class = tables.AuditRunTable
    filterset_class = filters.AuditRunFilterSet
    filterset_form_class = forms.AuditRunFilterForm
    breadcrumbs = breadcrumbs("pod")
    object_detail_content = ObjectDetailContent(
        extra_buttons=[
            RecordButton(
                weight=100,
                label="Accept what light shows",
                icon="mdi-lightbulb-on-outline",
                color=ButtonColorChoices.BLUE,
                link_name="plugins:fabric_twin:auditrun_accept",
                fits=can_accept,
            ),
            RecordButton(
                weight=100,
                label="Accept what neighbours show",
                icon="mdi-lan-connect",
                color=ButtonColorChoices.BLUE,
                link_name="plugins:fabric_twin:auditrun_accept",
                fits=can_accept_heard,
            ),
            *document_buttons("auditrun_report", PRINTED, dict.fromkeys(PRINTED, is_audit)),
        ],
        panels=[
            FieldsPanel(
                weight=100,
                section=LEFT,
                fields=[
                    "pod",
                    "number",
                    "scope",
                    "places",
                    "light",
                    "state",
                    "gate",
                    "message",
                    "started",
                    "duration",
                    "before",
                    "job_result",
                ],
                value_transforms={"duration": [seconds]},
            ),
            ProgressPanel(weight=50, label="Progress", section=RIGHT, find=of_run),
            FactsPanel(weight=100, label="Found", section=RIGHT, tell=tell_outcome),
            FactsPanel(weight=200, label="Looked at", section=RIGHT, tell=tell_inputs),
            FactsPanel(weight=300, label="Cables discovered", section=RIGHT, tell=tell_discovered),
            DiscoveredPanel(weight=10, section=WIDE, how=Compared.ELSEWHERE),
            DiscoveredPanel(weight=20, section=WIDE, how=Compared.NO_RECORD),
            DiscoveredPanel(weight=30, section=WIDE, how=Compared.NOT_SHOWN),
            DiscoveredPanel(weight=40, section=WIDE, how=Compared.NOT_TOLD),
            DiscoveredPanel(weight=50, section=WIDE),
            ComparedPanel(weight=100, label="New", section=WIDE, which="new"),
            ComparedPanel(weight=200, label="Gone", section=WIDE, which="gone"),
            FoundPanel(weight=300, label="Still there", section=WIDE),
            ComparedPanel(weight=400, label="Not seen since", section=WIDE, which="not_seen"),
        ],
    )

    def version_of(self, record: AuditRun) -> str:
        """It goes on until it has ended."""
        return record.state if record.state in RunStateChoices.LIVE else ""

    @action(detail=True, custom_view_base_action="view")
    def report(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """What the run found, as a document."""
        run = self.get_object()
        try:
            name, kind, content = run_report(run, request.GET.get("form", "html"), request.user)
        except FabricTwinError as refusal:
            messages.error(request, str(refusal))
            return HttpResponseRedirect(run.get_absolute_url())
        shown = "inline" if kind.startswith("text/html") else "attachment"
        file = {"Content-Disposition": f'{shown}; filename="{name}"'}
        return HttpResponse(content, content_type=kind, headers=file)
