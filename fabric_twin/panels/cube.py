"""What the page of a cube shows."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.html import format_html
from nautobot.users.models import User

from fabric_twin.core.orders.order import Kind
from fabric_twin.documents.pods.face_map import face_map
from fabric_twin.models import Cube
from fabric_twin.panels.clusters.device import tell_group
from fabric_twin.panels.drawing import Drawn
from fabric_twin.panels.facts import link, links
from fabric_twin.panels.seeing import links_of_slices, sight_of, slots_of, tell_cabled
from fabric_twin.presenters.neighbourhood import Neighbourhood


def tell_use(cube: Cube, user: User) -> Mapping[str, Any]:
    """Who has the cube, and whether its ports are cabled."""
    if cube.pod.is_cluster:
        return tell_group(cube, user)
    sight = sight_of(cube.pod, user)
    core = cube.pod.to_core()
    return {
        **tell_slot(cube, user),
        "Chips": f"{core.cube.size} on {core.cube.trays} trays",
        "Ports with a cable": tell_cabled(sight, core.layout.ports_per_cube, cube=cube),
        "Slices": links_of_slices(sight, cube.slot),
        **({} if cube.pod.has_circuits else {"Maintenance": _tell_maintenance(cube, user)}),
    }


def _tell_maintenance(cube: Cube, user: User) -> str:
    """What clears a cube of a static pod, where there are no circuits that a ticket could move."""
    words = "make a work order"
    if user.has_perm("fabric_twin.add_workorder"):
        url = reverse("plugins:fabric_twin:workorder_add")
        words = link(f"{url}?{urlencode({'kind': Kind.REPAIR, 'pod': cube.pod_id})}", words)
    return format_html("Release its slices, then {}; no ticket is needed", words)


def tell_slot(cube: Cube, user: User) -> Mapping[str, Any]:
    """How the cube is used, and what keeps it from being free; of a group where it stands."""
    if cube.pod.is_cluster:
        return tell_group(cube, user)
    slots = slots_of(cube.pod, user)
    told = {"Use": slots.uses[cube.slot].use, "Because": slots.why(cube.slot)}
    told["Held by"] = links(slots.holders(cube.slot))
    return {name: value for name, value in told.items() if value}


def draw_faces(cube: Cube, user: User) -> Drawn:
    """The six faces of the cube."""
    core = cube.pod.to_core()
    first = (cube.slot - 1) * core.layout.ports_per_cube
    around = Neighbourhood(
        sight_of(cube.pod, user), range(first, first + core.layout.ports_per_cube)
    )
    return Drawn(face_map(around.fabric, cube.slot), cube.pod.name, around.links())
