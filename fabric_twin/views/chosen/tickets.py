"""What is done with several tickets of the list: with all of them, or with none."""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from nautobot.apps.views import ObjectListViewMixin
from rest_framework.decorators import action

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.tickets.life import Action
from fabric_twin.core.tickets.words import between
from fabric_twin.documents.tickets.ticket import decided_on
from fabric_twin.forms import DeedForm
from fabric_twin.models import Ticket
from fabric_twin.operations.tickets.actions import TICKET_DEEDS
from fabric_twin.panels.ticket import facts_of
from fabric_twin.presenters.acts import TICKET_ACTS
from fabric_twin.views.chosen.acts import ChosenActs


class ChosenTickets(ChosenActs):
    """The action of the list of tickets."""

    #: What an address asks besides filters: `do` is the act.
    non_filter_params: ClassVar[Any] = (*ObjectListViewMixin.non_filter_params, "do")
    chosen_deeds, chosen_acts = TICKET_DEEDS, TICKET_ACTS
    chosen_columns = ("Ticket", "What", "State", "Author, window")

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
        return f"{reverse('plugins:fabric_twin:ticket_bulk_act')}?do={act}"

    def chosen_from(self, rows: Any) -> Any:
        """Pod by pod, as each act holds the pod."""
        rows = rows.select_related("pod", "author")
        return rows.order_by("pod__name", "number", "revision")

    def chosen_form(self, deed: Any, given: Any) -> DeedForm:
        """A word; each ticket keeps its own window."""
        form = DeedForm(given, deed=deed.name, needs_reason=deed.needs_reason, slices={})
        if deed.name == Action.SCHEDULE:
            for name in ("start", "end"):
                del form.fields[name]
        return form

    def chosen_cells(self, record: Ticket) -> tuple[str, str]:
        """What it is; whose it is, and when it is to run."""
        zone = timezone.get_current_timezone()
        window = between(record.window_start, record.window_end, zone)
        return record.title, f"{record.author}, {window or 'no window'}"

    def chosen_beside(self, deed: Any, record: Ticket, request: Any) -> dict[str, Any]:  # noqa: ARG002
        """Nobody decides about what they have not seen: whom each concerns, and what it changes."""
        if not deed.decides:
            return {}
        try:
            return {"tables": decided_on(facts_of(record))}
        except FabricTwinError as refusal:  # such as a pod whose design is gone
            return {"note": {"level": "warning", "text": str(refusal)}}
