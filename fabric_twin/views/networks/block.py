"""Pages of blocks."""

from nautobot.apps.ui import ObjectDetailContent, ObjectFieldsPanel
from nautobot.apps.views import NautobotUIViewSet

from fabric_twin import filters, forms, tables
from fabric_twin.core.kinds import Verb
from fabric_twin.forms.work_order import BLOCK_OUT
from fabric_twin.models import Block
from fabric_twin.panels import LEFT, RIGHT
from fabric_twin.panels.buttons import OrderWishButton, sync_buttons
from fabric_twin.panels.facts import FactsPanel
from fabric_twin.panels.findings_tab import FindingsTab
from fabric_twin.panels.networks.block import tell_uplinks
from fabric_twin.panels.who_answers import ConfirmButton, tell_who_answers
from fabric_twin.views.fabric.confirming import ConfirmMixin
from fabric_twin.views.fabric.syncing import SyncMixin
from fabric_twin.views.in_pod import breadcrumbs
from fabric_twin.views.page import PageMixin
from fabric_twin.views.seen_filters import SeenFiltersMixin
from fabric_twin.views.tabs_of import FindingsOfMixin


class BlockUIViewSet(
    PageMixin, SeenFiltersMixin, ConfirmMixin, SyncMixin, FindingsOfMixin, NautobotUIViewSet
):
    """A block: which device it is, and where its uplinks go."""

    queryset = Block.objects.select_related("pod", "device", "status")
    table_class = tables.BlockTable
    filterset_class = filters.BlockFilterSet
    filterset_form_class = forms.BlockFilterForm
    form_class = forms.BlockForm
    bulk_update_form_class = forms.BlockBulkEditForm
    breadcrumbs = breadcrumbs("pod")
    object_detail_content = ObjectDetailContent(
        extra_buttons=[
            OrderWishButton(
                weight=110,
                label="Take out",
                kind=BLOCK_OUT,
                verb=Verb.DECOMMISSION,
                fill={"pod": "pod_id", "block": "pk"},
            ),
            *sync_buttons("block"),
            ConfirmButton(200, "block"),
        ],
        extra_tabs=[FindingsTab("block")],
        panels=[
            ObjectFieldsPanel(
                weight=100,
                section=LEFT,
                fields=[
                    "pod",
                    "name",
                    "device",
                    "first_port",
                    "strands",
                    "rate_gbps",
                    "serves",
                    "owner",
                    "status",
                    "address",
                    "target",
                    "description",
                ],
            ),
            FactsPanel(weight=100, label="Uplinks", section=RIGHT, tell=tell_uplinks),
            FactsPanel(weight=200, label="Who answers", section=RIGHT, tell=tell_who_answers),
        ],
    )
