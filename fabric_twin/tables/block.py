"""Blocks as a table."""

import django_tables2 as tables
from nautobot.apps.tables import BaseTable, ButtonsColumn, StatusTableMixin, TagColumn, ToggleColumn

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.topology.network import SIDES, ports_of
from fabric_twin.models import Block
from fabric_twin.models.pod import DESIGN_GONE
from fabric_twin.tables.columns import all_but
from fabric_twin.tables.demand import gbps_told
from fabric_twin.tables.related_count import CountedTable, FindingCountColumn


class BlockTable(StatusTableMixin, CountedTable):
    """Which device is which block, and where its uplinks go."""

    pk = ToggleColumn()
    name = tables.Column(linkify=True)
    pod = tables.Column(linkify=True)
    device = tables.Column(linkify=True)
    serves = tables.Column(linkify=True)
    ports = tables.Column("Ports", empty_values=(), order_by=("pod", "first_port"))
    finding_count = FindingCountColumn("block")
    tags = TagColumn(url_name="plugins:fabric_twin:block_list")
    actions = ButtonsColumn(Block)

    class Meta(BaseTable.Meta):
        model = Block
        fields = (
            "pk",
            "name",
            "pod",
            "status",
            "device",
            "ports",
            "strands",
            "rate_gbps",
            "serves",
            "owner",
            "finding_count",
            "address",
            "target",
            "description",
            "tags",
            "actions",
        )
        default_columns = all_but(fields, "address", "target", "description", "tags")

    def render_rate_gbps(self, value: float) -> str:
        """Without a fraction where it has none."""
        return gbps_told(value)

    def render_ports(self, record: Block) -> str:
        """Those that it has on every switch."""
        try:
            return ports_told(record)
        except FabricTwinError:
            return DESIGN_GONE


def ports_told(block: Block) -> str:
    """The ports of a block on every switch of its network: `4A-6A, 4B-6B`."""
    many = ports_of(block.strands, len(block.pod.to_core().layout.switches))
    last = block.first_port + many - 1
    ends = (block.first_port,) if many == 1 else (block.first_port, last)
    return ", ".join("-".join(f"{port}{side}" for port in ends) for side in SIDES)
