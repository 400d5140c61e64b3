"""What the page of a cluster shows."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from nautobot.users.models import User

from fabric_twin.core.groups.layout import GroupLayout
from fabric_twin.core.slices.slot_use import FREE
from fabric_twin.documents.topology.group_grid import group_grid
from fabric_twin.models import Cube, OpticalCircuit, Pod, Port, Slice, Switch, Ticket
from fabric_twin.operations.slices.slot_uses import group_uses
from fabric_twin.operations.tickets.related_tickets import open_tickets
from fabric_twin.panels.drawing import Drawn
from fabric_twin.panels.facts import link
from fabric_twin.panels.seeing import sight_of, slots_of


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
    switches, of_design = len(sight.switches), len(design.layout.switches)
    uses = Counter(group_uses(pod).values())
    return {
        "Groups": _list("cube", pod, f"{len(sight.cubes):,} of {design.slots:,}"),
        "Processors": f"{len(sight.cubes) * design.cube.size:,} of {design.chips:,}",
        "Switches": _list("switch", pod, f"{switches:,} of {of_design:,}"),
        "Cables": f"{sight.cabled:,} of {design.cables:,}",
        "Jobs": _list("slice", pod, f"{len(sight.slices):,}"),
        **tell_open_tickets(pod, user),
        "Free groups": f"{uses[FREE]:,}",
    }


def tell_open_tickets(pod: Pod, user: User) -> Mapping[str, Any]:
    """How many tickets change it now."""
    if not user.has_perm("fabric_twin.view_ticket"):
        return {}
    there = open_tickets(Ticket.objects.restrict(user, "view").filter(pod=pod)).count()
    return {"Open tickets": _list("ticket", pod, f"{there:,}", "&is_open=True")}


def draw_groups(pod: Pod, user: User) -> Drawn:
    """Its groups, as they stand in rows and columns."""
    slots = slots_of(pod, user)
    sight = sight_of(pod, user)
    grid = layout_of(pod).grid
    document = group_grid(pod.name, slots.groups(), grid, sight.letters, slots.gaps)
    return Drawn(document, pod.name, sight.links)


def _list(model: str, pod: Pod, text: str, more: str = "") -> str:
    return link(f"{reverse(f'plugins:fabric_twin:{model}_list')}?pod={pod.name}{more}", text)
