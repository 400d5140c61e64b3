"""Pages of tickets: to wish, to look, to decide, to follow, and to undo."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from nautobot.apps.ui import ObjectDetailContent
from nautobot.apps.views import (
    ObjectChangeLogViewMixin,
    ObjectDataComplianceViewMixin,
    ObjectDetailViewMixin,
    ObjectListViewMixin,
    ObjectNotesViewMixin,
)
from nautobot.users.models import User
from rest_framework.decorators import action
from rest_framework.response import Response

from fabric_twin import filters, forms, tables
from fabric_twin.core.errors import FabricTwinError, NotPermitted, UnusableInput
from fabric_twin.core.tickets.called import called
from fabric_twin.core.tickets.drains import labels
from fabric_twin.documents.sheet import Table
from fabric_twin.documents.tickets import ticket as told
from fabric_twin.documents.tickets.facts import TicketFacts
from fabric_twin.documents.tickets.ticket_files import FORMS
from fabric_twin.models import Finding, Pod, Ticket
from fabric_twin.models.ticket import DirectionChoices, TicketKindChoices, kind_told
from fabric_twin.operations.tickets.actions import CONFIRM_DRAINED, TICKET_DEEDS
from fabric_twin.operations.tickets.changes.drains import not_drained
from fabric_twin.operations.tickets.create import refusal_of_draft, wish_ticket
from fabric_twin.operations.tickets.drafts.make import edit_ticket
from fabric_twin.operations.tickets.drafts.propose import propose_ticket
from fabric_twin.operations.tickets.drafts.terms import check_terms
from fabric_twin.panels import LEFT, RIGHT, WIDE
from fabric_twin.panels.buttons import RecordButton, act_buttons, document_buttons
from fabric_twin.panels.drawing import DrawingPanel
from fabric_twin.panels.facts import FactsPanel
from fabric_twin.panels.sheet import SheetPanel
from fabric_twin.panels.ticket import (
    NAMING,
    ProgressPanel,
    WorkflowPanel,
    WorkflowTab,
    draw_change,
    drawn_in_page,
    facts_of,
    has_window,
    is_draft,
    links_of,
    progress_of,
    seen_of,
    tell_about,
    tell_concerns,
)
from fabric_twin.presenters.acts import TICKET_ACTS, told_of
from fabric_twin.presenters.name_links import NameLinks
from fabric_twin.presenters.ticket import proposal_facts, ticket_document_of, ticket_page
from fabric_twin.views.acting import ActingView
from fabric_twin.views.chosen.tickets import ChosenTickets
from fabric_twin.views.in_pod import breadcrumbs
from fabric_twin.views.page import PageMixin
from fabric_twin.views.seen_filters import SeenFiltersMixin


def _sheet(
    weight: int, label: str, of: Callable[[TicketFacts], Table], section: str = WIDE
) -> SheetPanel:
    return SheetPanel(
        weight=weight,
        label=label,
        section=section,
        of=lambda ticket: of(facts_of(ticket)),
        links=links_of if of in NAMING else None,
    )


def _drawing() -> DrawingPanel:
    return DrawingPanel(
        weight=200,
        label="What it changes",
        section=WIDE,
        draw=draw_change,
        nothing=lambda ticket: told.no_change(facts_of(ticket).called),
    )


def _pod(user: User, key: str) -> Pod | None:
    """The pod that a form is about, where the user may see it."""
    try:
        found: Pod | None = Pod.objects.restrict(user, "view").filter(pk=key or None).first()
    except ValidationError:
        return None
    return found


def _finding(user: User, pod: Pod, key: str) -> Finding:
    """The finding of a pod that a form was opened from."""
    rows = Finding.objects.restrict(user, "view").filter(pod=pod)
    try:
        finding: Finding = rows.get(pk=key)
    except (Finding.DoesNotExist, ValidationError) as error:
        raise UnusableInput(
            f"the pod {pod.name} has no finding {key[:40]!r}, or you may not see it",
            where="finding",
            remedy="Open the form from the page of a finding",
        ) from error
    return finding


class TicketUIViewSet(
    PageMixin,
    SeenFiltersMixin,
    ActingView,
    ChosenTickets,
    ObjectDetailViewMixin,
    ObjectListViewMixin,
    ObjectChangeLogViewMixin,
    ObjectDataComplianceViewMixin,
    ObjectNotesViewMixin,
):
    """A ticket: its steps, its change drawn, whom it concerns, and what can be done with it."""

    queryset = Ticket.objects.select_related(
        "pod", "author", "approved_by", "reviewed_by", "revises__pod", "finding", "slice"
    )
    deeds, acts = TICKET_DEEDS, TICKET_ACTS
    action_buttons = ("add", "export")
    table_class = tables.TicketTable
    filterset_class = filters.TicketFilterSet
    filterset_form_class = forms.TicketFilterForm
    breadcrumbs = breadcrumbs("pod")
    object_detail_content = ObjectDetailContent(
        extra_buttons=[
            RecordButton(
                weight=90,
                label="Edit",
                icon="mdi-pencil",
                link_name="plugins:fabric_twin:ticket_edit_draft",
                required_permissions=["fabric_twin.change_ticket"],
                fits=is_draft,
            ),
            *act_buttons("ticket", TICKET_ACTS, TICKET_DEEDS),
            *document_buttons("ticket_document", FORMS, {"ics": has_window}),
        ],
        panels=[
            ProgressPanel(weight=50, label="Progress", section=LEFT),
            FactsPanel(weight=100, label=told.ABOUT, section=LEFT, tell=tell_about),
            FactsPanel(weight=100, label=told.CONCERNS, section=RIGHT, tell=tell_concerns),
            _sheet(150, told.PAIRS, told.pairs, RIGHT),
            _sheet(200, told.DRAINS, told.drained, RIGHT),
            _sheet(300, told.RECORDS, told.records, RIGHT),
            _sheet(100, told.STAGES, told.stages),
            _sheet(150, "", told.bad),
            _sheet(160, told.WORSE, told.worse),
            _drawing(),
            _sheet(300, told.CHECKS, told.checks),
            _sheet(400, told.HISTORY, told.history),
        ],
        extra_tabs=[
            WorkflowTab(
                weight=900,
                tab_id="approvalworkflow",
                label="Approval",
                url_name="plugins:fabric_twin:ticket_approvalworkflow",
                panels=[
                    WorkflowPanel(weight=100, label="Approval workflow", section=WIDE),
                    _sheet(150, told.RECORDS, told.records),
                    _sheet(155, told.PAIRS, told.pairs),
                    _sheet(160, told.DRAINS, told.drained),
                    _drawing(),
                ],
            )
        ],
    )

    def create(self, request: Any) -> HttpResponse:
        """Wish for something: look at what it would do, then make a draft of it."""
        if not request.user.has_perm("fabric_twin.add_ticket"):
            raise PermissionDenied
        pod = _pod(request.user, request.POST.get("pod") or request.GET.get("pod", ""))
        wishes = forms.OF_CLUSTERS if pod and pod.is_cluster else forms.WISHES
        chosen = request.GET.get("kind", TicketKindChoices.SLICE)
        wish_form = wishes.get(chosen, wishes[TicketKindChoices.SLICE])
        given = request.POST or None
        initial = wish_form.initial_of(request.GET)
        form = wish_form(given, request.FILES or None, initial=initial)
        context = {
            "form": form,
            "kinds": [(kind, kind_told(kind, pod)) for kind in wishes],
            "chosen": wish_form.kind,
            "heading": f"A ticket: {kind_told(wish_form.kind, pod).lower()}",
            "finding": request.POST.get("finding") or request.GET.get("finding", ""),
            "pod": pod.pk if pod else "",
            "list": reverse("plugins:fabric_twin:ticket_list"),
        }
        if form.is_valid():
            try:
                if "make" in request.POST:
                    return self._made(request, form, context["finding"])
                context |= self._looked(request, form, context["finding"])
            except FabricTwinError as refusal:
                context["refusal"] = NameLinks(request.user, pod, [refusal]).linked(refusal)
        return render(request, "fabric_twin/ticket_wish.html", context)

    def _made(self, request: Any, form: Any, finding: str) -> HttpResponse:
        """Make the draft, and go to its page."""
        pod = form.cleaned_data["pod"]
        made = wish_ticket(
            pod,
            form.kind,
            form.wish(),
            request.user,
            form.terms(),
            finding=_finding(request.user, pod, finding) if finding else None,
        )
        messages.success(request, f"Made the draft {made.name}: what it changes is reserved.")
        return HttpResponseRedirect(made.get_absolute_url())

    @staticmethod
    def _looked(request: Any, form: Any, finding: str) -> dict[str, Any]:
        """What the wish would do, and what keeps it from being made; nothing is held yet."""
        user, given = request.user, form.cleaned_data
        pod = Pod.objects.restrict(user, "view").get(pk=given["pod"].pk)
        check_terms(given["window_start"], given["window_end"], given["most_bad"] or 0)
        about = _finding(user, pod, finding) if finding else None
        found = propose_ticket(pod, form.kind, form.wish(), user=user)
        refused = refusal_of_draft(pod, found, user, form.terms(), finding=about)
        if isinstance(refused, NotPermitted):
            raise refused  # nor is told what it would do
        facts = proposal_facts(found, user, pod)
        if "kept" in form.fields:
            form.data = form.data.copy()
            form.data["kept"] = form.fields["kept"].prepare_value(form.wish()["circuits"])
        sections = told.decided_on(facts)
        texts = [cell for section in sections for row in section.rows for cell in row]
        links = NameLinks(user, pod, [*texts, refused or ""])
        return {
            "proposed": facts.title,
            "refused": links.linked(refused) if refused else "",
            "sections": [
                replace(one, rows=[tuple(map(links.linked, row)) for row in one.rows])
                for one in sections
            ],
            **drawn_in_page(facts),
        }

    @action(
        detail=True,
        methods=["get", "post"],
        url_path="edit-draft",
        url_name="edit_draft",
        custom_view_base_action="change",
    )
    def edit_draft(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """Change what people decide about a draft; nothing else is ever edited."""
        ticket = self.get_object()
        fields = ("title", "reason", "window_start", "window_end", "on_failure", "most_bad")
        known = {name: getattr(ticket, name) for name in fields}
        form = forms.TermsForm(request.POST or None, initial=known)
        context = {"object": ticket, "form": form}
        if form.is_valid():
            try:
                edit_ticket(ticket, request.user, form.terms())
            except FabricTwinError as refusal:
                context["refusal"] = str(refusal)
            else:
                messages.success(request, f"Changed {ticket.name}.")
                return HttpResponseRedirect(ticket.get_absolute_url())
        return render(request, "fabric_twin/ticket_edit.html", context)

    def form_of(self, deed: Any, record: Ticket, given: Any) -> forms.DeedForm:
        """A word; of some acts a window, or slices."""
        left = not_drained(record) if deed.name == CONFIRM_DRAINED else []
        return forms.DeedForm(
            given,
            deed=deed.name,
            needs_reason=deed.needs_reason,
            initial={
                "start": record.window_start,
                "end": record.window_end,
                "stage": record.stage,
                "back": record.direction == DirectionChoices.BACK,
            },
            slices=labels(left, record.plan),
            words=called(record.plan),
        )

    def told_of(self, deed: Any, record: Ticket) -> str:
        """What happens to this ticket."""
        return told_of(deed.name, record)

    @action(detail=True, custom_view_base_action="view")
    def progress(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """How far it is, for a page that stays open; when the state changes, the page is new."""
        ticket = self.get_object()
        shown = render(request, "fabric_twin/panels/ticket_progress.html", progress_of(ticket))
        if request.GET.get("was") != seen_of(ticket):
            shown["HX-Refresh"] = "true"
        return shown

    @action(detail=True, custom_view_base_action="view")
    def document(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """The ticket as a file."""
        ticket = self.get_object()
        page = ticket_page(ticket, request)
        try:
            name, kind, content = ticket_document_of(ticket, request.GET.get("form", "html"), page)
        except FabricTwinError as refusal:
            messages.error(request, str(refusal))
            return HttpResponseRedirect(ticket.get_absolute_url())
        shown = "inline" if kind.startswith("text/html") else "attachment"
        file = {"Content-Disposition": f'{shown}; filename="{name}"'}
        return HttpResponse(content, content_type=kind, headers=file)

    @action(detail=True, url_name="approvalworkflow", custom_view_base_action="view")
    def approvalworkflow(self, request: Any, pk: str) -> Any:  # noqa: ARG002
        """Who decides about it, and who did: the tab renders it."""
        return Response({})
