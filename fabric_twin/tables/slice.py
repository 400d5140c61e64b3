"""Slices, and where their cubes stand, as tables."""

import django_tables2 as tables
from nautobot.apps.tables import (
    BaseTable,
    BooleanColumn,
    ButtonsColumn,
    StatusTableMixin,
    TagColumn,
    ToggleColumn,
)

from fabric_twin.models import Slice, SlicePart
from fabric_twin.tables.columns import all_but
from fabric_twin.tables.one_at_a_time import Table
from fabric_twin.tables.related_count import (
    CountedTable,
    FindingCountColumn,
    RelatedCountColumn,
)


class SliceTable(StatusTableMixin, CountedTable):
    """Which slices there are, and how large."""

    pk = ToggleColumn()
    name = tables.Column(linkify=True)
    pod = tables.Column(linkify=True)
    twisted = BooleanColumn()
    cube_count = RelatedCountColumn("plugins:fabric_twin:cube_list", "slice", verbose_name="Cubes")
    circuit_count = RelatedCountColumn(
        "plugins:fabric_twin:opticalcircuit_list", "slice", verbose_name="Circuits"
    )
    finding_count = FindingCountColumn("slice")
    tags = TagColumn(url_name="plugins:fabric_twin:slice_list")
    actions = ButtonsColumn(Slice)

    class Meta(BaseTable.Meta):
        model = Slice
        fields = (
            "pk",
            "name",
            "letter",
            "pod",
            "shape",
            "twisted",
            "status",
            "cube_count",
            "circuit_count",
            "finding_count",
            "description",
            "tags",
            "actions",
        )
        default_columns = all_but(fields, "description", "tags")


class SlicePartTable(Table):
    """Which cube stands at which place of a slice."""

    place = tables.Column()
    slice = tables.Column(linkify=True)
    cube = tables.Column(linkify=True)

    class Meta(BaseTable.Meta):
        model = SlicePart
        fields = ("place", "slice", "cube", "chips")
        default_columns = ("place", "slice", "cube")
