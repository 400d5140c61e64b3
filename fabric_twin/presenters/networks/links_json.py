"""The links of a network and their load, for programs."""

from typing import Any

import numpy as np
from nautobot.users.models import User

from fabric_twin.models import Pod
from fabric_twin.presenters.networks.network import NetworkSight
from fabric_twin.presenters.visible_pod import HIDDEN


def links_json(pod: Pod, user: User) -> dict[str, Any]:
    """What the page of a network has; null is what the user may not see, or what follows from it.

    Links and what they carry are of the circuits that the user may see.
    """
    sight = NetworkSight(pod, user)
    stands, day = sight.stands, sight.demand and sight.demand.day.isoformat()
    asked_is_seen = not sight.is_demand_hidden
    load_is_seen = asked_is_seen and not sight.are_circuits_hidden
    pairs = [
        {
            "a": _seen(sight.called(row.one)),
            "b": _seen(sight.called(row.other)),
            "links": row.links,
            "left": row.left,
            "asked_gbps": row.asked if asked_is_seen else None,
            "carried_gbps": row.carried,
            "load": round(row.load, 4) if load_is_seen and np.isfinite(row.load) else None,
        }
        for row in stands.pairs()
    ]
    odd = (
        None
        if sight.odd is None
        else [
            {
                "a": _seen(sight.called(row.one)),
                "b": _seen(sight.called(row.other)),
                "switch": _seen(sight.switches[row.switch - 1][0]),
                "links": row.here,
                "least": row.least,
                "most": row.most,
            }
            for row in sight.odd
        ]
    )
    return {
        "version": 1,
        "network": pod.name,
        "demand": day,
        "demand_hidden": sight.is_demand_hidden,
        "circuits_hidden": sight.are_circuits_hidden,
        "circuits_of_no_pair": sight.astray,
        "pairs": pairs,
        "odd": odd,
    }


def _seen(name: str) -> str | None:
    return None if name == HIDDEN else name
