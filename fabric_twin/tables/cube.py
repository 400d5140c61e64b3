"""Cubes as a table."""

import django_tables2 as tables
from nautobot.apps.tables import BaseTable, ButtonsColumn, StatusTableMixin, TagColumn, ToggleColumn

from fabric_twin.models import Cube
from fabric_twin.tables.related_count import CountedTable, RelatedCountColumn


class CubeTable(StatusTableMixin, CountedTable):
    """Which rack stands in which slot."""

    pk = ToggleColumn()
    slot = tables.Column(linkify=True)
    pod = tables.Column(linkify=True)
    rack = tables.Column(linkify=True)
    slice_count = RelatedCountColumn(
        "plugins:fabric_twin:slice_list", "cube", verbose_name="Slices"
    )
    tags = TagColumn(url_name="plugins:fabric_twin:cube_list")
    actions = ButtonsColumn(Cube)

    class Meta(BaseTable.Meta):
        model = Cube
        fields = (
            "pk",
            "slot",
            "pod",
            "status",
            "rack",
            "slice_count",
            "address",
            "target",
            "tags",
            "actions",
        )
        default_columns = ("pk", "slot", "pod", "status", "rack", "slice_count", "actions")
