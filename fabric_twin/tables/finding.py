"""Findings, and where they are, as tables."""

from typing import Any

import django_tables2 as tables
from django.utils.html import format_html
from django.utils.timesince import timesince
from nautobot.apps.tables import BaseTable, BooleanColumn, TagColumn, ToggleColumn

from fabric_twin.models import Finding, FindingPlace
from fabric_twin.presenters.moments import local_moment
from fabric_twin.presenters.name_links import NameLinks
from fabric_twin.tables.columns import StateTable, badge
from fabric_twin.tables.one_at_a_time import Table


class FindingTable(StateTable):
    """What is wrong, since when, and who knows of it."""

    #: Read before a page of rows is shown; a CSV has no links.
    _links: NameLinks | None = None

    pk = ToggleColumn()
    code = tables.Column(linkify=True)
    pod = tables.Column(linkify=True)
    # On a phone a sentence keeps the width of a few words; the table is moved sideways.
    cause = tables.Column(attrs={"td": {"style": "min-width: 14rem"}})
    opened = tables.Column(verbose_name="Age", order_by=("-opened",))
    impact = tables.Column(
        empty_values=(),
        order_by=("-circuits_lost", "-cubes_lost", "is_spared"),
        verbose_name="Impact",
    )
    owner = tables.Column()
    due = tables.Column()
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
            "impact",
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
            "owner",
            "due",
            "circuits_lost",
            "cubes_lost",
            "is_spared",
            "acknowledged_by",
            "acknowledged_why",
            "worked_on",
            "tags",
        )
        default_columns = (
            "pk",
            "code",
            "pod",
            "impact",
            "state",
            "cause",
            "opened",
            "owner",
            "due",
            "worked_on",
        )

    def before_render(self, request: Any) -> None:
        """Find the pages of the orders and tickets of these rows at once."""
        super().before_render(request)
        holders = {row.record.worked_on for row in self.paginated_rows}
        self._links = NameLinks(request.user, None, holders)

    def render_worked_on(self, value: str) -> Any:
        """The order or ticket, as a link where the user may see it."""
        return self._links.linked(value) if self._links else value

    def value_worked_on(self, value: str) -> str:
        """The same in a CSV."""
        return value

    def render_impact(self, record: Finding) -> str:
        """A word with its colour, and what is lost."""
        word = badge(record.get_impact_class(), record.impact.capitalize())
        return format_html("{}<br><small>{}</small>", word, record.cost)

    def value_impact(self, record: Finding) -> str:
        """The same in a CSV."""
        return f"{record.impact}: {record.cost}"

    def render_due(self, record: Finding, value: Any) -> str:
        """By when, and whether that is over."""
        due = local_moment(value)
        return (
            format_html("{}<br>{}", due, badge("danger", "Overdue")) if record.is_overdue else due
        )

    def render_severity(self, record: Finding) -> str:
        """A word with its colour."""
        return badge(record.get_severity_class(), record.get_severity_display())

    def render_state(self, record: Finding) -> str:
        """A word with its colour; and since when nobody saw it, where that is so."""
        state = badge(record.get_state_class(), record.get_state_display())
        if (since := record.unseen_since) is None:
            return state
        unseen = f"not seen since {local_moment(since)}"
        return format_html("{}<br><small>{}</small>", state, unseen)

    def render_opened(self, value: Any) -> str:
        """How long it is there."""
        age = timesince(value, depth=1)
        return format_html('<span title="{}">{}</span>', local_moment(value), age)


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
