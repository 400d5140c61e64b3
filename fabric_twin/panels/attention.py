"""The panels that say what needs attention, and what does not go on by itself."""

from typing import Any

from nautobot.apps.ui import Panel
from nautobot.apps.views import get_obj_from_context

from fabric_twin.panels.once import once
from fabric_twin.panels.seeing import sight_of
from fabric_twin.presenters.attention import attention, sees_all
from fabric_twin.presenters.stuck import Row, stuck_rows


class AttentionPanel(Panel):
    """What of a pod somebody should look at, each with a way to the rows."""

    body_content_template_path = "fabric_twin/panels/attention.html"

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The matters, the worst first."""
        sight = sight_of(get_obj_from_context(context), context["request"].user)
        matters = attention(sight)
        is_well = not matters and sees_all(sight)
        shown = {"matters": matters, "is_well": is_well}
        return {**super().get_extra_context(context), **shown}


class StuckPanel(Panel):
    """What is stuck, since when and why, each with a button that goes on; else it is not there."""

    body_content_template_path = "fabric_twin/panels/stuck.html"

    def should_render(self, context: Any) -> bool:
        """Only where something is."""
        return bool(super().should_render(context) and _rows(context))

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The oldest first."""
        return {**super().get_extra_context(context), "stuck": _rows(context)}


def _rows(context: Any) -> list[Row]:
    return once(_stuck_of, get_obj_from_context(context), context["request"].user)


def _stuck_of(pod: Any, user: Any) -> list[Row]:
    return stuck_rows(user, pod)
