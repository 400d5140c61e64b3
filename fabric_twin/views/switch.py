"""Pages of switches."""

from nautobot.apps.ui import ObjectDetailContent
from nautobot.apps.views import NautobotUIViewSet

from fabric_twin import filters, forms, tables
from fabric_twin.core.kinds import Verb
from fabric_twin.models import OpticalCircuit, Switch
from fabric_twin.operations.tickets.related_tickets import tickets_of_switch
from fabric_twin.panels import LEFT, RIGHT, WIDE
from fabric_twin.panels.buttons import WishButton, sync_buttons
from fabric_twin.panels.clusters.cluster import of_cluster
from fabric_twin.panels.clusters.fields import KindFieldsPanel
from fabric_twin.panels.clusters.jobs import SeenTablePanel, entries_of
from fabric_twin.panels.drawing import DrawingPanel
from fabric_twin.panels.facts import FactsPanel
from fabric_twin.panels.findings_tab import FindingsTab
from fabric_twin.panels.switch import draw_ports, may_have_parts_out, tell_use
from fabric_twin.panels.ticket import TicketsTab
from fabric_twin.panels.who_answers import ConfirmButton, tell_who_answers
from fabric_twin.presenters.printed import OF_A_SWITCH
from fabric_twin.views.counted import CountedMixin
from fabric_twin.views.fabric.confirming import ConfirmMixin
from fabric_twin.views.fabric.syncing import SyncMixin
from fabric_twin.views.in_pod import breadcrumbs
from fabric_twin.views.page import PageMixin
from fabric_twin.views.printing import PrintMixin, print_buttons
from fabric_twin.views.seen_filters import SeenFiltersMixin
from fabric_twin.views.tabs_of import FindingsOfMixin, TicketsOfMixin


class SwitchUIViewSet(
    PageMixin,
    SeenFiltersMixin,
    ConfirmMixin,
    SyncMixin,
    PrintMixin,
    FindingsOfMixin,
    TicketsOfMixin,
    CountedMixin,
    NautobotUIViewSet,
):
    """A switch: its ports and its circuits drawn."""

    queryset = Switch.objects.select_related("pod", "device", "status")
    prints = OF_A_SWITCH
    counts = {"circuit_count": (OpticalCircuit, "switch")}
    table_class = tables.SwitchTable
    filterset_class = filters.SwitchFilterSet
    filterset_form_class = forms.SwitchFilterForm
    form_class = forms.SwitchForm
    bulk_update_form_class = forms.SwitchBulkEditForm
    breadcrumbs = breadcrumbs("pod")
    object_detail_content = ObjectDetailContent(
        extra_buttons=[
            WishButton(
                weight=100,
                label="Maintenance",
                icon="mdi-wrench-clock",
                kind="maintenance",
                verb=Verb.TAKE_SWITCH,
                fill={"pod": "pod_id", "switches": "pk"},
            ),
            WishButton(
                weight=150,
                label="Return to Service",
                icon="mdi-restore",
                kind="return",
                verb=Verb.TAKE_SWITCH,
                fill={"pod": "pod_id", "switches": "pk"},
                fits=may_have_parts_out,
            ),
            *sync_buttons("switch"),
            ConfirmButton(200, "switch"),
            *print_buttons("switch", OF_A_SWITCH),
        ],
        extra_tabs=[FindingsTab("switch"), TicketsTab("switch", tickets_of_switch)],
        panels=[
            KindFieldsPanel(
                weight=100,
                section=LEFT,
                in_cluster="Packet switch",
                not_in_cluster=("axis", "index", "dialect"),
                only_in_cluster=("flow_address", "datapath"),
                fields=[
                    "pod",
                    "device",
                    "axis",
                    "index",
                    "status",
                    "address",
                    "target",
                    "dialect",
                    "flow_address",
                    "datapath",
                ],
            ),
            FactsPanel(weight=100, label="Use", section=RIGHT, tell=tell_use),
            FactsPanel(weight=200, label="Who answers", section=RIGHT, tell=tell_who_answers),
            SeenTablePanel(
                weight=50,
                label="Flow entries",
                section=WIDE,
                read=entries_of,
                nothing="No job has an entry on it.",
                fits=of_cluster,
                required_permissions=["fabric_twin.view_opticalcircuit"],
            ),
            DrawingPanel(weight=100, label="Ports", section=WIDE, draw=draw_ports),
        ],
    )
