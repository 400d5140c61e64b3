"""Ports as a table."""

import django_tables2 as tables
from nautobot.apps.tables import BaseTable

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.pods.port_place import port_place
from fabric_twin.models import Port
from fabric_twin.models.pod import DESIGN_GONE
from fabric_twin.tables.related_count import CountedTable, FindingCountColumn


class PortTable(CountedTable):
    """Which interface is which port of the pod; nothing to tick, for ports are loaded."""

    number = tables.Column(linkify=True)
    pod = tables.Column(linkify=True)
    cube = tables.Column(linkify=True)
    block = tables.Column(linkify=True)
    switch = tables.Column(linkify=True)
    device = tables.Column(accessor="interface__device", linkify=True)
    interface = tables.Column(linkify=True)
    place = tables.Column(empty_values=(), orderable=False)
    finding_count = FindingCountColumn("port")

    class Meta(BaseTable.Meta):
        model = Port
        fields = (
            "number",
            "pod",
            "cube",
            "block",
            "switch",
            "device",
            "interface",
            "place",
            "finding_count",
            "module_bay",
        )
        default_columns = ("number", "pod", "device", "interface", "place", "finding_count")

    def render_place(self, record: Port) -> str:
        """What the rule says of the port."""
        try:
            return port_place(record.pod.to_core().layout, record.number)
        except FabricTwinError:
            return DESIGN_GONE
