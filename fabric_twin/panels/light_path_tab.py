"""A tab with the light path, on pages of interfaces and cables that are of a pod."""

from typing import Any

from nautobot.apps.ui import DistinctViewTab
from nautobot.apps.views import get_obj_from_context

from fabric_twin.panels import WIDE
from fabric_twin.panels.drawing import DrawingPanel
from fabric_twin.panels.once import once
from fabric_twin.panels.place import draw_light_of_end, port_of


class LightPathTab(DistinctViewTab):
    """Shown where the record is of a pod that the user may see."""

    required_permissions = ("fabric_twin.view_port",)

    def __init__(self, url_name: str) -> None:
        panel = DrawingPanel(weight=100, label="Light path", section=WIDE, draw=draw_light_of_end)
        super().__init__(
            weight=1000, tab_id="light_path", label="Light Path", url_name=url_name, panels=[panel]
        )

    def should_render(self, context: Any) -> bool:
        """Whether there is a port whose light could be followed."""
        record, user = get_obj_from_context(context), context["request"].user
        port = once(port_of, record, user) if super().should_render(context) else None
        return port is not None and not port.pod.is_cluster
