"""Pages of findings: to look at, to acknowledge, to silence, to open again."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from nautobot.apps.ui import ButtonColorChoices, ObjectDetailContent, ObjectsTablePanel
from nautobot.apps.views import (
    ObjectChangeLogViewMixin,
    ObjectDetailViewMixin,
    ObjectListViewMixin,
    ObjectNotesViewMixin,
)
from rest_framework.decorators import action

from fabric_twin import filters, forms, tables
from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.models import Finding
from fabric_twin.operations.audits.assign_findings import assign_findings
from fabric_twin.operations.audits.finding_life import acknowledge, reopen
from fabric_twin.operations.orders import finding_acts as acts
from fabric_twin.operations.orders import finding_deeds
from fabric_twin.operations.tickets.create import mend_by_ticket
from fabric_twin.panels import LEFT, RIGHT, WIDE
from fabric_twin.panels.buttons import (
    FilledFormButton,
    FittingPostButton,
    OrderWishButton,
    RecordButton,
)
from fabric_twin.panels.drawing import DrawingPanel
from fabric_twin.panels.facts import FactsPanel
from fabric_twin.panels.finding import (
    FindingPanel,
    HistoryPanel,
    LightTestButton,
    RemedyPanel,
    can,
    can_be_drawn,
    draw_finding,
    tell_evidence,
    tell_life,
    tell_proof,
)
from fabric_twin.views.chosen.findings import ChosenFindings
from fabric_twin.views.in_pod import breadcrumbs
from fabric_twin.views.page import PageMixin
from fabric_twin.views.seen_filters import SeenFiltersMixin


class FindingUIViewSet(
    PageMixin,
    SeenFiltersMixin,
    ChosenFindings,
    ObjectDetailViewMixin,
    ObjectListViewMixin,
    ObjectChangeLogViewMixin,
    ObjectNotesViewMixin,
):
    """A finding: its place drawn, what was seen, and what to do."""

    queryset = Finding.objects.select_related("pod", "acknowledged_by", "owner")
    action_buttons = ("export",)
    table_class = tables.FindingTable
    filterset_class = filters.FindingFilterSet
    filterset_form_class = forms.FindingFilterForm
    breadcrumbs = breadcrumbs("pod")
    object_detail_content = ObjectDetailContent(
        extra_buttons=[
            RecordButton(
                weight=100,
                label="Acknowledge",
                icon="mdi-check",
                color=ButtonColorChoices.BLUE,
                link_name="plugins:fabric_twin:finding_acknowledge",
                fits=can(finding_deeds.ACKNOWLEDGE),
            ),
            RecordButton(
                weight=120,
                label="Assign",
                icon="mdi-account-arrow-right-outline",
                color=ButtonColorChoices.BLUE,
                link_name="plugins:fabric_twin:finding_assign",
                fits=can(finding_deeds.ASSIGN),
            ),
            OrderWishButton(
                weight=150,
                label="Repair order",
                kind="repair",
                fill={"pod": "pod_id", "findings": "pk"},
                fits=can(acts.REPAIR),
            ),
            FilledFormButton(
                weight=200,
                label="Silence",
                icon="mdi-bell-off-outline",
                link_name="plugins:fabric_twin:silence_add",
                fill={"pod": "pod_id", "finding": "pk"},
                required_permissions=["fabric_twin.add_silence"],
                fits=can(finding_deeds.SILENCE),
            ),
            FittingPostButton(
                weight=250,
                label="Ticket",
                icon="mdi-ticket-outline",
                link_name="plugins:fabric_twin:finding_ticket",
                required_permissions=["fabric_twin.add_ticket"],
                fits=can(acts.TICKET),
            ),
            LightTestButton(weight=270, label="Light test", icon="mdi-lightbulb-on-outline"),
            FittingPostButton(
                weight=300,
                label="Reopen",
                icon="mdi-restore",
                link_name="plugins:fabric_twin:finding_reopen",
                fits=can(finding_deeds.REOPEN),
            ),
        ],
        panels=[
            FindingPanel(
                weight=100,
                section=LEFT,
                fields=[
                    "pod",
                    "code",
                    "severity",
                    "state",
                    "cause",
                    "key",
                    "first_seen",
                    "opened",
                    "last_seen",
                    "seen",
                    "mended_at",
                    "reopened",
                ],
            ),
            RemedyPanel(weight=100, label="What to do", section=RIGHT),
            FactsPanel(weight=200, label="Impact and status", section=RIGHT, tell=tell_life),
            FactsPanel(weight=250, label="Is it gone?", section=RIGHT, tell=tell_proof),
            FactsPanel(weight=300, label="Evidence", section=RIGHT, tell=tell_evidence),
            DrawingPanel(
                weight=100, label="Place", section=WIDE, draw=draw_finding, fits=can_be_drawn
            ),
            ObjectsTablePanel(
                weight=200,
                section=WIDE,
                table_title="Ports and cables",
                table_class=tables.FindingPlaceTable,
                table_filter="finding",
                select_related_fields=["port__interface__device", "device", "rack", "cable"],
                enable_related_link=False,
                add_button_route=None,
                show_table_config_button=False,
            ),
            HistoryPanel(weight=300, label="History", section=WIDE),
        ],
    )

    @action(detail=True, methods=["get", "post"], custom_view_base_action="view")
    def acknowledge(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """Ask why, then acknowledge."""
        finding = self.get_object()
        form = forms.AcknowledgeForm(request.POST or None)
        if form.is_valid():
            try:
                return self._done(acknowledge(finding, request.user, form.cleaned_data["why"]))
            except UnusableInput as refusal:
                messages.error(request, str(refusal))
            except FabricTwinError as refusal:
                return self._refused(refusal, finding)
        context = {
            "act": "Acknowledge",
            "findings": [finding],
            "form": form,
            "back": finding.get_absolute_url(),
        }
        return render(request, "fabric_twin/finding_act.html", context)

    @action(detail=True, methods=["get", "post"], custom_view_base_action="view")
    def assign(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """Ask who sees to it and by when, then write it down."""
        finding = self.get_object()
        known = {"owner": finding.owner_id, "due": finding.due}
        form = forms.AssignForm(request.POST or None, initial=known)
        if form.is_valid():
            try:
                assign_findings([finding], request.user, form.change())
            except UnusableInput as refusal:
                messages.error(request, str(refusal))
            except FabricTwinError as refusal:
                return self._refused(refusal, finding)
            else:
                messages.success(request, f"{finding}: assigned.")
                return HttpResponseRedirect(finding.get_absolute_url())
        context = {
            "act": "Assign",
            "findings": [finding],
            "form": form,
            "back": finding.get_absolute_url(),
        }
        return render(request, "fabric_twin/finding_act.html", context)

    @action(detail=True, methods=["post"], custom_view_base_action="view")
    def reopen(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """Open it again."""
        finding = self.get_object()
        try:
            return self._done(reopen(finding, request.user))
        except FabricTwinError as refusal:
            return self._refused(refusal, finding)

    @action(
        detail=True,
        methods=["post"],
        custom_view_base_action="view",
        custom_view_additional_permissions=["fabric_twin.add_ticket"],
    )
    def ticket(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """Make a draft of what optics can do about it."""
        finding = self.get_object()
        try:
            made = mend_by_ticket(finding, request.user)
        except FabricTwinError as refusal:
            return self._refused(refusal, finding)
        messages.success(request, f"Made the draft {made.name}: what it changes is reserved.")
        return HttpResponseRedirect(made.get_absolute_url())

    def _done(self, done: Finding) -> HttpResponse:
        messages.success(self.request, f"{done}: {done.get_state_display().lower()}.")
        return HttpResponseRedirect(done.get_absolute_url())

    def _refused(self, refusal: FabricTwinError, finding: Finding) -> HttpResponse:
        messages.error(self.request, str(refusal))
        return HttpResponseRedirect(finding.get_absolute_url())
