"""Pages of ports, to look at: ports are loaded."""

from nautobot.apps.ui import ObjectDetailContent
from nautobot.apps.views import ObjectDetailViewMixin, ObjectListViewMixin

from fabric_twin import filters, forms, tables
from fabric_twin.models import Port
from fabric_twin.panels import LEFT, RIGHT, WIDE
from fabric_twin.panels.clusters.cluster import of_pod
from fabric_twin.panels.drawing import DrawingPanel
from fabric_twin.panels.facts import FactsPanel
from fabric_twin.panels.findings_tab import FindingsTab
from fabric_twin.panels.light import draw_light
from fabric_twin.panels.place import PortFieldsPanel, tell_place_of_port
from fabric_twin.views.in_pod import breadcrumbs
from fabric_twin.views.page import PageMixin
from fabric_twin.views.seen_filters import SeenFiltersMixin
from fabric_twin.views.tabs_of import FindingsOfMixin


class PortUIViewSet(
    PageMixin, SeenFiltersMixin, FindingsOfMixin, ObjectDetailViewMixin, ObjectListViewMixin
):
    """A port: what the rule says of it, and its light path drawn."""

    # Asked for after the rows are chosen: joined, PostgreSQL would join all ports to show fifty.
    queryset = Port.objects.prefetch_related(
        "pod",
        "cube__pod",
        "block__pod",
        "switch__device",
        "interface__device",
        "module_bay__parent_device",
    )
    action_buttons = ("export",)
    table_class = tables.PortTable
    filterset_class = filters.PortFilterSet
    filterset_form_class = forms.PortFilterForm
    breadcrumbs = breadcrumbs("pod")
    object_detail_content = ObjectDetailContent(
        extra_tabs=[FindingsTab("port")],
        panels=[
            PortFieldsPanel(
                weight=100,
                section=LEFT,
                fields=["pod", "number", "interface", "cube", "block", "switch", "module_bay"],
            ),
            FactsPanel(weight=100, label="In the fabric", section=RIGHT, tell=tell_place_of_port),
            DrawingPanel(
                weight=100, label="Light path", section=WIDE, draw=draw_light, fits=of_pod
            ),
        ],
    )
