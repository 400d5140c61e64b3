"""Filters of work orders, their steps, what was said of them, and stock."""

from typing import Any

from django.db.models import Q, QuerySet
from nautobot.apps.filters import (
    BooleanFilter,
    MultipleChoiceFilter,
    NaturalKeyOrPKMultipleChoiceFilter,
    SearchFilter,
)
from nautobot.extras.models import Team

from fabric_twin.core.record_names import ORDER_NAME
from fabric_twin.filters import related
from fabric_twin.filters.known_values import PartFilterSet, RecordFilterSet
from fabric_twin.filters.named import NameSearch, numbered
from fabric_twin.models import OrderEvent, OrderStep, StepReport, Stock, WorkOrder
from fabric_twin.models.order_step import StepDoChoices, StepStateChoices
from fabric_twin.models.work_order import ENDED, OrderKindChoices, OrderStateChoices


class WorkOrderFilterSet(RecordFilterSet):
    """By what it is for, by how far it is, by who does it, and by where."""

    q = NameSearch(
        named=numbered(ORDER_NAME),
        filter_predicates={"title": "icontains", "reason": "icontains", "elsewhere": "icontains"},
    )
    pod = related.pods()
    location = related.locations("pod__location")
    kind = MultipleChoiceFilter(choices=OrderKindChoices)
    state = MultipleChoiceFilter(choices=OrderStateChoices)
    is_open = BooleanFilter(method="that_is_open", label="Is open")
    author = related.people("author", "Author")
    assignee = related.people("assignee", "Assignee")
    team = NaturalKeyOrPKMultipleChoiceFilter(
        queryset=Team.objects.all(), to_field_name="name", label="Team (name or ID)"
    )
    rack = related.racks("steps__rack")
    device = related.devices("steps__device")
    switch = related.switches("reservations__switch")
    cube = related.cubes("reservations__cube")

    class Meta:
        model = WorkOrder
        fields = [
            "id",
            "number",
            "title",
            "crews",
            "due",
            "elsewhere",
            "started",
            "ended",
            "findings",
            "tickets",
            "tags",
        ]

    def that_is_open(self, queryset: QuerySet[Any], _name: str, wanted: bool) -> Any:
        """Orders that hold their ports, or the others."""
        ended = {"state__in": [str(state) for state in ENDED]}
        return queryset.exclude(**ended) if wanted else queryset.filter(**ended)


class OrderStepFilterSet(PartFilterSet):
    """By order, and by where it is done."""

    pod = related.pods("order__pod")
    do = MultipleChoiceFilter(choices=StepDoChoices)
    state = MultipleChoiceFilter(choices=StepStateChoices)
    rack = related.racks("rack")
    device = related.devices("device")
    done_by = related.people("done_by", "Done by")

    class Meta:
        model = OrderStep
        fields = ["id", "order", "number", "crew", "bundle", "cable", "finding", "done_at"]


class StepReportFilterSet(PartFilterSet):
    """By order, and by who said it."""

    pod = related.pods("order__pod")
    by = related.people("by", "By")

    class Meta:
        model = StepReport
        fields = ["id", "order", "said_id", "step", "told", "taken", "received"]


class OrderEventFilterSet(PartFilterSet):
    """By order, and by what was done."""

    q = SearchFilter(filter_predicates={"what": "icontains", "said": "icontains"})
    pod = related.pods("order__pod")
    who = related.people("who", "Who")

    class Meta:
        model = OrderEvent
        fields = ["id", "order", "number", "what", "at"]


def _stock_named(text: str) -> Q | None:
    """The part at its place, as its page is called: `LC, 20 m at Hall 1`."""
    part, at, place = text.strip().rpartition(" at ")
    return Q(part__iexact=part, location__name__iexact=place) if at else None


class StockFilterSet(RecordFilterSet):
    """By part, and by where it lies."""

    q = NameSearch(
        named=_stock_named,
        filter_predicates={"part": "icontains", "location__name": "icontains"},
    )
    location = related.locations("location")

    class Meta:
        model = Stock
        fields = ["id", "part", "on_hand", "ordered", "tags"]
