"""What is done with several work orders of the list: with all of them, or with none."""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.urls import reverse
from nautobot.apps.views import ObjectListViewMixin
from rest_framework.decorators import action

from fabric_twin.forms import OrderDeedForm
from fabric_twin.models import WorkOrder
from fabric_twin.operations.orders.actions import ASK, ORDER_DEEDS
from fabric_twin.presenters.acts import ORDER_ACTS
from fabric_twin.presenters.order_needs import shown_before_asking
from fabric_twin.views.chosen.acts import ChosenActs


class ChosenOrders(ChosenActs):
    """The action of the list of work orders."""

    #: What an address asks besides filters: `do` is the act.
    non_filter_params: ClassVar[Any] = (*ObjectListViewMixin.non_filter_params, "do")
    chosen_deeds, chosen_acts = ORDER_DEEDS, ORDER_ACTS
    chosen_columns = ("Order", "What", "State", "Assigned to")

    @action(
        detail=False,
        methods=["post"],
        custom_view_base_action="view",
        url_path="act",
        url_name="bulk_act",
    )
    def bulk_act(self, request: Any) -> HttpResponse:
        """Show what is chosen and ask for a word, then do it with all; say which are refused."""
        return self.act_on_chosen(request, request.GET.get("do", ""))

    def chosen_url(self, act: str) -> str:
        """One address, and the act in it."""
        return f"{reverse('plugins:fabric_twin:workorder_bulk_act')}?do={act}"

    def chosen_from(self, rows: Any) -> Any:
        """Pod by pod, as each act holds the pod."""
        return rows.select_related("pod", "assignee", "team").order_by("pod__name", "number")

    def chosen_form(self, deed: Any, given: Any) -> OrderDeedForm:
        """A word; whom they are given to; how tickets are asked for."""
        return OrderDeedForm(
            given, initial={"submitted": True}, act=deed.name, needs_reason=deed.needs_reason
        )

    def chosen_cells(self, record: WorkOrder) -> tuple[str, str]:
        """What it is, and who has it."""
        who = " ".join(str(one) for one in (record.assignee, record.team) if one)
        return record.title, who

    def chosen_beside(self, deed: Any, record: WorkOrder, request: Any) -> dict[str, Any]:
        """Where tickets are asked for: whom this order would interrupt."""
        if deed.name != ASK or not record.is_open:
            return {}
        given = {name: name in request.POST for name in ("interrupt", "bear")}
        return shown_before_asking(record, request.user, **given)
