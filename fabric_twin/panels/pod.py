"""What the page of a pod shows."""

from collections.abc import Mapping
from typing import Any

from nautobot.apps.views import get_obj_from_context
from nautobot.users.models import User

from fabric_twin.core.pods.grid import unit_grid
from fabric_twin.core.slices.slot_use import FREE
from fabric_twin.documents.audits.health import MOST, Past, health
from fabric_twin.documents.pods.slot_map import slot_map
from fabric_twin.models import AuditRun, Pod
from fabric_twin.models.audit_run import RunStateChoices, ScopeChoices
from fabric_twin.operations.discovery.ask import last_discovery
from fabric_twin.operations.slices.utilisation import chips_in_use
from fabric_twin.panels.clusters.cluster import (
    tell_cables,
    tell_cluster,
    tell_cubes,
    tell_open_tickets,
    tell_switches,
)
from fabric_twin.panels.clusters.fields import KindFieldsPanel
from fabric_twin.panels.drawing import Drawn
from fabric_twin.panels.facts import link
from fabric_twin.panels.networks.network import is_network, is_pod, tell_network
from fabric_twin.panels.seeing import figure, list_of, sight_of, slots_of
from fabric_twin.presenters.last_read import last_read_of, told_last
from fabric_twin.presenters.moments import local_moment
from fabric_twin.presenters.visible_pod import page


class PodFieldsPanel(KindFieldsPanel):
    """Fields of a pod; without switches, slices cannot lack any."""

    def get_data(self, context: Any) -> dict[str, Any]:
        """The fields that mean something in this pod."""
        fields = super().get_data(context)
        pod = get_obj_from_context(context)
        if not pod.has_circuits or not is_pod(pod):
            fields.pop("bear", None)
        return dict(fields)


def tell_size(pod: Pod, user: User) -> Mapping[str, Any]:
    """How much of the design is there, and how much of it is in use."""
    if is_network(pod):
        return tell_network(pod, user)
    if pod.is_cluster:
        return tell_cluster(pod, user)
    sight, design = sight_of(pod, user), pod.to_core()
    slots = slots_of(pod, user)
    in_use, chips = chips_in_use(slots.standing)
    cubes, slices = len(sight.cubes), len(sight.slices)
    size = f"{cubes * design.cube.size:,} of {design.chips:,}"
    listed = list_of("slice", pod)
    return {
        "Cubes": tell_cubes(sight, f"{cubes:,} of {design.slots:,} slots"),
        "Chips": sight.told(pod.cubes.all(), cubes, size),
        **({"Switches": tell_switches(sight)} if pod.has_circuits else {}),
        "Cables": tell_cables(sight),
        "Slices": figure(sight, pod.slices.all(), slices, f"{slices:,}", listed),
        **(tell_open_tickets(pod, user) if pod.has_circuits else {}),
        "Free cubes": f"{slots.counts.get(FREE, 0):,}",
        "Utilisation": f"{in_use / chips:.0%} ({in_use:,} of {chips:,} chips in slices)"
        if chips
        else "no active cube yet",
        "Last read": last_read_of(pod, user),
        **(_tell_discovery(pod, user) if pod.has_circuits else {}),
    }


def _tell_discovery(pod: Pod, user: User) -> Mapping[str, Any]:
    """When light last showed where its cables are."""
    if not user.has_perm("fabric_twin.view_auditrun"):
        return {}
    run = last_discovery(pod, user)
    told = told_last(run.ended if run else None)
    return {"Cables discovered": link(page("auditrun", run.pk), told) if run else told}


def draw_slots(pod: Pod, user: User) -> Drawn:
    """The slots of the pod."""
    sight, slots = sight_of(pod, user), slots_of(pod, user)
    grid = unit_grid(pod.to_core().layout)
    document = slot_map(pod.name, slots.all(), sight.letters, slots.gaps, grid)
    return Drawn(document, pod.name, sight.links)


def draw_health(pod: Pod, user: User) -> Drawn | None:
    """What the last runs found."""
    done = AuditRun.objects.restrict(user, "view").filter(pod=pod, state=RunStateChoices.DONE)
    rows = done.filter(scope=ScopeChoices.POD, light=False).order_by("-number")[:MOST]
    runs = list(rows.values_list("pk", "number", "ended", "by_severity", "new", "gone"))[::-1]
    if not runs:
        return None
    past = [
        Past(
            f"audit {number}",
            local_moment(ended),
            severity.get("error", 0),
            severity.get("warning", 0),
            new,
            gone,
        )
        for _, number, ended, severity, new, gone in runs
    ]
    pages = {f"audit {number}": page("auditrun", pk) for pk, number, *_ in runs}
    return Drawn(health(pod.name, past), pod.name, pages)
