"""Whether a technician may touch a port: pure rules over what its switch shows now."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.orders.steps import TOUCHES, End, Step
from fabric_twin.core.pods.layout import Layout

#: Ports on either side that a hand may knock against [A].
REACH = 2


@dataclass(frozen=True)
class PortSeen:
    """What a switch shows of one of its ports."""

    #: Kept dark by force.
    blocked: bool
    #: A circuit uses it, be it configured or carried.
    in_circuit: bool


def locked(step: Step, seen: Mapping[End, PortSeen]) -> str:
    """Why the port must not be touched; empty where it may be.

    `seen` has simplex ports, as the switch shows them now; one that is not there was not read.
    """
    if not step.guarded or step.do not in TOUCHES:
        return ""
    for port in simplex(step.at):
        shown, said = seen.get(port), " port ".join(port)
        if shown is None:
            return f"{said} could not be read"
        if shown.in_circuit:
            return f"{said} is in a circuit"
        if not shown.blocked:
            return f"{said} is not blocked"
    return ""


def may_block(step: Step, seen: Mapping[End, PortSeen]) -> str:
    """Why a port must not be blocked by force: that would cut a circuit."""
    for port in simplex(step.at):
        shown = seen.get(port)
        if shown is None:
            return f"{' port '.join(port)} could not be read"
        if shown.in_circuit:
            return f"{' port '.join(port)} is in a circuit"
    return ""


def live_neighbours(layout: Layout, port: int, live: Collection[int]) -> list[int]:
    """Ports beside this one that carry light: a hand takes care of them."""
    if port < 0:
        return []
    near = np.flatnonzero(np.abs(layout.position - layout.position[port]) <= REACH)
    return [at for at in near.tolist() if at != port and at in live]
