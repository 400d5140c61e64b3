"""What the page of a cluster shows."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from nautobot.users.models import User

from fabric_twin.core.groups.layout import GroupLayout
from fabric_twin.core.slices.slot_use import FREE
from fabric_twin.documents.topology.group_grid import group_grid
from fabric_twin.models import Cube, OpticalCircuit, Pod, Port, Slice, Switch, Ticket
from fabric_twin.operations.slices.slot_uses import group_uses
from fabric_twin.operations.tickets.related_tickets import open_tickets
from fabric_twin.panels.drawing import Drawn
from fabric_twin.panels.seeing import figure, list_of, sight_of, slots_of
from fabric_twin.presenters.visible_pod import Sight


def of_cluster(record: Cube | Port | Switch, _user: User) -> bool:
    """Whether a cube is a group, or a switch forwards packets."""
    return record.pod.is_cluster


def of_pod(record: Cube | Port | Slice | Switch, _user: User) -> bool:
    """Whether it is of a pod or a network."""
    return not record.pod.is_cluster


def is_of_light(circuit: OpticalCircuit, _user: User) -> bool:
    """Whether it joins light, and is no flow entry."""
    return not circuit.switch.pod.is_cluster


def layout_of(pod: Pod) -> GroupLayout:
    """Every port of the cluster."""
    layout = pod.to_core().layout
    assert isinstance(layout, GroupLayout)  # noqa: S101 - what makes it a cluster
    return layout


def tell_cluster(pod: Pod, user: User) -> Mapping[str, Any]:
    """How much of the design is there."""
    sight, design = sight_of(pod, user), pod.to_core()
    free = Counter(group_uses(pod).values())[FREE]
    groups, jobs = len(sight.cubes), len(sight.slices)
    size = f"{groups * design.cube.size:,} of {design.chips:,}"
    listed = list_of("slice", pod)
    return {
        "Groups": tell_cubes(sight, f"{groups:,} of {design.slots:,}"),
        "Processors": sight.told(pod.cubes.all(), groups, size),
        "Switches": tell_switches(sight),
        "Cables": tell_cables(sight),
        "Jobs": figure(sight, pod.slices.all(), jobs, f"{jobs:,}", listed),
        **tell_open_tickets(pod, user),
        "Free groups": sight.told(pod.cubes.all(), 0, f"{free:,}"),
    }


def tell_cubes(sight: Sight, text: str) -> str:
    """How many of its cubes or groups are there."""
    return figure(sight, sight.pod.cubes.all(), len(sight.cubes), text, list_of("cube", sight.pod))


def tell_switches(sight: Sight) -> str:
    """How many of its switches are there."""
    pod, there = sight.pod, len(sight.switches)
    text = f"{there:,} of {len(pod.to_core().layout.switches):,}"
    return figure(sight, pod.switches.all(), there, text, list_of("switch", pod))


def tell_cables(sight: Sight) -> str:
    """How many of its cables are there."""
    text = f"{sight.cabled:,} of {sight.pod.to_core().cables:,}"
    return sight.told(sight.cabled_ports, sight.cabled, text)


def tell_open_tickets(pod: Pod, user: User) -> Mapping[str, Any]:
    """How many tickets change it now."""
    if not user.has_perm("fabric_twin.view_ticket"):
        return {}
    there = open_tickets(Ticket.objects.filter(pod=pod))
    many = there.restrict(user, "view").count()
    listed = list_of("ticket", pod, "&is_open=True")
    return {"Open tickets": figure(sight_of(pod, user), there, many, f"{many:,}", listed)}


def draw_groups(pod: Pod, user: User) -> Drawn:
    """Its groups, as they stand in rows and columns."""
    slots = slots_of(pod, user)
    sight = sight_of(pod, user)
    grid = layout_of(pod).grid
    document = group_grid(pod.name, slots.groups(), grid, sight.letters, slots.gaps)
    return Drawn(document, pod.name, sight.links)
