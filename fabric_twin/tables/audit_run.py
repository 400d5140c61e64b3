"""Runs as a table."""

from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from nautobot.apps.tables import BaseTable, BooleanColumn, TagColumn, ToggleColumn
from nautobot.core.templatetags.helpers import placeholder

from fabric_twin.models import AuditRun


class AuditRunTable(BaseTable):
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
        default_columns = (
            "pk",
            "number",
            "pod",
            "scope",
            "state",
            "gate",
            "started",
            "duration",
            "found",
            "new",
            "gone",
        )

    def render_state(self, record: AuditRun) -> str:
        """A word with its colour."""
        return badge(record.get_state_class(), record.get_state_display())

    def render_gate(self, record: AuditRun) -> str:
        """A word with its colour."""
        return badge(record.get_gate_class(), record.get_gate_display())

    def render_duration(self, value: float) -> str:
        """Seconds, as precise as anybody needs."""
        return seconds(value)


def seconds(value: float | None) -> str:
    """How long a run took, as precise as anybody needs."""
    return placeholder(value) if value is None else f"{value:.1f} s"


def badge(colour: str, text: Any) -> str:
    """A word on a coloured ground."""
    return format_html('<span class="badge bg-{}">{}</span>', colour, text)
