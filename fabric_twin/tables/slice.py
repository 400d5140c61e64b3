"""Slices, and where their cubes stand, as tables."""

from functools import cached_property
from uuid import UUID

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
from fabric_twin.operations.slices.bearing import Left, left_of
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
    capacity = tables.Column(empty_values=(), orderable=False)
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
            "capacity",
            "finding_count",
            "description",
            "tags",
            "actions",
        )
        default_columns = all_but(fields, "description", "tags")

    @cached_property
    def _left(self) -> dict[UUID, Left]:
        """What is left of the slices of the page, asked for once for all of them."""
        return left_of([row.record for row in self.paginated_rows])

    def render_capacity(self, record: Slice) -> str:
        """1, or the axes that lost something; a dash where there is no circuit to lose."""
        return str(self._left.get(record.pk, "—"))

    def value_capacity(self, record: Slice) -> str:
        """The same in a file."""
        return str(self._left.get(record.pk, ""))


class SlicePartTable(Table):
    """Which cube stands at which place of a slice."""

    place = tables.Column()
    slice = tables.Column(linkify=True)
    cube = tables.Column(linkify=True)

    class Meta(BaseTable.Meta):
        model = SlicePart
        fields = ("place", "slice", "cube", "chips")
        default_columns = ("place", "slice", "cube")
