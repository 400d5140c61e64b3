"""What is done with several findings of the list, and one order that mends them."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from rest_framework.decorators import action

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.orders.order import Kind
from fabric_twin.forms import (
    AcknowledgeForm,
    BulkAssignForm,
    OrderWishForm,
    ReopenForm,
    SilenceFindingsForm,
)
from fabric_twin.models import Finding
from fabric_twin.operations.orders.finding_deeds import (
    ACKNOWLEDGE,
    ASSIGN,
    FINDING_DEEDS,
    REOPEN,
    SILENCE,
)
from fabric_twin.operations.orders.findings_to_mend import check_manual
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.presenters.acts import FINDING_ACTS
from fabric_twin.presenters.order_wish import looked_at
from fabric_twin.views.chosen.acts import ChosenActs
from fabric_twin.views.chosen.rows import chosen_rows

_FORMS = {
    ACKNOWLEDGE: AcknowledgeForm,
    ASSIGN: BulkAssignForm,
    SILENCE: SilenceFindingsForm,
    REOPEN: ReopenForm,
}


class ChosenFindings(ChosenActs):
    """Actions of the list of findings; each has an address, by which the change log knows it."""

    chosen_deeds, chosen_acts = FINDING_DEEDS, FINDING_ACTS
    chosen_columns = ("Finding", "Cause", "State", "Pod, owner")

    @action(
        detail=False,
        methods=["post"],
        custom_view_base_action="change",
        url_path="acknowledge",
        url_name="bulk_acknowledge",
    )
    def bulk_acknowledge(self, request: Any) -> HttpResponse:
        """Ask why, then acknowledge all that are chosen."""
        return self.act_on_chosen(request, ACKNOWLEDGE)

    @action(
        detail=False,
        methods=["post"],
        custom_view_base_action="change",
        url_path="assign",
        url_name="bulk_assign",
    )
    def bulk_assign(self, request: Any) -> HttpResponse:
        """Ask who sees to all that are chosen and by when, then write it down."""
        return self.act_on_chosen(request, ASSIGN)

    @action(
        detail=False,
        methods=["post"],
        custom_view_base_action="view",
        custom_view_additional_permissions=["fabric_twin.add_silence"],
        url_path="silence",
        url_name="bulk_silence",
    )
    def bulk_silence(self, request: Any) -> HttpResponse:
        """Ask until when and why, then silence all that are chosen."""
        return self.act_on_chosen(request, SILENCE)

    @action(
        detail=False,
        methods=["post"],
        custom_view_base_action="change",
        url_path="reopen",
        url_name="bulk_reopen",
    )
    def bulk_reopen(self, request: Any) -> HttpResponse:
        """Show all that are chosen, then open them again."""
        return self.act_on_chosen(request, REOPEN)

    @action(
        detail=False,
        methods=["post"],
        custom_view_base_action="view",
        url_path="repair",
        url_name="bulk_repair",
    )
    def bulk_repair(self, request: Any) -> HttpResponse:
        """The form of one order that mends all that are chosen, and what that would take."""
        if not request.user.has_perm("fabric_twin.add_workorder"):
            raise PermissionDenied
        rows = Finding.objects.restrict(request.user, "view").select_related("pod")
        try:
            chosen = chosen_rows(self, request, rows, "findings")
            pod = check_manual(chosen)
            wished = OrderWish(kind=Kind.REPAIR, findings=tuple(chosen))
            context = looked_at(pod, wished, request.user)
        except FabricTwinError as refusal:
            messages.error(request, str(refusal))
            return HttpResponseRedirect(self._list())
        known = {"pod": pod, "findings": chosen}
        context |= {
            "form": OrderWishForm(initial=known, kind=Kind.REPAIR),
            "heading": f"A work order: {Kind.REPAIR}",
            "list": self._list(),
            "to": f"{reverse('plugins:fabric_twin:workorder_add')}?kind={Kind.REPAIR}",
        }
        return render(request, "fabric_twin/workorder_wish.html", context)

    def chosen_url(self, act: str) -> str:
        """An address for each act."""
        return reverse(f"plugins:fabric_twin:finding_bulk_{act}")

    def chosen_from(self, rows: Any) -> Any:
        """By their keys, as tickets, orders and runs hold findings too."""
        return rows.select_related("pod", "owner").order_by("pk")

    def chosen_form(self, deed: Any, given: Any) -> Any:
        """Each act asks for something else."""
        return _FORMS[deed.name](given)

    def chosen_cells(self, record: Finding) -> tuple[str, str]:
        """What it is; where, and who sees to it."""
        return record.cause, f"{record.pod.name}, {record.owner or 'nobody'}"

    def chosen_told(self, deed: Any, chosen: Sequence[Finding]) -> str:
        """How many: their names are keys."""
        return f"{FINDING_ACTS[deed.name].done} {counted(len(chosen), 'finding')}."
