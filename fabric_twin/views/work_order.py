"""Pages of work orders: to wish, to look, to hand out, to follow; and of stock."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from nautobot.apps.ui import ObjectDetailContent, ObjectFieldsPanel
from nautobot.apps.views import (
    NautobotUIViewSet,
    ObjectChangeLogViewMixin,
    ObjectDataComplianceViewMixin,
    ObjectDetailViewMixin,
    ObjectListViewMixin,
    ObjectNotesViewMixin,
)
from nautobot.users.models import User
from rest_framework.decorators import action

from fabric_twin import filters, forms, tables
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.kinds import Verb
from fabric_twin.core.orders.order import Kind
from fabric_twin.documents.sheet import Table
from fabric_twin.forms.work_order import OF_BLOCKS, WISHED
from fabric_twin.models import Stock, WorkOrder
from fabric_twin.operations.orders.actions import ASK, ORDER_DEEDS
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.panels import LEFT, RIGHT, WIDE
from fabric_twin.panels.buttons import RecordButton, act_buttons, document_buttons
from fabric_twin.panels.facts import FactsPanel
from fabric_twin.panels.sheet import SheetPanel
from fabric_twin.panels.work_order import (
    NAMING,
    NeedsPanel,
    RoutePanel,
    UndonePanel,
    bundles_of,
    can_do,
    crews_of,
    links_of,
    parts_of,
    tell_cost,
    tell_order,
)
from fabric_twin.presenters import work_order as told
from fabric_twin.presenters.acts import ORDER_ACTS
from fabric_twin.presenters.name_links import NameLinks
from fabric_twin.presenters.order_needs import shown_before_asking
from fabric_twin.presenters.order_wish import looked_at
from fabric_twin.views.acting import ActingView
from fabric_twin.views.chosen.orders import ChosenOrders
from fabric_twin.views.in_pod import breadcrumbs
from fabric_twin.views.page import FollowedPageMixin, PageMixin
from fabric_twin.views.seen_filters import SeenFiltersMixin


def _sheet(weight: int, of: Callable[[WorkOrder], Table], section: str = WIDE) -> SheetPanel:
    return SheetPanel(
        weight=weight, section=section, of=of, links=links_of if of in NAMING else None
    )


class WorkOrderUIViewSet(
    FollowedPageMixin,
    SeenFiltersMixin,
    ActingView,
    ChosenOrders,
    ObjectDetailViewMixin,
    ObjectListViewMixin,
    ObjectChangeLogViewMixin,
    ObjectDataComplianceViewMixin,
    ObjectNotesViewMixin,
):
    """An order: what it takes, who has it, how far it is, and what can be done with it."""

    queryset = WorkOrder.objects.select_related("pod", "author", "assignee", "team")
    deeds, acts = ORDER_DEEDS, ORDER_ACTS
    action_buttons = ("add", "export")
    table_class = tables.WorkOrderTable
    filterset_class = filters.WorkOrderFilterSet
    filterset_form_class = forms.WorkOrderFilterForm
    breadcrumbs = breadcrumbs("pod")
    object_detail_content = ObjectDetailContent(
        extra_buttons=[
            RecordButton(
                weight=90,
                label="Do it",
                icon="mdi-cellphone",
                color="success",
                link_name="plugins:fabric_twin:workorder_do",
                fits=can_do,
            ),
            *act_buttons("workorder", ORDER_ACTS, ORDER_DEEDS),
            *document_buttons("workorder_document", told.PAPERS, {"labels": told.lays_cables}),
        ],
        panels=[
            FactsPanel(weight=100, label="Work order", section=LEFT, tell=tell_order),
            FactsPanel(weight=100, label="What it takes", section=RIGHT, tell=tell_cost),
            _sheet(200, crews_of, LEFT),
            _sheet(200, parts_of, RIGHT),
            UndonePanel(weight=50, label="Cannot be done", section=WIDE),
            NeedsPanel(weight=100, label="Needed first", section=WIDE),
            RoutePanel(weight=150, label="Route", section=WIDE),
            _sheet(200, bundles_of),
            _sheet(300, told.steps_of),
            _sheet(400, told.said_of),
            _sheet(500, told.history_of),
        ],
    )

    def version_of(self, record: WorkOrder) -> str:
        """It goes on with each line of its history, and with each step."""
        if not record.is_open:
            return ""
        states = record.steps.order_by("state").values_list("state").annotate(Count("pk"))
        steps = " ".join(f"{state} {many}" for state, many in states)
        return f"{record.state} {record.events.count()} {steps}"

    def get_queryset(self) -> Any:
        """Lists leave facts where they are: they name every cable."""
        rows = super().get_queryset()
        return rows.defer("facts") if self.action in {"list", "follow"} else rows

    def create(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        """Wish for work: look at what it would take, then make an order of it."""
        if not request.user.has_perm("fabric_twin.add_workorder"):
            raise PermissionDenied
        chosen = request.GET.get("kind", "")
        of_block = OF_BLOCKS.get(chosen)
        kind = Kind(chosen) if chosen in WISHED else WISHED[0]
        findings = request.GET.getlist("findings")
        initial = request.GET.dict() | ({"findings": findings} if findings else {})
        given = request.POST or None
        form = (
            of_block(given, initial=initial)
            if of_block
            else forms.OrderWishForm(given, initial=initial, kind=kind)
        )
        kinds = [(str(one), str(one).capitalize()) for one in WISHED]
        context = {
            "form": form,
            "kinds": [*kinds, *((name, one.heading) for name, one in OF_BLOCKS.items())],
            "chosen": chosen if of_block else str(kind),
            "heading": f"A work order: {of_block.heading.lower() if of_block else kind}",
            "pod": request.GET.get("pod", ""),
            "list": reverse("plugins:fabric_twin:workorder_list"),
        }
        if form.is_valid():
            pod = form.cleaned_data["pod"]
            try:
                wish = form.wish()
                if "make" in request.POST:
                    made = make_order(pod, wish, request.user)
                    messages.success(request, f"Made {made.name}: {made.title}.")
                    return HttpResponseRedirect(made.get_absolute_url())
                context |= looked_at(pod, wish, request.user)
            except FabricTwinError as refusal:
                context["refusal"] = NameLinks(request.user, pod, [refusal]).linked(refusal)
        return render(request, "fabric_twin/workorder_wish.html", context)

    def form_of(self, deed: Any, record: WorkOrder, given: Any) -> forms.OrderDeedForm:
        """A word; whom it is given to; how tickets are asked for, as was chosen with the wish."""
        chosen = {"interrupt": record.wish.get("interrupt", False), "submitted": True}
        return forms.OrderDeedForm(
            given,
            initial=chosen,
            act=deed.name,
            needs_reason=deed.needs_reason,
            has_slices=record.pod.can(Verb.SLICE),
        )

    def shown_with(self, deed: Any, record: WorkOrder, user: User) -> dict[str, Any]:
        """Where tickets are asked for: whom they would interrupt, and for how long."""
        if deed.name != ASK:
            return {}
        return shown_before_asking(record, user, interrupt=bool(record.wish.get("interrupt")))

    @action(detail=True, custom_view_base_action="view")
    def document(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """The order on paper, or as a table."""
        form = request.GET.get("form", "html")
        if form not in told.PAPERS:
            raise Http404
        order = self.get_object()
        try:
            name, kind, content = told.order_paper(order, form, told.order_page(order, request))
        except FabricTwinError as refusal:
            messages.error(request, str(refusal))
            return HttpResponseRedirect(order.get_absolute_url())
        shown = "inline" if form in {"html", "pdf", "labels"} else "attachment"
        file = {"Content-Disposition": f'{shown}; filename="{name}"'}
        return HttpResponse(content, content_type=kind, headers=file)


class StockUIViewSet(PageMixin, SeenFiltersMixin, NautobotUIViewSet):
    """Parts on the shelf, and on their way."""

    queryset = Stock.objects.select_related("location")
    table_class = tables.StockTable
    filterset_class = filters.StockFilterSet
    filterset_form_class = forms.StockFilterForm
    form_class = forms.StockForm
    bulk_update_form_class = forms.StockBulkEditForm
    object_detail_content = ObjectDetailContent(
        panels=[
            ObjectFieldsPanel(
                weight=100, section=LEFT, fields=["part", "location", "on_hand", "ordered"]
            )
        ]
    )
