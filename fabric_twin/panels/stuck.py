"""The panel that says what of a pod does not go on by itself; there is none where all goes on."""

from typing import Any

from nautobot.apps.ui import Panel
from nautobot.apps.views import get_obj_from_context

from fabric_twin.panels.once import once
from fabric_twin.presenters.stuck import Row, stuck_rows


class StuckPanel(Panel):
    """What is stuck, since when and why, each with a button that goes on."""

    body_content_template_path = "fabric_twin/panels/stuck.html"

    def should_render(self, context: Any) -> bool:
        """Only where something is."""
        return bool(super().should_render(context) and _rows(context))

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The oldest first."""
        return {**super().get_extra_context(context), "stuck": _rows(context)}


def _rows(context: Any) -> list[Row]:
    pod = get_obj_from_context(context)
    return once(_read, pod, context["request"].user)


def _read(pod: Any, user: Any) -> list[Row]:
    return stuck_rows(user, pod)
