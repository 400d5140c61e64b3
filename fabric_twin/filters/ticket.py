"""Filters of tickets."""

from typing import Any

from django.db.models import QuerySet
from nautobot.apps.filters import (
    BooleanFilter,
    MultipleChoiceFilter,
    SearchFilter,
)

from fabric_twin.core.record_names import TICKET_NAME
from fabric_twin.filters import related
from fabric_twin.filters.known_values import PartFilterSet, RecordFilterSet
from fabric_twin.filters.named import NameSearch, numbered
from fabric_twin.models import Reservation, Ticket, TicketEvent, TicketStage
from fabric_twin.models.ticket import ENDED, RiskChoices, TicketKindChoices, TicketStateChoices


class TicketFilterSet(RecordFilterSet):
    """By what it is for, by how far it is, by who has it, and by what it holds."""

    q = NameSearch(
        named=numbered(TICKET_NAME, revisions=True),
        filter_predicates={"title": "icontains", "reason": "icontains"},
    )
    pod = related.pods()
    location = related.locations("pod__location")
    kind = MultipleChoiceFilter(choices=TicketKindChoices)
    state = MultipleChoiceFilter(choices=TicketStateChoices)
    risk = MultipleChoiceFilter(choices=RiskChoices)
    is_open = BooleanFilter(method="that_is_open", label="Is open")
    review_owed = BooleanFilter(method="that_owes_review", label="Needs a review")
    author = related.people("author", "Author")
    approved_by = related.people("approved_by", "Approved by")
    slice = related.slices()
    switch = related.switches("reservations__switch")
    cube = related.cubes("reservations__cube")

    class Meta:
        model = Ticket
        fields = [
            "id",
            "pod",
            "number",
            "revision",
            "kind",
            "title",
            "state",
            "risk",
            "emergency",
            "finding",
            "window_start",
            "window_end",
            "submitted_at",
            "approved_at",
            "started",
            "ended",
            "tags",
        ]

    def that_is_open(self, queryset: QuerySet[Any], _name: str, wanted: bool) -> Any:
        """Tickets that hold their ports, or the others."""
        ended = {"state__in": ENDED}
        return queryset.exclude(**ended) if wanted else queryset.filter(**ended)

    def that_owes_review(self, queryset: QuerySet[Any], _name: str, wanted: bool) -> Any:
        """Tickets of an emergency that nobody looked at yet, or the others."""
        owed = {"emergency": True, "reviewed_at__isnull": True}
        return queryset.filter(**owed) if wanted else queryset.exclude(**owed)


class TicketStageFilterSet(PartFilterSet):
    """By ticket."""

    pod = related.pods("ticket__pod")

    class Meta:
        model = TicketStage
        fields = ["id", "ticket", "number", "state"]


class TicketEventFilterSet(PartFilterSet):
    """By ticket, and by what was done."""

    q = SearchFilter(filter_predicates={"what": "icontains", "said": "icontains"})
    pod = related.pods("ticket__pod")
    who = related.people("who", "Who")

    class Meta:
        model = TicketEvent
        fields = ["id", "ticket", "number", "what", "at"]


class ReservationFilterSet(PartFilterSet):
    """By ticket, and by what is held."""

    pod = related.pods("ticket__pod")
    switch = related.switches()
    cube = related.cubes()

    class Meta:
        model = Reservation
        fields = ["id", "ticket", "side", "port"]
