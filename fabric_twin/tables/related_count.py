"""How many records of another kind belong to a row, among those that the user may see."""

from typing import Any

from django.db.models import Count, Expression, IntegerField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.html import format_html
from django_tables2 import Column
from django_tables2.rows import BoundRows
from nautobot.users.models import User

from fabric_twin.presenters.visible_pod import HIDDEN
from fabric_twin.repositories.permissions import count_in_sight
from fabric_twin.tables.one_at_a_time import Table


def visible_count(model: Any, field: str, user: User) -> Expression:
    """Count rows of a model by one of its foreign keys, within the list's own query."""

    def count(rows: Any) -> Coalesce:
        counted = rows.order_by().values(field).annotate(many=Count("pk")).values("many")
        return Coalesce(Subquery(counted, output_field=IntegerField()), Value(0))

    return count_in_sight(model.objects.filter(**{field: OuterRef("pk")}), user, count)


class RelatedCountColumn(Column):
    """A count that leads to the list of what was counted; the view's queryset brings the number."""

    #: What else the list is asked for.
    only = ""

    def __init__(self, viewname: str, parameter: str, **kwargs: Any) -> None:
        super().__init__(empty_values=(), **kwargs)
        self.viewname, self.parameter = viewname, parameter

    # django_tables2 gives what is named.
    def render(self, value: int | None, record: Any) -> str:  # type: ignore[override]
        """Lead to the list, unless there is nothing in it, or nothing that the user may see."""
        if value is None:
            return HIDDEN
        if not value:
            return "0"
        url = reverse(self.viewname)
        asked = f"{self.parameter}={record.pk}{self.only}"
        return format_html('<a href="{}?{}">{}</a>', url, asked, value)


class FindingCountColumn(RelatedCountColumn):
    """How many findings are there at a row, or in its way, that nobody silenced."""

    only = "&is_there=True&silenced=False"

    def __init__(self, parameter: str) -> None:
        super().__init__("plugins:fabric_twin:finding_list", parameter, verbose_name="Findings")


class CountedTable(Table):
    """A table whose counts its list brings; Nautobot's search does not, and shows none of them."""

    def paginate(self, *args: Any, **options: Any) -> "CountedTable":
        """Choose the rows of a page first: PostgreSQL counts for all rows that it skips, too."""
        super().paginate(*args, **options)
        page = self.page.object_list.data
        if isinstance(page, QuerySet) and page.query.annotation_select:
            rows = self.data.data.filter(pk__in=page.values("pk"))
            self.page.object_list = BoundRows(data=rows, table=self)
        return self

    def before_render(self, request: Any) -> None:
        """Hide counts that nobody counted, or nobody may know: a dash would be read as none."""
        super().before_render(request)
        counted = getattr(getattr(self.data.data, "query", None), "annotations", {})
        for column in self.columns.iterall():
            is_count = isinstance(column.column, RelatedCountColumn)
            if is_count and isinstance(counted.get(column.name, Value(None)), Value):
                self.columns.hide(column.name)
