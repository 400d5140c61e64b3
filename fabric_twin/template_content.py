"""What pages of Nautobot's own records say of the fabric."""

from nautobot.apps.ui import SectionChoices, TemplateExtension

from fabric_twin.panels import place
from fabric_twin.panels.facts import FactsPanel, Tell
from fabric_twin.panels.findings_tab import SomeFindingsTab
from fabric_twin.panels.jobs.dry_run import DryRunPanel
from fabric_twin.panels.jobs.progress import ProgressPanel, of_job
from fabric_twin.panels.light_path_tab import LightPathTab
from fabric_twin.panels.work_order import OrdersTab


def _panel(tell: Tell) -> FactsPanel:
    return FactsPanel(
        weight=150, label="In the fabric", section=SectionChoices.RIGHT_HALF, tell=tell
    )


class RackContent(TemplateExtension):
    """The cube that a rack is, or the switches in it."""

    model = "dcim.rack"
    object_detail_panels = (_panel(place.tell_place_of_rack),)
    object_detail_tabs = (
        SomeFindingsTab("rack"),
        OrdersTab("plugins:fabric_twin:rack_orders", "rack"),
    )


class DeviceContent(TemplateExtension):
    """The switch that a device is, or the ports of a tray."""

    model = "dcim.device"
    object_detail_panels = (_panel(place.tell_place_of_device),)
    object_detail_tabs = (
        SomeFindingsTab("device"),
        OrdersTab("plugins:fabric_twin:device_orders", "device"),
    )


class InterfaceContent(TemplateExtension):
    """The port that an interface is."""

    model = "dcim.interface"
    object_detail_panels = (_panel(place.tell_place_of_end),)
    object_detail_tabs = (LightPathTab("plugins:fabric_twin:interface_light_path"),)


class ModuleContent(TemplateExtension):
    """The port that a transceiver is in."""

    model = "dcim.module"
    object_detail_panels = (_panel(place.tell_place_of_module),)


class CableContent(TemplateExtension):
    """The ports that a cable is on, and when light last agreed with them."""

    model = "dcim.cable"
    object_detail_panels = (_panel(place.tell_place_of_cable),)
    object_detail_tabs = (
        LightPathTab("plugins:fabric_twin:cable_light_path"),
        SomeFindingsTab("cable"),
    )


class JobResultContent(TemplateExtension):
    """How far a job of the App is; and what to do after a dry run."""

    model = "extras.jobresult"
    object_detail_panels = (
        ProgressPanel(weight=50, label="Progress", section=SectionChoices.FULL_WIDTH, find=of_job),
        DryRunPanel(weight=60, label="Dry run", section=SectionChoices.FULL_WIDTH),
    )


template_extensions = [
    RackContent,
    DeviceContent,
    InterfaceContent,
    ModuleContent,
    CableContent,
    JobResultContent,
]
