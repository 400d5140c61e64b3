"""What is done with several findings of the list: known of together, and mended by one order."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from rest_framework.decorators import action

from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.core.orders.order import Kind
from fabric_twin.forms import AcknowledgeForm, BulkAssignForm, OrderWishForm
from fabric_twin.models import Finding
from fabric_twin.operations.audits.assign_findings import assign_findings
from fabric_twin.operations.audits.finding_life import acknowledge_all
from fabric_twin.operations.orders.findings_to_mend import check_manual
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.presenters.order_wish import looked_at
from fabric_twin.views.chosen.rows import chosen_rows


class ChosenFindings:
    """Actions of the list of findings."""

    @action(
        detail=False,
        methods=["post"],
        custom_view_base_action="change",
        url_path="acknowledge",
        url_name="bulk_acknowledge",
    )
    def bulk_acknowledge(self, request: Any) -> HttpResponse:
        """Ask why, then acknowledge all that are chosen."""
        form = AcknowledgeForm(request.POST if "why" in request.POST else None)

        def acknowledge(chosen: Sequence[Finding]) -> int:
            return acknowledge_all(chosen, request.user, form.cleaned_data["why"])

        return self._ask(request, "Acknowledge", form, acknowledge)

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

        def wish(chosen: Sequence[Finding]) -> HttpResponse:
            pod = check_manual(chosen)
            known = {"pod": pod, "findings": list(chosen)}
            wished = OrderWish(kind=Kind.REPAIR, findings=tuple(chosen))
            context = looked_at(pod, wished, request.user) | {
                "form": OrderWishForm(initial=known, kind=Kind.REPAIR),
                "heading": f"A work order: {Kind.REPAIR}",
                "list": _list(),
                "to": f"{reverse('plugins:fabric_twin:workorder_add')}?kind={Kind.REPAIR}",
            }
            return render(request, "fabric_twin/workorder_wish.html", context)

        return self._with_chosen(request, "view", wish)

    @action(
        detail=False,
        methods=["post"],
        custom_view_base_action="change",
        url_path="assign",
        url_name="bulk_assign",
    )
    def bulk_assign(self, request: Any) -> HttpResponse:
        """Ask who sees to all that are chosen and by when, then write it down."""
        form = BulkAssignForm(request.POST if "owner" in request.POST else None)

        def assign(chosen: Sequence[Finding]) -> int:
            return assign_findings(chosen, request.user, form.change())

        return self._ask(request, "Assign", form, assign)

    def _ask(
        self, request: Any, act: str, form: Any, do: Callable[[Sequence[Finding]], int]
    ) -> HttpResponse:
        """Show what is chosen with a form, then do it with all; ask again where it is refused."""

        def ask(chosen: Sequence[Finding]) -> HttpResponse:
            if form.is_valid():
                try:
                    many = do(chosen)
                except UnusableInput as refusal:
                    messages.error(request, str(refusal))
                else:
                    done = f"{act.removesuffix('e')}ed"
                    messages.success(request, f"{done} {many:,} finding{'s' * (many != 1)}.")
                    return HttpResponseRedirect(_list())
            context = {"act": act, "findings": chosen, "form": form, "back": _list()}
            return render(request, "fabric_twin/finding_act.html", context)

        return self._with_chosen(request, "change", ask)

    def _with_chosen(
        self, request: Any, may: str, do: Callable[[Sequence[Finding]], HttpResponse]
    ) -> HttpResponse:
        """Do something with what is chosen, of what the user may; a refusal is told in the list."""
        rows = Finding.objects.restrict(request.user, may).select_related("pod")
        try:
            return do(chosen_rows(self, request, rows, "findings"))
        except FabricTwinError as refusal:
            messages.error(request, str(refusal))
            return HttpResponseRedirect(_list())


def _list() -> str:
    return reverse("plugins:fabric_twin:finding_list")
