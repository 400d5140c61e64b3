"""A panel that holds a table of a record's documents."""

from collections.abc import Callable
from typing import Any, Protocol

from nautobot.apps.ui import Panel
from nautobot.apps.views import get_obj_from_context

from fabric_twin.documents.sheet import Table
from fabric_twin.panels.once import once


class Links(Protocol):
    """The pages of what a table names."""

    def linked(self, text: Any) -> str:
        """A cell with its names as links."""


class SheetPanel(Panel):
    """A table as the documents have it, under its own title unless the panel has a label."""

    label: Any = None
    of: Callable[[Any], Table] | None = None
    #: The links of what the page of a record names, for a user.
    links: Callable[[Any, Any], Links] | None = None
    body_content_template_path = "fabric_twin/panels/sheet.html"

    def table(self, context: Any) -> Table:
        """The rows."""
        assert self.of  # noqa: S101 - every panel says which table
        return once(self.of, get_obj_from_context(context))

    def should_render(self, context: Any) -> bool:
        """Show it where there is a row."""
        return super().should_render(context) and bool(self.table(context).rows)

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The table, with what it names as links."""
        shown: dict[str, Any] = {"table": self.table(context)}
        if self.links:
            links = once(self.links, get_obj_from_context(context), context["request"].user)
            shown["linked_rows"] = [
                [links.linked(cell) for cell in row] for row in shown["table"].rows
            ]
        return {**super().get_extra_context(context), **shown}

    def render_label(self, context: Any) -> str:
        """What the panel is called, else what the table is."""
        return str(super().render_label(context) if self.label else self.table(context).title)
