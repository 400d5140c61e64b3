"""Pods as a table."""

import django_tables2 as tables
from nautobot.apps.tables import BaseTable, ButtonsColumn, StatusTableMixin, TagColumn, ToggleColumn

from fabric_twin.models import Pod
from fabric_twin.tables.columns import all_but
from fabric_twin.tables.related_count import CountedTable, RelatedCountColumn


class PodTable(StatusTableMixin, CountedTable):
    """Which pods there are, and how far each is built."""

    pk = ToggleColumn()
    name = tables.Column(linkify=True)
    location = tables.Column(linkify=True)
    cube_count = RelatedCountColumn("plugins:fabric_twin:cube_list", "pod", verbose_name="Cubes")
    switch_count = RelatedCountColumn(
        "plugins:fabric_twin:switch_list", "pod", verbose_name="Switches"
    )
    slice_count = RelatedCountColumn("plugins:fabric_twin:slice_list", "pod", verbose_name="Slices")
    tags = TagColumn(url_name="plugins:fabric_twin:pod_list")
    actions = ButtonsColumn(Pod)

    class Meta(BaseTable.Meta):
        model = Pod
        fields = (
            "pk",
            "name",
            "status",
            "design",
            "location",
            "cube_count",
            "switch_count",
            "slice_count",
            "description",
            "tags",
            "actions",
        )
        default_columns = all_but(fields, "tags")
