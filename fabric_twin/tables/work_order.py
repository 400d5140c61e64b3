"""Work orders and stock as tables."""

import django_tables2 as tables
from nautobot.apps.tables import BaseTable, ButtonsColumn, TagColumn, ToggleColumn

from fabric_twin.models import Stock, WorkOrder
from fabric_twin.tables.columns import StateTable
from fabric_twin.tables.one_at_a_time import Table


class WorkOrderTable(StateTable):
    """Work orders: what is to be done, how far it is, and by whom."""

    pk = ToggleColumn()
    name = tables.Column(linkify=True, verbose_name="Order", order_by=("pod__name", "number"))
    pod = tables.Column(linkify=True)
    tags = TagColumn(url_name="plugins:fabric_twin:workorder_list")

    class Meta(BaseTable.Meta):
        model = WorkOrder
        fields = (
            "pk",
            "name",
            "title",
            "pod",
            "kind",
            "state",
            "assignee",
            "team",
            "crews",
            "due",
            "started",
            "ended",
            "elsewhere",
            "author",
            "message",
            "tags",
        )
        default_columns = fields[:10]


class StockTable(Table):
    """Parts on the shelf, and on their way."""

    pk = ToggleColumn()
    part = tables.Column(linkify=True)
    location = tables.Column(linkify=True)
    tags = TagColumn(url_name="plugins:fabric_twin:stock_list")
    actions = ButtonsColumn(Stock)

    class Meta(BaseTable.Meta):
        model = Stock
        fields = ("pk", "part", "location", "on_hand", "ordered", "tags", "actions")
        default_columns = ("pk", "part", "location", "on_hand", "ordered", "actions")
