"""Cubes as a table."""

from typing import Any
from uuid import UUID

import django_tables2 as tables
from nautobot.apps.tables import BaseTable, ButtonsColumn, StatusTableMixin, TagColumn, ToggleColumn

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import Cube, Pod
from fabric_twin.models.pod import DESIGN_GONE
from fabric_twin.operations.slices.slot_uses import uses_of
from fabric_twin.tables.columns import all_but
from fabric_twin.tables.related_count import (
    CountedTable,
    FindingCountColumn,
    RelatedCountColumn,
)


class CubeTable(StatusTableMixin, CountedTable):
    """Which rack stands in which slot."""

    pk = ToggleColumn()
    slot = tables.Column(linkify=True)
    pod = tables.Column(linkify=True)
    rack = tables.Column(linkify=True)
    use = tables.Column(empty_values=(), orderable=False)
    slice_count = RelatedCountColumn(
        "plugins:fabric_twin:slice_list", "cube", verbose_name="Slices"
    )
    finding_count = FindingCountColumn("cube")
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
            "use",
            "slice_count",
            "finding_count",
            "address",
            "target",
            "tags",
            "actions",
        )
        default_columns = all_but(fields, "address", "target", "tags")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._uses: dict[UUID, dict[int, str] | None] = {}

    def render_use(self, record: Cube) -> str:
        """How the cube is used; each pod of the list is read once."""
        pod = record.pod
        if pod.pk not in self._uses:
            self._uses[pod.pk] = _read_uses(pod)
        uses = self._uses[pod.pk]
        return uses[record.slot] if uses else DESIGN_GONE


def _read_uses(pod: Pod) -> dict[int, str] | None:
    """How its slots are used; None where its design is gone."""
    try:
        return uses_of(pod)
    except FabricTwinError:
        return None
