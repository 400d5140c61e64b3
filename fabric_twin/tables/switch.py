"""Switches as a table."""

import django_tables2 as tables
from nautobot.apps.tables import BaseTable, ButtonsColumn, StatusTableMixin, TagColumn, ToggleColumn

from fabric_twin.models import Switch
from fabric_twin.tables.columns import all_but
from fabric_twin.tables.related_count import (
    CountedTable,
    FindingCountColumn,
    RelatedCountColumn,
)


class SwitchTable(StatusTableMixin, CountedTable):
    """Which device joins which index of which axis."""

    pk = ToggleColumn()
    device = tables.Column(verbose_name="Switch", linkify=lambda record: record.get_absolute_url())
    pod = tables.Column(linkify=True)
    circuit_count = RelatedCountColumn(
        "plugins:fabric_twin:opticalcircuit_list", "switch", verbose_name="Circuits"
    )
    finding_count = FindingCountColumn("switch")
    tags = TagColumn(url_name="plugins:fabric_twin:switch_list")
    actions = ButtonsColumn(Switch)

    class Meta(BaseTable.Meta):
        model = Switch
        fields = (
            "pk",
            "device",
            "pod",
            "axis",
            "index",
            "status",
            "circuit_count",
            "finding_count",
            "number",
            "address",
            "target",
            "dialect",
            "flow_address",
            "datapath",
            "tags",
            "actions",
        )
        default_columns = all_but(
            fields, "number", "target", "dialect", "flow_address", "datapath", "tags"
        )
