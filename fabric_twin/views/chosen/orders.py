"""What is done with several work orders of the list: with all of them, or with none."""

from typing import Any, ClassVar

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from nautobot.apps.views import ObjectListViewMixin
from rest_framework.decorators import action

from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.core.orders.life import Act
from fabric_twin.forms import OrderDeedForm
from fabric_twin.models import WorkOrder
from fabric_twin.operations.orders.act_on_many import act_on_orders, check_many
from fabric_twin.operations.orders.actions import ASK, ORDER_DEEDS
from fabric_twin.presenters.acts import ORDER_ACTS
from fabric_twin.presenters.order_needs import shown_before_asking
from fabric_twin.views.chosen.rows import chosen_rows

#: What the list has a button for.
AT_ONCE = (ASK, Act.ASSIGN, Act.START, Act.WITHDRAW)


class ChosenOrders:
    """The action of the list of work orders."""

    #: What an address asks besides filters: `do` is the act.
    non_filter_params: ClassVar[Any] = (*ObjectListViewMixin.non_filter_params, "do")

    @action(
        detail=False,
        methods=["post"],
        custom_view_base_action="view",
        url_path="act",
        url_name="bulk_act",
    )
    def bulk_act(self, request: Any) -> HttpResponse:
        """Show what is chosen and ask for a word, then do it with all; say which are refused."""
        rows = WorkOrder.objects.restrict(request.user, "view")
        rows = rows.select_related("pod", "assignee", "team").order_by("pod__name", "number")
        try:
            deed = ORDER_DEEDS.named(request.GET.get("do", ""))
            if deed.name not in AT_ONCE:
                raise UnusableInput(
                    f"{deed.name} is done with one order at a time",
                    where="work orders",
                    remedy="Open the page of each",
                )
            chosen = chosen_rows(self, request, rows, "work orders")
            check_many(deed, chosen)
        except FabricTwinError as refusal:
            messages.error(request, str(refusal))
            return HttpResponseRedirect(_list())
        form = OrderDeedForm(
            request.POST if "sure" in request.POST else None,
            initial={"submitted": True},
            act=deed.name,
            needs_reason=deed.needs_reason,
        )
        refused: dict[Any, str] = {}
        if form.is_valid():
            given = ORDER_DEEDS.given(**form.facts())
            refused = act_on_orders(deed, chosen, request.user, given)
            if not refused:
                done, label = ", ".join(order.name for order in chosen), ORDER_ACTS[deed.name].label
                messages.success(request, f"{label}: {done}.")
                return HttpResponseRedirect(_list())
        context = {
            "act": ORDER_ACTS[deed.name],
            "form": form,
            "back": _list(),
            "refused": refused,
            "orders": [
                {"order": order, "why": refused.get(order.pk, "")} | _impact(deed, order, request)
                for order in chosen
            ],
        }
        return render(request, "fabric_twin/workorder_act.html", context)


def _impact(deed: Any, order: WorkOrder, request: Any) -> dict[str, Any]:
    """Where tickets are asked for: whom this order would interrupt."""
    if deed.name != ASK or not order.is_open:
        return {}
    return shown_before_asking(order, request.user, interrupt="interrupt" in request.POST)


def _list() -> str:
    return reverse("plugins:fabric_twin:workorder_list")
