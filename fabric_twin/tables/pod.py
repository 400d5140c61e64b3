"""Pods as a table."""

from typing import Any

import django_tables2 as tables
from nautobot.apps.tables import BaseTable, ButtonsColumn, StatusTableMixin, TagColumn, ToggleColumn

from fabric_twin.core.topology.design import network_design_named
from fabric_twin.models import Pod
from fabric_twin.tables.columns import all_but
from fabric_twin.tables.related_count import CountedTable, RelatedCountColumn


class _OfPodsColumn(RelatedCountColumn):
    """A count of what pods have, and networks have not."""

    of_networks = False

    # django_tables2 gives what is named.
    def render(self, value: int | None, record: Any) -> str:  # type: ignore[override]
        """A dash where the other kind has none by its nature."""
        if not value and _is_network(record) is not self.of_networks:
            return "—"
        return super().render(value, record)


class _OfNetworksColumn(_OfPodsColumn):
    """The reverse."""

    of_networks = True


class PodTable(StatusTableMixin, CountedTable):
    """Which pods there are, and how far each is built."""

    pk = ToggleColumn()
    name = tables.Column(linkify=True)
    location = tables.Column(linkify=True)
    cube_count = _OfPodsColumn("plugins:fabric_twin:cube_list", "pod", verbose_name="Cubes")
    block_count = _OfNetworksColumn("plugins:fabric_twin:block_list", "pod", verbose_name="Blocks")
    switch_count = RelatedCountColumn(
        "plugins:fabric_twin:switch_list", "pod", verbose_name="Switches"
    )
    slice_count = _OfPodsColumn("plugins:fabric_twin:slice_list", "pod", verbose_name="Slices")
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
            "block_count",
            "switch_count",
            "slice_count",
            "description",
            "tags",
            "actions",
        )
        default_columns = all_but(fields, "tags")

    def before_render(self, request: Any) -> None:
        """Show blocks where a row is a network: others have none."""
        super().before_render(request)
        if not any(_is_network(row.record) for row in self.paginated_rows):
            self.columns.hide("block_count")


def _is_network(pod: Pod) -> bool:
    """Asked of the name of its design: a list reads no design to say so."""
    return network_design_named(pod.design) is not None
