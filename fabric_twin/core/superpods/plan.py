"""Plan the topology of a network over which jobs run their rings, beside all other demand."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.superpods.order import in_best_order
from fabric_twin.core.superpods.rings import Multislice, asked_of, check_blocks, check_rings
from fabric_twin.core.superpods.standing import RingsStand, rings_stand
from fabric_twin.core.superpods.wish import WishedRings
from fabric_twin.core.topology.joined import all_joined, spread_of
from fabric_twin.core.topology.links import Demand, Links
from fabric_twin.core.topology.network import Network
from fabric_twin.core.topology.plan import Topology, asked_between, links_wanted


@dataclass(frozen=True, eq=False)
class RingsPlanned:
    """Jobs in the order of their rings, and what these and all others ask of the network."""

    network: Network
    wishes: tuple[WishedRings, ...]
    least: int
    takes: frozenset[str]
    demand: Demand
    #: The same, without the jobs that do not run yet: what is kept while switches are changed.
    asked_now: Demand
    #: By job, how many orders were tried: 0 where the order is given.
    tried: tuple[int, ...]

    def stand(self, links: Links, left: Links) -> list[RingsStand]:
        """How the rings stand over links that are made, and those of them that work."""
        return [
            rings_stand(
                self.network, one.multislice, self.least, self.takes, links, left, one.collective
            )
            for one in self.wishes
        ]

    def as_json(self, topology: Topology) -> list[dict[str, Any]]:
        """The rings of a topology, for programs."""
        stand = self.stand(topology.links, topology.links)
        return [
            {**one.as_json(), "orders_tried": tried}
            for one, tried in zip(stand, self.tried, strict=True)
        ]


def plan_rings(
    network: Network,
    wishes: Sequence[WishedRings],
    *,
    least: int = 1,
    demand: Demand | None = None,
    present: Sequence[Circuit] = (),
    takes: Collection[str] | None = None,
) -> RingsPlanned:
    """Order the pods of each job in turn, beside the demand of others and of the jobs before it."""
    _check_apart(network, wishes)
    joins = frozenset(network.by_name if takes is None else takes)
    there = spread_of(network, all_joined(network, present))
    others = np.zeros((len(network.blocks),) * 2) if demand is None else demand
    base = asked_between(network, others, joins)
    known = [one.multislice for one in wishes if one.runs]
    planned: list[WishedRings] = []
    tried: list[int] = []
    for wish in wishes:
        check_blocks(network, wish.multislice)
        if wish.runs:
            planned.append(wish)
            tried.append(0)
            continue

        check_rings(network, wish.multislice, least, joins)

        def links_with(multislice: Multislice) -> Links:
            asked = base + asked_of(network, [*known, multislice], least, joins)
            return links_wanted(network, "engineered", asked, {}, joins, least)

        found = in_best_order(wish.multislice, there, links_with)
        known.append(found.multislice)
        planned.append(replace(wish, multislice=found.multislice))
        tried.append(found.tried)
    asked = base + asked_of(network, known, least, joins)
    running = [one.multislice for one in wishes if one.runs]
    asked_now = base + asked_of(network, running, least, joins)
    return RingsPlanned(network, tuple(planned), least, joins, asked, asked_now, tuple(tried))


def _check_apart(network: Network, wishes: Sequence[WishedRings]) -> None:
    """Refuse a name of two jobs, and a block that two pods say is their own."""
    names = [one.multislice.name for one in wishes]
    pod_of: dict[str, str] = {}
    for pod in chain.from_iterable(one.multislice.pods for one in wishes):
        for block in pod.blocks:
            if pod_of.setdefault(block, pod.pod) != pod.pod:
                raise UnusableInput(
                    f"it is of pod {pod_of[block]} and of pod {pod.pod}",
                    where=f"network {network.name}, block {block[:40]}",
                    remedy="Give each pod blocks of its own",
                )
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise UnusableInput(
            "it is there twice",
            where=f"multislice {twice[0]}",
            remedy="Give each job a name of its own",
        )
