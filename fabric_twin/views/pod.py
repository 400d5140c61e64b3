"""Pages of pods."""

from nautobot.apps.ui import (
    Button,
    ButtonColorChoices,
    ObjectDetailContent,
    ObjectsTablePanel,
)
from nautobot.apps.views import NautobotUIViewSet

from fabric_twin import filters, forms, tables
from fabric_twin.core.kinds import Verb
from fabric_twin.models import Block, Cube, Pod, Slice, Switch
from fabric_twin.panels import LEFT, RIGHT, WIDE
from fabric_twin.panels.attention import AttentionPanel, StuckPanel
from fabric_twin.panels.buttons import (
    FilledFormButton,
    JobFormButton,
    OrderWishButton,
    WishButton,
    discover_button,
    sync_buttons,
)
from fabric_twin.panels.clusters.cluster import draw_groups
from fabric_twin.panels.clusters.jobs import SeenTablePanel, jobs_of
from fabric_twin.panels.drawing import DrawingPanel
from fabric_twin.panels.facts import FactsPanel
from fabric_twin.panels.jobs.progress import ProgressPanel, of_pod
from fabric_twin.panels.networks.network import (
    draw_links,
    has_slots,
    is_cluster,
    is_network,
    is_pod,
)
from fabric_twin.panels.pod import PodFieldsPanel, draw_health, draw_slots, tell_size
from fabric_twin.views.counted import CountedMixin
from fabric_twin.views.fabric.discovering import DiscoverMixin
from fabric_twin.views.fabric.syncing import SyncMixin
from fabric_twin.views.page import PageMixin
from fabric_twin.views.seen_filters import SeenFiltersMixin


