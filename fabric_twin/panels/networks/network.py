"""What the page of a network of blocks shows."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils import formats
from nautobot.users.models import User

from fabric_twin.core.counted import counted
from fabric_twin.models import Pod
from fabric_twin.operations.pods.ask_sync import can_be_read
from fabric_twin.panels.drawing import Drawn
from fabric_twin.panels.facts import link
from fabric_twin.panels.once import once
from fabric_twin.presenters.last_read import last_read_of
from fabric_twin.presenters.networks.network import NetworkSight
from fabric_twin.presenters.visible_pod import HIDDEN, page


def is_network(pod: Pod, _user: User | None = None) -> bool:
    """Whether blocks hold its places, and not cubes."""
    return pod.is_network


def is_cluster(pod: Pod, _user: User | None = None) -> bool:
    """Whether groups of processors hold its slots."""
    return pod.is_cluster


def has_slots(pod: Pod, _user: User | None = None) -> bool:
    """Whether it has slots, for cubes or for groups."""
    return not pod.is_network


def is_pod(pod: Pod, _user: User | None = None) -> bool:
    """Whether its slots are for cubes."""
    return not (pod.is_network or pod.is_cluster)


def tell_network(pod: Pod, user: User) -> Mapping[str, Any]:
    """How large it is, how many of its links there are, and what is out."""
    sight = once(NetworkSight, pod, user)
    network, stands = sight.network, sight.stands
    strands = sum(block.strands for block in network.blocks)
    links, left = len(stands.circuits), len(stands.working)
    hidden = not links and sight.are_circuits_hidden
    out = [name for name, is_out in sight.switches.values() if is_out]
    return {
        "Blocks": _list("block", pod, f"{len(network.blocks):,}"),
        "Strands": f"{strands:,} over {counted(network.switches, 'switch')}",
        "Links": HIDDEN
        if hidden
        else _list("opticalcircuit", pod, f"{links:,} of {strands // 2:,}"),
        "Links that work": HIDDEN if hidden else f"{left:,} of {links:,}",
        "Switches out": ", ".join(out) or "none",
        "Uneven over switches": _uneven(sight),
        "Demand": link(page("demand", sight.demand.pk), formats.date_format(sight.demand.day))
        if sight.demand
        else HIDDEN
        if sight.is_demand_hidden
        else "none is kept: import one",
        **_fullest(sight),
        **({"Last read": last_read_of(pod, user)} if can_be_read(pod) else {}),
        **({"Not shown": " ".join(sight.gaps)} if sight.gaps else {}),
    }


def _fullest(sight: NetworkSight) -> Mapping[str, str]:
    """The pair that asks for most of what its links carry."""
    worst = max(sight.stands.pairs(), key=lambda pair: pair.load, default=None)
    if worst is None or not worst.load:
        return {}
    load = f"{worst.load:.0%}" if worst.carried else "no link is left"
    return {"Fullest pair": f"{sight.called(worst.one)} and {sight.called(worst.other)}, {load}"}


def _uneven(sight: NetworkSight) -> str:
    odd = sight.odd
    if not odd:
        return HIDDEN if odd is None else "none"
    one = odd[0]
    more = f", and {len(odd) - 1} more" if len(odd) > 1 else ""
    pair = f"{sight.called(one.one)} and {sight.called(one.other)}"
    return f"{pair}: {one.here} of {one.links} links are on switch {one.switch}{more}"


def draw_links(pod: Pod, user: User) -> Drawn:
    """The matrix of links, and a strip for each switch."""
    sight = once(NetworkSight, pod, user)
    return Drawn(sight.drawing, pod.name, sight.links)


def _list(model: str, pod: Pod, text: str) -> str:
    return link(f"{reverse(f'plugins:fabric_twin:{model}_list')}?pod={pod.name}", text)
