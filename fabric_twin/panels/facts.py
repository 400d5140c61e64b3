"""A panel of facts that are not fields of the record."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.utils.html import format_html, format_html_join
from nautobot.apps.ui import KeyValueTablePanel, ObjectFieldsPanel
from nautobot.apps.views import get_obj_from_context

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.panels.once import once
from fabric_twin.presenters.moments import local_moment

#: The facts of a record as a user may see them.
Tell = Callable[[Any, Any], Mapping[str, Any]]


class FieldsPanel(ObjectFieldsPanel):
    """Fields of the record, its moments as everywhere on our pages."""

    def render_value(self, key: str, value: Any, context: Any) -> str:
        """As Nautobot shows it, but for moments."""
        if isinstance(value, datetime) and key not in self.value_transforms:
            return local_moment(value)
        return str(super().render_value(key, value, context))


class FactsPanel(KeyValueTablePanel):
    """Names and values, asked for once while the page is made."""

    tell: Tell | None = None

    def should_render(self, context: Any) -> bool:
        """Show the panel to users who may see it, unless it is empty."""
        return self.may_render(context) and bool(self.get_data(context))

    def may_render(self, context: Any) -> bool:
        """Whether the user has the permissions that the panel asks for."""
        return bool(context["request"].user.has_perms(self.required_permissions))

    def get_data(self, context: Any) -> Mapping[str, Any]:
        """What is told, or why it cannot be."""
        record, user = get_obj_from_context(context), context["request"].user
        try:
            return once(self.tell, record, user) if self.tell else {}
        except FabricTwinError as refusal:  # such as a pod whose design is gone
            return {"Not known": str(refusal)}

    def render_value(self, key: str, value: Any, context: Any) -> str:
        """As Nautobot shows it, but for moments."""
        if isinstance(value, datetime):
            return local_moment(value)
        return str(super().render_value(key, value, context))

    def render_key(self, key: str, value: Any, context: Any) -> str:  # noqa: ARG002
        """Names are written as they are to be read."""
        return key


def link(url: str, text: Any) -> str:
    """A link to a page; only the text, where the user may see no page of it."""
    return format_html('<a href="{}">{}</a>', url, text) if url else format_html("{}", text)


def links(rows: Any, parted: str = ", ") -> str:
    """Several links in a line."""
    return format_html_join(parted, "{}", ((link(url, text),) for url, text in rows))
