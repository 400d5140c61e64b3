"""Multislices as a table."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import django_tables2 as tables
from nautobot.apps.tables import BaseTable, ButtonsColumn, TagColumn, ToggleColumn

from fabric_twin.models import Multislice
from fabric_twin.operations.networks.rings import jobs_of
from fabric_twin.tables.columns import all_but
from fabric_twin.tables.one_at_a_time import Table


class MultisliceTable(Table):
    """Jobs over several pods, and how each stands."""

    pk = ToggleColumn()
    name = tables.Column(linkify=True)
    pod = tables.Column(linkify=True, verbose_name="Network")
    state = tables.Column(empty_values=(), orderable=False)
    tags = TagColumn(url_name="plugins:fabric_twin:multislice_list")
    actions = ButtonsColumn(Multislice)

    class Meta(BaseTable.Meta):
        model = Multislice
        fields = (
            "pk",
            "name",
            "pod",
            "state",
            "shape",
            "owner",
            "author",
            "least",
            "description",
            "tags",
            "actions",
        )
        default_columns = all_but(fields, "least", "tags")

    def render_state(self, record: Multislice) -> str:
        """How it stands, by its slices and tickets."""
        return self._states[record.pk]

    @cached_property
    def _states(self) -> Mapping[Any, str]:
        """Of all rows of the page, asked for once."""
        jobs = jobs_of(row.record for row in self.paginated_rows)
        return {job.multislice.pk: str(job.state) for job in jobs}
