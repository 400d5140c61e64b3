"""The light path of Nautobot's own interfaces and cables, as a tab of their pages."""

from typing import Any

from nautobot.apps.views import ObjectView
from nautobot.dcim.models import Cable, Interface
from nautobot.dcim.views import CableUIViewSet, InterfaceUIViewSet


class _LightPathView(ObjectView):
    template_name = "generic/object_retrieve.html"

    def get_extra_context(self, request: Any, instance: Any) -> dict[str, Any]:
        """Open the tab that the App adds to the page."""
        return {**super().get_extra_context(request, instance), "active_tab": "light_path"}


class InterfaceLightPathView(_LightPathView):
    """The light path of an interface."""

    queryset = Interface.objects.select_related("device")
    object_detail_content = InterfaceUIViewSet.object_detail_content


class CableLightPathView(_LightPathView):
    """The light path of a cable."""

    queryset = Cable.objects.all()
    object_detail_content = CableUIViewSet.object_detail_content
