"""Demand as a table."""

import django_tables2 as tables
from nautobot.apps.tables import BaseTable, ButtonsColumn, TagColumn, ToggleColumn

from fabric_twin.models import Demand
from fabric_twin.tables.columns import all_but
from fabric_twin.tables.one_at_a_time import Table


class DemandTable(Table):
    """How much the blocks of a network ask for on each day."""

    pk = ToggleColumn()
    day = tables.Column(linkify=True)
    pod = tables.Column(linkify=True)
    pairs = tables.Column(empty_values=(), orderable=False)
    total = tables.Column(empty_values=(), orderable=False, verbose_name="Gbit/s")
    tags = TagColumn(url_name="plugins:fabric_twin:demand_list")
    actions = ButtonsColumn(Demand)

    class Meta(BaseTable.Meta):
        model = Demand
        fields = ("pk", "day", "pod", "pairs", "total", "description", "tags", "actions")
        default_columns = all_but(fields, "tags")

    def render_pairs(self, record: Demand) -> str:
        """How many pairs of blocks ask for something."""
        return f"{len(record.gbps):,}"

    def render_total(self, record: Demand) -> str:
        """All of it together."""
        return gbps_told(record.total)


def gbps_told(gbps: float) -> str:
    """A rate in Gbit/s, without noughts that say nothing."""
    return f"{gbps:,.9g}"
