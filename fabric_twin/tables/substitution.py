"""Substitutions as a table."""

import django_tables2 as tables
from nautobot.apps.tables import BaseTable, ButtonsColumn, TagColumn, ToggleColumn

from fabric_twin.models import Substitution
from fabric_twin.tables.one_at_a_time import Table


class SubstitutionTable(Table):
    """Which spare takes the cable of which port."""

    pk = ToggleColumn()
    port = tables.Column(verbose_name="In place of", linkify=True)
    spare = tables.Column(linkify=True)
    switch = tables.Column(accessor="port__switch", linkify=True)
    pod = tables.Column(accessor="port__pod", linkify=True)
    tags = TagColumn(url_name="plugins:fabric_twin:substitution_list")
    actions = ButtonsColumn(Substitution)

    class Meta(BaseTable.Meta):
        model = Substitution
        fields = ("pk", "port", "spare", "switch", "pod", "reason", "tags", "actions")
        default_columns = ("pk", "port", "spare", "switch", "pod", "reason", "actions")
