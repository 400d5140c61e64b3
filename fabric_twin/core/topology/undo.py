"""Back to what was there before a plan, from its end or from wherever it stopped.

stages 1, 2, 3 of the plan, stopped in 2      undo what was made of 2, then 1
"""

from collections.abc import Iterable, Sequence

import numpy as np

from fabric_twin.core.circuits.plans import Circuit, Plan, Stage, check_ports
from fabric_twin.core.topology.joined import all_joined, joined, spread_of
from fabric_twin.core.topology.links import Demand, Links, loads
from fabric_twin.core.topology.network import Network
from fabric_twin.core.topology.plan import Topology
from fabric_twin.core.topology.rewiring import Rewired
from fabric_twin.core.topology.stages import check_left, kept, links_of


def undo_topology(
    network: Network,
    stages: Sequence[Stage],
    present: Sequence[Circuit],
    *,
    demand: Demand | None = None,
    headroom: float = 0.0,
) -> Topology:
    """The stages of a plan in reverse: of each, what is there goes and what is missing comes.

    A stage that would leave a pair under its demand is refused, if demand is given.
    """
    now = links_of(network, all_joined(network, present))
    there = {circuit.key: circuit for circuit in present}
    back: list[Stage] = []
    left: list[Links] = []
    for stage in reversed(stages):
        undone = Stage(
            remove=tuple(circuit for circuit in stage.add if circuit.key in there),
            add=tuple(circuit for circuit in stage.remove if circuit.key not in there),
        )
        for circuit in undone.remove:
            del there[circuit.key]
        if undone.remove or undone.add:
            back.append(undone)
            left.append(_links(network, there.values()))
        there |= {circuit.key: circuit for circuit in undone.add}
    before = list(there.values())
    check_ports(before)
    links = _links(network, before)
    asked = np.zeros(links.shape) if demand is None else demand
    keeps = kept(network, asked, headroom, now, links)
    for stage, remaining in zip(back, left, strict=True):
        if stage.remove:
            check_left(network, remaining, keeps, f"switch {stage.remove[0].switch}")
    gone = {circuit.key for stage in back for circuit in stage.remove}
    added = sum(len(stage.add) for stage in back)
    return Topology(
        network,
        "as before",
        links,
        asked,
        loads(network, links, asked),
        before,
        Plan(
            keep=tuple(circuit for circuit in present if circuit.key not in gone),
            stages=tuple(back),
            passed_on=(),
            untouched_owners=(),
            lower_bound=added + len(gone),
        ),
        Rewired(
            spread_of(network, [joined(network, circuit) for circuit in before]),
            added,
            added,
            "undo",
            proved=True,
        ),
        np.minimum.reduce([now, links, *left]),
    )


def _links(network: Network, circuits: Iterable[Circuit]) -> Links:
    return links_of(network, [joined(network, circuit) for circuit in circuits])
