"""Findings, and where they are, as tables."""

from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.timesince import timesince
from nautobot.apps.tables import BaseTable, BooleanColumn, TagColumn, ToggleColumn

from fabric_twin.models import Finding, FindingPlace
from fabric_twin.tables.columns import StateTable, badge
from fabric_twin.tables.one_at_a_time import Table


class FindingTable(StateTable):
    """What is wrong, since when, and who knows of it."""

    pk = ToggleColumn()
    code = tables.Column(linkify=True)
    pod = tables.Column(linkify=True)
    opened = tables.Column(verbose_name="Age", order_by=("-opened",))
    acknowledged_by = tables.Column(verbose_name="Acknowledged by")
    observed = BooleanColumn()
    seen = BooleanColumn()
    tags = TagColumn(url_name="plugins:fabric_twin:finding_list")

    class Meta(BaseTable.Meta):
        model = Finding
        fields = (
            "pk",
            "code",
            "key",
            "pod",
            "severity",
            "state",
            "cause",
            "opened",
            "first_seen",
            "last_seen",
            "seen",
            "mended_at",
            "reopened",
            "observed",
            "acknowledged_by",
            "acknowledged_why",
            "worked_on",
            "tags",
        )
        default_columns = ("pk", "code", "pod", "severity", "state", "cause", "opened", "worked_on")

    def render_severity(self, record: Finding) -> str:
        """A word with its colour."""
        return badge(record.get_severity_class(), record.get_severity_display())

    def render_state(self, record: Finding) -> str:
        """A word with its colour; and since when nobody saw it, where that is so."""
        state = badge(record.get_state_class(), record.get_state_display())
        unseen = record.not_seen_since
        return format_html("{}<br><small>{}</small>", state, unseen) if unseen else state

    def render_opened(self, value: Any) -> str:
        """How long it is there."""
        return format_html('<span title="{}">{}</span>', value, timesince(value, depth=1))


class FindingPlaceTable(Table):
    """The ports and cables of a finding."""

    port = tables.Column(linkify=True)
    device = tables.Column(linkify=True)
    rack = tables.Column(linkify=True)
    cable = tables.Column(linkify=True)
    named = tables.Column(empty_values=(), orderable=False, verbose_name="As it was found")

    class Meta(BaseTable.Meta):
        model = FindingPlace
        fields = ("named", "port", "device", "rack", "cable")
        default_columns = ("named", "port", "device", "rack", "cable")

    def render_named(self, record: FindingPlace) -> str:
        """The name that the finding has for it."""
        return str(record)
