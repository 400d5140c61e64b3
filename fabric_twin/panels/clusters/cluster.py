"""What the page of a cluster shows."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from nautobot.users.models import User

from fabric_twin.core.groups.layout import GroupLayout
from fabric_twin.documents.topology.group_grid import group_grid
from fabric_twin.models import Cube, Pod, Port, Switch
from fabric_twin.panels.drawing import Drawn
from fabric_twin.panels.facts import link
from fabric_twin.panels.seeing import sight_of, slots_of


def of_cluster(record: Cube | Port | Switch, _user: User) -> bool:
    """Whether a cube is a group, or a switch forwards packets."""
    return record.pod.is_cluster


def of_pod(record: Cube | Port | Switch, _user: User) -> bool:
    """Whether it is of a pod or a network."""
    return not record.pod.is_cluster


def layout_of(pod: Pod) -> GroupLayout:
    """Every port of the cluster."""
    layout = pod.to_core().layout
    assert isinstance(layout, GroupLayout)  # noqa: S101 - what makes it a cluster
    return layout


def tell_cluster(pod: Pod, user: User) -> Mapping[str, Any]:
    """How much of the design is there."""
    sight, design = sight_of(pod, user), pod.to_core()
    switches, of_design = len(sight.switches), len(design.layout.switches)
    return {
        "Groups": _list("cube", pod, f"{len(sight.cubes):,} of {design.slots:,}"),
        "Processors": f"{len(sight.cubes) * design.cube.size:,} of {design.chips:,}",
        "Switches": _list("switch", pod, f"{switches:,} of {of_design:,}"),
        "Cables": f"{sight.cabled:,} of {design.cables:,}",
    }


def draw_groups(pod: Pod, user: User) -> Drawn:
    """Its groups, as they stand in rows and columns."""
    slots = slots_of(pod, user)
    document = group_grid(pod.name, slots.groups(), layout_of(pod).grid, slots.gaps)
    return Drawn(document, pod.name, sight_of(pod, user).links)


def _list(model: str, pod: Pod, text: str) -> str:
    return link(f"{reverse(f'plugins:fabric_twin:{model}_list')}?pod={pod.name}", text)
