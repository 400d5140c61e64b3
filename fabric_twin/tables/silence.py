"""Silences as a table."""

import django_tables2 as tables
from nautobot.apps.tables import BaseTable, ButtonsColumn, TagColumn, ToggleColumn

from fabric_twin.models import Silence
from fabric_twin.tables.columns import all_but
from fabric_twin.tables.one_at_a_time import Table


class SilenceTable(Table):
    """Which findings are kept quiet, until when and why."""

    pk = ToggleColumn()
    pod = tables.Column(linkify=True)
    finding = tables.Column(linkify=True)
    device = tables.Column(linkify=True)
    cable = tables.Column(linkify=True)
    tag = tables.Column(linkify=True)
    until = tables.Column(linkify=True)
    tags = TagColumn(url_name="plugins:fabric_twin:silence_list")
    actions = ButtonsColumn(Silence)

    class Meta(BaseTable.Meta):
        model = Silence
        fields = (
            "pk",
            "until",
            "pod",
            "finding",
            "code",
            "device",
            "cable",
            "tag",
            "reason",
            "user",
            "tags",
            "actions",
        )
        default_columns = all_but(fields, "tags")
