"""Findings of Nautobot's own racks, devices and cables, as a tab of their pages."""

from nautobot.dcim.models import Cable, Device, Rack
from nautobot.dcim.views import CableUIViewSet, DeviceUIViewSet, RackUIViewSet

from fabric_twin.views.tab_of import TabView


class RackFindingsView(TabView):
    """Findings in a rack."""

    queryset = Rack.objects.all()
    tab = "findings"
    object_detail_content = RackUIViewSet.object_detail_content


class DeviceFindingsView(TabView):
    """Findings on a device."""

    queryset = Device.objects.all()
    tab = "findings"
    object_detail_content = DeviceUIViewSet.object_detail_content


class CableFindingsView(TabView):
    """Findings of a cable."""

    queryset = Cable.objects.all()
    tab = "findings"
    object_detail_content = CableUIViewSet.object_detail_content
