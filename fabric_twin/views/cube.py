"""Pages of cubes."""

from nautobot.apps.ui import ObjectDetailContent
from nautobot.apps.views import NautobotUIViewSet

from fabric_twin import filters, forms, tables
from fabric_twin.core.kinds import Verb
from fabric_twin.models import Cube, SlicePart
from fabric_twin.operations.tickets.related_tickets import tickets_of_cube
from fabric_twin.panels import LEFT, RIGHT, WIDE
from fabric_twin.panels.buttons import OrderWishButton, WishButton, sync_buttons
from fabric_twin.panels.clusters.cluster import of_cluster, of_pod
from fabric_twin.panels.clusters.device import draw_device, is_in_service, is_out
from fabric_twin.panels.clusters.fields import KindFieldsPanel
from fabric_twin.panels.cube import draw_faces, tell_use
from fabric_twin.panels.drawing import DrawingPanel
from fabric_twin.panels.facts import FactsPanel
from fabric_twin.panels.findings_tab import FindingsTab
from fabric_twin.panels.ticket import TicketsTab
from fabric_twin.panels.who_answers import ConfirmButton, tell_who_answers
from fabric_twin.presenters.printed import OF_A_CUBE
from fabric_twin.views.counted import CountedMixin
from fabric_twin.views.fabric.confirming import ConfirmMixin
from fabric_twin.views.fabric.syncing import SyncMixin
from fabric_twin.views.in_pod import breadcrumbs
from fabric_twin.views.page import PageMixin
from fabric_twin.views.printing import PrintMixin, print_buttons
from fabric_twin.views.seen_filters import SeenFiltersMixin
from fabric_twin.views.tabs_of import FindingsOfMixin, TicketsOfMixin


class CubeUIViewSet(
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
    """A cube: its six faces drawn, and who has it."""

    queryset = Cube.objects.select_related("pod", "rack", "status")
    prints = OF_A_CUBE
    counts = {"slice_count": (SlicePart, "cube")}
    table_class = tables.CubeTable
    filterset_class = filters.CubeFilterSet
    filterset_form_class = forms.CubeFilterForm
    form_class = forms.CubeForm
    bulk_update_form_class = forms.CubeBulkEditForm
    breadcrumbs = breadcrumbs("pod")
    object_detail_content = ObjectDetailContent(
        extra_buttons=[
            WishButton(
                weight=100,
                label="Maintenance",
                icon="mdi-wrench-clock",
                kind="maintenance",
                fill={"pod": "pod_id", "cubes": "pk"},
            ),
            WishButton(
                weight=100,
                label="Take out of Service",
                icon="mdi-wrench-clock",
                kind="maintenance",
                verb=Verb.RINGS,
                fill={"pod": "pod_id", "cubes": "pk"},
                fits=is_in_service,
            ),
            WishButton(
                weight=100,
                label="Return to Service",
                icon="mdi-restore",
                kind="return",
                verb=Verb.RINGS,
                fill={"pod": "pod_id", "cubes": "pk"},
                fits=is_out,
            ),
            OrderWishButton(
                weight=110,
                label="Decommission",
                kind="decommission",
                fill={"pod": "pod_id", "slots": "slot"},
            ),
            *sync_buttons("cube"),
            ConfirmButton(200, "cube"),
            *print_buttons("cube", OF_A_CUBE),
        ],
        extra_tabs=[FindingsTab("cube"), TicketsTab("cube", tickets_of_cube)],
        panels=[
            KindFieldsPanel(
                weight=100,
                section=LEFT,
                in_cluster="Group",
                fields=["pod", "slot", "rack", "status", "address", "target"],
            ),
            FactsPanel(weight=100, label="Use", section=RIGHT, tell=tell_use),
            FactsPanel(weight=200, label="Who answers", section=RIGHT, tell=tell_who_answers),
            DrawingPanel(weight=100, label="Faces", section=WIDE, draw=draw_faces, fits=of_pod),
            DrawingPanel(
                weight=100, label="Ports", section=WIDE, draw=draw_device, fits=of_cluster
            ),
        ],
    )
