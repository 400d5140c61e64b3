"""Circuits as a table."""

import django_tables2 as tables
from nautobot.apps.tables import BaseTable, BooleanColumn, ButtonsColumn, TagColumn, ToggleColumn

from fabric_twin.models import OpticalCircuit
from fabric_twin.tables.one_at_a_time import Table


class OpticalCircuitTable(Table):
    """Which ports are joined, for whom, and whether the switch agrees."""

    pk = ToggleColumn()
    a = tables.Column(verbose_name="Circuit", linkify=True, order_by=("switch", "a"))
    switch = tables.Column(linkify=True)
    pod = tables.Column(accessor="switch__pod", linkify=True)
    slice = tables.Column(linkify=True)
    wanted = BooleanColumn()
    seen = BooleanColumn()
    tags = TagColumn(url_name="plugins:fabric_twin:opticalcircuit_list")
    actions = ButtonsColumn(OpticalCircuit)

    class Meta(BaseTable.Meta):
        model = OpticalCircuit
        fields = ("pk", "a", "switch", "pod", "slice", "wanted", "seen", "tags", "actions")
        default_columns = ("pk", "a", "switch", "pod", "slice", "wanted", "seen", "actions")

    def render_a(self, record: OpticalCircuit) -> str:
        """Both ports."""
        return record.told
