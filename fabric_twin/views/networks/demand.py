"""Pages of demand: an import writes it, so there is none to add it."""

from nautobot.apps.ui import ObjectDetailContent, ObjectFieldsPanel
from nautobot.apps.views import (
    ObjectBulkDestroyViewMixin,
    ObjectChangeLogViewMixin,
    ObjectDestroyViewMixin,
    ObjectDetailViewMixin,
    ObjectEditViewMixin,
    ObjectListViewMixin,
    ObjectNotesViewMixin,
)

from fabric_twin import filters, forms, tables
from fabric_twin.models import Demand
from fabric_twin.panels import LEFT, RIGHT, WIDE
from fabric_twin.panels.facts import FactsPanel
from fabric_twin.panels.networks.demand import largest_pairs, links_of, tell_size
from fabric_twin.panels.sheet import SheetPanel
from fabric_twin.views.in_pod import breadcrumbs
from fabric_twin.views.page import PageMixin
from fabric_twin.views.seen_filters import SeenFiltersMixin


class DemandUIViewSet(
    PageMixin,
    SeenFiltersMixin,
    ObjectDetailViewMixin,
    ObjectListViewMixin,
    ObjectEditViewMixin,
    ObjectDestroyViewMixin,
    ObjectBulkDestroyViewMixin,
    ObjectChangeLogViewMixin,
    ObjectNotesViewMixin,
):
    """What the blocks of a network ask of each other on a day."""

    queryset = Demand.objects.select_related("pod")
    action_buttons = ("export",)
    table_class = tables.DemandTable
    filterset_class = filters.DemandFilterSet
    filterset_form_class = forms.DemandFilterForm
    form_class = forms.DemandForm
    breadcrumbs = breadcrumbs("pod")
    #: Only its description is edited.
    create = None  # type: ignore[assignment]
    object_detail_content = ObjectDetailContent(
        panels=[
            ObjectFieldsPanel(weight=100, section=LEFT, fields=["pod", "day", "description"]),
            FactsPanel(weight=100, label="Size", section=RIGHT, tell=tell_size),
            SheetPanel(weight=100, section=WIDE, of=largest_pairs, links=links_of),
        ],
    )
