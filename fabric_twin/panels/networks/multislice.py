"""What the page of a multislice shows: its pods, its rings, and how long a collective takes."""

from collections.abc import Mapping
from typing import Any

from django.utils.html import format_html, format_html_join
from nautobot.users.models import User

from fabric_twin.core.counted import counted
from fabric_twin.core.superpods.standing import RingPair
from fabric_twin.models import Multislice
from fabric_twin.panels.facts import link
from fabric_twin.panels.once import once
from fabric_twin.presenters.networks.rings import RingsSight
from fabric_twin.presenters.visible_pod import HIDDEN, page
from fabric_twin.tables.demand import gbps_told

#: What each state means for people.
_TOLD = {
    "planned": "Planned: its tickets are open",
    "running": "Running: all of its slices are active, and its rings are there",
    "without rings": "Without rings: ask for a topology with its rings, or release it",
    "incomplete": "Incomplete: its rings are open, and no topology keeps their links. Release it",
    "releasing": "Releasing: no topology keeps the links of its rings any more",
    "ended": "Ended: its slices are gone, and its rings are given up",
}


def tell_pods(job: Multislice, user: User) -> Mapping[str, Any]:
    """Each pod with its slice and ticket, in the order of the red ring."""
    sight = once(RingsSight, job, user)
    told: dict[str, Any] = {"State": _TOLD[sight.job.state]}
    for number, one in enumerate(sight.pods, 1):
        pod = link(page("pod", one.pod.pk), one.pod.name) if one.pod else HIDDEN
        parts = [pod]
        if one.lost:
            parts.append(one.lost)
        elif one.slice:
            parts.append(
                format_html("slice {}", link(page("slice", one.slice.pk), one.slice.status.name))
            )
        if one.ticket:
            parts.append(
                format_html("ticket {}", link(page("ticket", one.ticket.pk), one.ticket.name))
            )
        told[f"Pod {number}"] = _joined(parts)
    return told


def tell_rings(job: Multislice, user: User) -> Mapping[str, Any]:
    """What each pair of neighbours has of links, and what one collective takes."""
    sight = once(RingsSight, job, user)
    told: dict[str, Any] = {}
    if sight.ticket:
        told["Ticket of its rings"] = link(page("ticket", sight.ticket.pk), sight.ticket.name)
    elif sight.job.ticket:
        told["Ticket of its rings"] = HIDDEN
    if (rings := sight.rings) is None:
        return told | {"Rings": sight.no_rings or HIDDEN}
    names = [pod.pod for pod in rings.multislice.pods]
    told["Red ring"] = " > ".join([*names, names[0]])
    told["Blue ring"] = " > ".join([*names[::-1], names[-1]])
    for pair in rings.pairs:
        told[f"{pair.one} and {pair.other}"] = _pair(pair)
    if rings.collective is None:
        return told
    told["Collective within pods"] = f"{rings.collective.within_s:.4f} s"
    between = rings.between_s
    told["Collective between pods"] = (
        f"{between:.4f} s" if rings.ring_gbps else "no way: a ring is open"
    )
    return told


def _pair(pair: RingPair) -> str:
    links = counted(pair.links, "link")
    works = "all work" if pair.left == pair.links else f"{pair.left:,} work"
    return (
        f"{links}, {works}: {gbps_told(pair.carried)} of {gbps_told(pair.asked)} Gbit/s that are "
        "asked for each way"
    )


def _joined(parts: list[str]) -> Any:
    return format_html_join(", ", "{}", ((part,) for part in parts))