class PodUIViewSet(
    PageMixin, SyncMixin, DiscoverMixin, SeenFiltersMixin, CountedMixin, NautobotUIViewSet
):
    """A pod: its slots drawn, how much of it is there, and what needs attention."""

    queryset = Pod.objects.select_related("location", "status", "queue")
    counts = {
        "cube_count": (Cube, "pod"),
        "block_count": (Block, "pod"),
        "switch_count": (Switch, "pod"),
        "slice_count": (Slice, "pod"),
    }
    table_class = tables.PodTable
    filterset_class = filters.PodFilterSet
    filterset_form_class = forms.PodFilterForm
    form_class = forms.PodForm
    bulk_update_form_class = forms.PodBulkEditForm
    object_detail_content = ObjectDetailContent(
        extra_buttons=[
            FilledFormButton(
                weight=100,
                label="Make Slice",
                icon="mdi-plus-thick",
                color=ButtonColorChoices.BLUE,
                link_name="plugins:fabric_twin:slice_add",
                fill={"pod": "pk"},
                required_permissions=["fabric_twin.add_slice"],
                fits=is_pod,
            ),
            WishButton(
                weight=120,
                label="Ticket",
                icon="mdi-ticket-outline",
                kind="slice",
                fill={"pod": "pk"},
            ),
            WishButton(
                weight=120,
                label="Ask for Job",
                icon="mdi-ticket-outline",
                kind="slice",
                verb=Verb.RINGS,
                fill={"pod": "pk"},
            ),
            WishButton(
                weight=120,
                label="Change Topology",
                icon="mdi-ticket-outline",
                kind="topology",
                verb=Verb.TOPOLOGY,
                fill={"pod": "pk"},
            ),
            WishButton(
                weight=125,
                label="Maintenance",
                icon="mdi-wrench-clock",
                kind="maintenance",
                verb=Verb.TAKE_SWITCH,
                fill={"pod": "pk"},
                fits=is_network,
            ),
            WishButton(
                weight=125,
                label="Take out of Service",
                icon="mdi-wrench-clock",
                kind="maintenance",
                verb=Verb.RINGS,
                fill={"pod": "pk"},
            ),
            OrderWishButton(
                weight=130,
                label="Work order",
                kind="install",
                verb=Verb.INSTALL,
                fill={"pod": "pk"},
                fits=has_slots,
            ),
            OrderWishButton(
                weight=130,
                label="Install Block",
                kind="block",
                verb=Verb.INSTALL,
                fill={"pod": "pk"},
                fits=is_network,
            ),
            Button(
                weight=140,
                label="Shift",
                icon="mdi-account-clock-outline",
                link_name="plugins:fabric_twin:shift",
                link_includes_pk=False,
                required_permissions=["fabric_twin.view_finding"],
            ),
            JobFormButton(
                weight=150,
                label="Audit",
                icon="mdi-stethoscope",
                job="fabric_twin.tasks.audit_pod.AuditPod",
                fill={"pod": "pk"},
            ),
            *sync_buttons("pod"),
            discover_button(),
            JobFormButton(
                weight=200,
                label="Load Cubes",
                icon="mdi-database-import-outline",
                job="fabric_twin.tasks.load_pod.LoadPod",
                fill={"pod": "name", "design": "design", "location": "location_id"},
                fits=is_pod,
            ),
            JobFormButton(
                weight=200,
                label="Load Groups",
                icon="mdi-database-import-outline",
                job="fabric_twin.tasks.load_pod.LoadPod",
                fill={"pod": "name", "design": "design", "location": "location_id"},
                fits=is_cluster,
            ),
            JobFormButton(
                weight=200,
                label="Load Blocks",
                icon="mdi-database-import-outline",
                job="fabric_twin.tasks.load_network.LoadNetwork",
                fill={"network": "name", "location": "location_id"},
                fits=is_network,
            ),
            JobFormButton(
                weight=210,
                label="Import Demand",
                icon="mdi-chart-line",
                job="fabric_twin.tasks.import_demand.ImportDemand",
                fill={"network": "pk"},
                fits=is_network,
            ),
            JobFormButton(
                weight=300,
                label="Export Cut Sheet",
                icon="mdi-database-export-outline",
                job="fabric_twin.tasks.export_cut_sheet.ExportCutSheet",
                fill={"pod": "pk"},
            ),
            JobFormButton(
                weight=400,
                label="Render Documents",
                icon="mdi-file-document-outline",
                job="fabric_twin.tasks.render_documents.RenderDocuments",
                fill={"pod": "pk"},
            ),
        ],
        panels=[
            PodFieldsPanel(
                weight=100,
                section=LEFT,
                in_cluster="Cluster",
                not_in_cluster=("serials_follow",),
                only_in_cluster=("kept_back",),
                fields=[
                    "design",
                    "location",
                    "status",
                    "description",
                    "serials_follow",
                    "bear",
                    "kept_back",
                    "queue",
                ],
            ),
            FactsPanel(weight=150, label="Size and use", section=LEFT, tell=tell_size),
            ProgressPanel(weight=40, label="Under way", section=RIGHT, find=of_pod, titled=True),
            StuckPanel(weight=50, label="Stuck", section=RIGHT),
            AttentionPanel(weight=100, label="Needs attention", section=RIGHT),
            DrawingPanel(
                weight=200,
                label="Health",
                section=RIGHT,
                draw=draw_health,
                required_permissions=["fabric_twin.view_auditrun"],
            ),
            ObjectsTablePanel(
                weight=200,
                section=WIDE,
                table_title="Open findings",
                table_class=tables.FindingTable,
                table_attribute="open_findings",
                related_field_name="pod",
                select_related_fields=["pod", "acknowledged_by"],
                exclude_columns=["pod"],
                order_by_fields=["severity", "-opened"],
                max_display_count=10,
                add_button_route=None,
                show_table_config_button=False,
                required_permissions=["fabric_twin.view_finding"],
            ),
            DrawingPanel(weight=100, label="Slots", section=WIDE, draw=draw_slots, fits=is_pod),
            DrawingPanel(
                weight=100, label="Groups", section=WIDE, draw=draw_groups, fits=is_cluster
            ),
            SeenTablePanel(
                weight=150,
                label="Jobs",
                section=WIDE,
                read=jobs_of,
                nothing="No job is on it.",
                fits=is_cluster,
                required_permissions=["fabric_twin.view_slice"],
            ),
            DrawingPanel(weight=100, label="Links", section=WIDE, draw=draw_links, fits=is_network),
        ],
    )
