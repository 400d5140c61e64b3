"""Findings of Nautobot's own racks, devices and cables, as a tab of their pages."""

from typing import Any

from nautobot.apps.views import ObjectView
from nautobot.dcim.models import Cable, Device, Rack
from nautobot.dcim.views import CableUIViewSet, DeviceUIViewSet, RackUIViewSet


class _FindingsView(ObjectView):
    template_name = "generic/object_retrieve.html"

    def get_extra_context(self, request: Any, instance: Any) -> dict[str, Any]:
        """Open the tab that the App adds to the page."""
        return {**super().get_extra_context(request, instance), "active_tab": "findings"}


class RackFindingsView(_FindingsView):
    """Findings in a rack."""

    queryset = Rack.objects.all()
    object_detail_content = RackUIViewSet.object_detail_content


class DeviceFindingsView(_FindingsView):
    """Findings on a device."""

    queryset = Device.objects.all()
    object_detail_content = DeviceUIViewSet.object_detail_content


class CableFindingsView(_FindingsView):
    """Findings of a cable."""

    queryset = Cable.objects.all()
    object_detail_content = CableUIViewSet.object_detail_content
