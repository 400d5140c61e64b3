"""The map of a group or a packet switch, as its cables are recorded: on its page and on paper."""

from collections.abc import Mapping

from fabric_twin.documents.sheet import Document
from fabric_twin.documents.topology.device_map import device_map
from fabric_twin.models import Cube, Switch
from fabric_twin.presenters.neighbourhood import Neighbourhood
from fabric_twin.presenters.visible_pod import Sight


def recorded_map(record: Cube | Switch, sight: Sight) -> tuple[Document, Mapping[str, str]]:
    """What is on each port, and where that has its page."""
    layout = sight.pod.to_core().layout
    if isinstance(record, Switch):
        kind, device, each = "switch-map", layout.slots + record.number, layout.ports_per_switch
        first = layout.cube_ports + record.number * each
    else:
        kind, device, each = "group-map", record.slot - 1, layout.ports_per_cube
        first = device * each
    around = Neighbourhood(sight, range(first, first + each))
    fabric = around.fabric
    return device_map(fabric.intended, kind, device, fabric), around.links()
