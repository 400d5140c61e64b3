"""A panel that holds a drawing."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from nautobot.apps.ui import Panel
from nautobot.apps.views import get_obj_from_context

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.documents import in_page
from fabric_twin.documents.sheet import Document

#: The document of a record as a user may see it, and where what it shows has its page; or nothing.
Draw = Callable[[Any, Any], tuple[Document, Mapping[str, str]] | None]


class DrawingPanel(Panel):
    """What a record looks like in its pod, drawn for whoever looks at it."""

    draw: Draw | None = None
    body_content_template_path = "fabric_twin/panels/drawing.html"

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The drawing, or why there is none."""
        record, user = get_obj_from_context(context), context["request"].user
        facts: dict[str, Any] = {"drawing": "", "lines": (), "refusal": ""}
        try:
            drawn = self.draw(record, user) if self.draw else None
        except FabricTwinError as refusal:
            facts["refusal"] = str(refusal)
        else:
            if drawn:
                document, links = drawn
                facts["drawing"] = _safe(in_page.svg(document, "", links))
                facts["lines"] = document.lines
                facts["style"] = _safe(in_page.style())
        return {**super().get_extra_context(context), **facts}


def _safe(drawn: str) -> SafeString:
    """Our own templates escape every name: see documents/environment.py."""
    return mark_safe(drawn)  # noqa: S308
