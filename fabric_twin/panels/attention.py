"""The panel that says what needs attention."""

from typing import Any

from nautobot.apps.ui import Panel
from nautobot.apps.views import get_obj_from_context

from fabric_twin.panels.seeing import sight_of
from fabric_twin.presenters.attention import attention


class AttentionPanel(Panel):
    """What of a pod somebody should look at, each with a way to the rows."""

    body_content_template_path = "fabric_twin/panels/attention.html"

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The matters, the worst first."""
        sight = sight_of(get_obj_from_context(context), context["request"].user)
        return {**super().get_extra_context(context), "matters": attention(sight)}
