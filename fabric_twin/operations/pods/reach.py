"""Whether this worker reaches a pod's fabric at all: a site keeps its switches to its own hosts."""

import socket
from contextlib import suppress

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import Pod
from fabric_twin.repositories.addresses import Targets, targets_of
from fabric_twin.repositories.credentials import pod_accesses
from fabric_twin.repositories.pod_record import IN_SERVICE
from fabric_twin.switches.driver import Access
from fabric_twin.switches.networks import resolved

#: How many addresses are tried, and how long each may take to take a connection, in seconds.
TRIED, PATIENCE = 4, 1.0


def why_not_reached(pod: Pod) -> str:
    """Why no device of a pod can be spoken to from here; empty where one can, or there is none.

    A port that takes a connection is enough: what it says is the audit's business.
    """
    targets = targets_of(pod, IN_SERVICE)
    if not targets:
        return ""
    ways = pod_accesses(pod)
    accesses = [ways[name] for name in sorted(targets.names & ways.keys())]
    if refused := [one for one in accesses if isinstance(one, FabricTwinError)]:
        if len(refused) == len(accesses):
            return f"nobody gets in from here: {refused[0]}"
        return ""
    access = next(one for one in accesses if isinstance(one, Access))
    addresses = _some(targets)
    if any(_answers(address, access) for address in addresses):
        return ""
    return f"none of {', '.join(addresses)} takes a connection from here"


def _some(targets: Targets) -> list[str]:
    """A few addresses, from all over the pod."""
    every = list(dict.fromkeys(one.address for one in (*targets.switches, *targets.cubes)))
    step = max(1, len(every) // TRIED)
    return every[::step][:TRIED]


def _answers(address: str, access: Access) -> bool:
    with suppress(OSError, FabricTwinError):
        place = resolved(address, access.networks or (), address)
        with socket.create_connection(place, PATIENCE):
            return True
    return False
