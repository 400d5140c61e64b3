"""What the pages of groups and of packet switches show."""

from collections.abc import Mapping
from typing import Any

from nautobot.users.models import User

from fabric_twin.core.counted import counted
from fabric_twin.core.groups.group import Group
from fabric_twin.core.groups.labels import serves
from fabric_twin.models import Cube, Switch
from fabric_twin.operations.slices.slot_uses import group_uses
from fabric_twin.operations.tickets.drafts.out_of_service import OUT
from fabric_twin.panels.clusters.cluster import layout_of
from fabric_twin.panels.drawing import Drawn
from fabric_twin.panels.seeing import links_of_slices, sight_of, tell_cabled, tell_on_switch
from fabric_twin.presenters.clusters.device_maps import recorded_map
from fabric_twin.repositories.pod_record import USABLE


def tell_group(cube: Cube, user: User) -> Mapping[str, Any]:
    """Where it stands in the cluster, and which of its ports are cabled."""
    layout = layout_of(cube.pod)
    row, column = divmod(cube.slot - 1, layout.cluster.columns)
    sight = sight_of(cube.pod, user)
    return {
        "Use": group_uses(cube.pod)[cube.slot],
        "Jobs": links_of_slices(sight, cube.slot),
        "Place": f"row {row + 1}, column {column + 1} of groups",
        "Processors": _size(layout.cluster.group),
        "Copper inside": counted(len(layout.cluster.group.copper_links), "link"),
        "Ports with a cable": tell_cabled(sight, layout.ports_per_cube, cube=cube),
    }


def is_out(cube: Cube, _user: User) -> bool:
    """Whether it was taken out of service, and can be returned."""
    return bool(cube.status.name == OUT)


def is_in_service(cube: Cube, _user: User) -> bool:
    """Whether jobs have it or could."""
    return cube.status.name in USABLE


def _size(group: Group) -> str:
    sides = "x".join(map(str, group.chips))
    return f"{group.size} in a chain" if group.is_chain else f"{group.size}, {sides}"


def tell_packet_switch(switch: Switch, user: User) -> Mapping[str, Any]:
    """What it is for, and which of its ports are cabled."""
    layout = layout_of(switch.pod)
    sight = sight_of(switch.pod, user)
    return {
        "Serves": serves(layout.switches[switch.number]),
        "Ports with a cable": tell_cabled(sight, layout.ports_per_switch, switch=switch),
        **tell_on_switch(switch, sight, "Flow entries"),
    }


def draw_device(record: Cube | Switch, user: User) -> Drawn:
    """A group with its processors, or a switch: where each of its ports goes."""
    document, pages = recorded_map(record, sight_of(record.pod, user))
    return Drawn(document, record.pod.name, pages)
