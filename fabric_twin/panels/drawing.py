"""A panel that holds a drawing."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.utils.safestring import SafeString, mark_safe
from nautobot.apps.ui import Panel
from nautobot.apps.views import get_obj_from_context

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.documents import embed
from fabric_twin.documents.sheet import Document


class Drawn(NamedTuple):
    """A document of a pod, and where what it shows has its page."""

    document: Document
    pod: str
    links: embed.Links


#: The drawing of a record as a user may see it, if there is anything to draw.
Draw = Callable[[Any, Any], Drawn | None]


class PanelOfSome(Panel):
    """A panel that some records of a kind have."""

    #: Which of them have it; without it, all.
    fits: Callable[[Any, Any], bool] | None = None

    def should_render(self, context: Any) -> bool:
        """Where the record has such a panel."""
        record, user = get_obj_from_context(context), context["request"].user
        fits = self.fits is None or self.fits(record, user)
        return fits and bool(super().should_render(context))


class DrawingPanel(PanelOfSome):
    """A record drawn in its pod."""

    draw: Draw | None = None
    #: What is said where there is nothing to draw.
    nothing: str | Callable[[Any], str] = ""
    body_content_template_path = "fabric_twin/panels/drawing.html"

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The drawing, or why there is none."""
        record, user = get_obj_from_context(context), context["request"].user
        nothing = self.nothing(record) if callable(self.nothing) else self.nothing
        facts: dict[str, Any] = {"drawing": "", "refusal": "", "nothing": nothing}
        try:
            drawn = self.draw(record, user) if self.draw else None
        except FabricTwinError as refusal:
            facts["refusal"] = str(refusal)
        else:
            if drawn:
                facts["drawing"] = _safe(embed.svg(*drawn))
                facts["past"] = f"past-{drawn.document.kind}" if drawn.links else ""
                facts["style"] = _safe(embed.style())
        return {**super().get_extra_context(context), **facts}


def _safe(drawn: str) -> SafeString:
    """Our own templates escape every name: see documents/environment.py."""
    return mark_safe(drawn)  # noqa: S308
