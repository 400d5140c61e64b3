"""Runs as a table."""

import django_tables2 as tables
from nautobot.apps.tables import BaseTable, BooleanColumn, TagColumn, ToggleColumn
from nautobot.core.templatetags.helpers import placeholder

from fabric_twin.models import AuditRun
from fabric_twin.tables.columns import StateTable, all_but, badge


class AuditRunTable(StateTable):
    """When a pod was audited, and what changed since the run before."""

    pk = ToggleColumn()
    number = tables.Column(linkify=True)
    pod = tables.Column(linkify=True)
    light = BooleanColumn()
    job_result = tables.Column(linkify=True)
    tags = TagColumn(url_name="plugins:fabric_twin:auditrun_list")

    class Meta(BaseTable.Meta):
        model = AuditRun
        fields = (
            "pk",
            "number",
            "pod",
            "scope",
            "places",
            "light",
            "state",
            "gate",
            "started",
            "duration",
            "found",
            "new",
            "gone",
            "still",
            "job_result",
            "tags",
        )
        default_columns = all_but(fields, "places", "light", "still", "job_result", "tags")

    def render_gate(self, record: AuditRun) -> str:
        """A word with its colour."""
        return badge(record.get_gate_class(), record.get_gate_display())

    def render_duration(self, value: float) -> str:
        """Seconds, as precise as anybody needs."""
        return seconds(value)


def seconds(value: float | None) -> str:
    """How long a run took, as precise as anybody needs."""
    return placeholder(value) if value is None else f"{value:.1f} s"
