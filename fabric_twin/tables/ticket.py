"""Tickets as a table."""

import django_tables2 as tables
from nautobot.apps.tables import BaseTable, BooleanColumn, TagColumn, ToggleColumn

from fabric_twin.models import Ticket
from fabric_twin.tables.columns import StateTable, badge


class TicketTable(StateTable):
    """What changes, how far it is, and who answers for it."""

    pk = ToggleColumn()
    name = tables.Column(
        linkify=True, verbose_name="Ticket", order_by=("pod__name", "number", "revision")
    )
    title = tables.Column(attrs={"td": {"class": "text-break"}})
    pod = tables.Column(linkify=True)
    emergency = BooleanColumn()
    tags = TagColumn(url_name="plugins:fabric_twin:ticket_list")

    class Meta(BaseTable.Meta):
        model = Ticket
        fields = (
            "pk",
            "name",
            "title",
            "pod",
            "kind",
            "state",
            "risk",
            "author",
            "approved_by",
            "window_start",
            "window_end",
            "emergency",
            "submitted_at",
            "started",
            "ended",
            "message",
            "tags",
        )
        default_columns = (*fields[:8], "window_start")

    def render_risk(self, record: Ticket) -> str:
        """A word with its colour."""
        return badge(record.get_risk_class(), record.get_risk_display())
