"""Plan a topology: the links of each pair, the circuits that make them, and the way there."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from fabric_twin.core.circuits.plans import Circuit, Plan, Stage, make_plan
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.topology.joined import (
    Joined,
    all_joined,
    blocks_of,
    is_out,
    spread_of,
    working,
)
from fabric_twin.core.topology.links import (
    Demand,
    Links,
    engineered,
    isolated,
    loads,
    uniform,
)
from fabric_twin.core.topology.network import AT_ONCE, Network, SwitchEnd
from fabric_twin.core.topology.ports import with_ports
from fabric_twin.core.topology.rewiring import PATIENCE, Rewired, rewire
from fabric_twin.core.topology.stages import in_stages, links_of


@dataclass(frozen=True)
class Topology:
    """What was asked for, and what it takes."""

    network: Network
    kind: str
    links: Links
    demand: Demand
    load: Demand
    circuits: Sequence[Circuit]
    plan: Plan
    rewired: Rewired
    #: By pair, the fewest links that are left while it is switched.
    least: Links
    #: The switches that are changed together, by name, one group after the other.
    groups: Sequence[Sequence[str]] = ()
    #: Circuits that are not made, for a port of theirs is out.
    not_made: tuple[Circuit, ...] = ()
    #: Switches that are out, and so are left as they are.
    left_alone: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """As the contract has it."""
        blocks = self.network.blocks
        pairs = combinations(range(len(blocks)), 2)
        return {
            "version": 1,
            "links": [
                {
                    "a": blocks[one].name,
                    "b": blocks[other].name,
                    "links": int(self.links[one, other]),
                    "load": None
                    if np.isinf(load := self.load[one, other])
                    else round(float(load), 4),
                }
                for one, other in pairs
                if self.links[one, other] or self.load[one, other]
            ],
            "circuits": [circuit.as_json() for circuit in self.circuits],
            "plan": self.plan.as_json(),
            "lower_bound": self.rewired.bound,
            "how": self.rewired.how,
            "proved": self.rewired.proved,
            "gap": round(self.rewired.gap, 4),
        }


def plan_topology(
    network: Network,
    kind: str,
    *,
    demand: Demand | None = None,
    asked_now: Demand | None = None,
    owners: Mapping[str, Sequence[str]] | None = None,
    present: Sequence[Circuit] = (),
    takes: Collection[str] | None = None,
    out: Collection[SwitchEnd] = (),
    at_once: int = AT_ONCE,
    headroom: float = 0.0,
    patience: float = PATIENCE,
    least: int = 1,
) -> Topology:
    """Plan a kind of topology from the circuits that are there.

    While a stage is switched, each pair keeps its demand and so much headroom, if demand is given;
    of demand that is still to come, what is `asked_now`.
    Blocks that are not among those that take links get none and ask for none; no circuit is made at
    an end that is out.
    """
    there = all_joined(network, present)
    demand = _masked(network, demand, takes)
    links = links_wanted(network, kind, demand, owners or {}, takes, least)
    found = rewire(network, links, spread_of(network, there) if there else None, patience)
    dead = _dead_switches(network, out)
    wanted, not_made = _makeable(
        network, links, with_ports(network, found.circuits, there, out), there, (out, dead)
    )
    held = {circuit.key: circuit.owner for circuit in present}
    owner = _owners(network, owners or {}) if kind == "isolated" else {}
    circuits = [
        replace(circuit, owner=circuit.owner or held.get(circuit.key, ""))
        for circuit in (_named(network, one, owner) for one in wanted)
    ]
    asked = np.zeros(links.shape) if demand is None else demand
    keeps = asked if asked_now is None else asked_now
    stages = in_stages(network, there, wanted, keeps, out=out, at_once=at_once, headroom=headroom)
    groups = [[network.switch_name(number) for number in stage.switches] for stage in stages]
    links = links_of(network, working(wanted, out))
    on_the_way = [links_of(network, working(there, out)), *(stage.left for stage in stages)]
    return Topology(
        network,
        kind,
        links,
        asked,
        loads(network, links, asked),
        circuits,
        staged(make_plan(list(present), circuits), groups),
        found,
        np.minimum.reduce([links, *on_the_way]),
        groups,
        tuple(_named(network, one, {}) for one in not_made),
        tuple(network.switch_name(number) for number in sorted(dead)),
    )


def _makeable(
    network: Network,
    links: Links,
    wanted: Iterable[Joined],
    there: Collection[Joined],
    lost: tuple[Collection[SwitchEnd], Collection[int]],
) -> tuple[list[Joined], list[Joined]]:
    """Circuits that are there or can be made, and those that cannot: an end is out.

    What was to give way for one that cannot be made stays, if its pair is to have links at all; so
    does all of a switch that is out. `lost` are ends, and switches, that are out.
    """
    out, dead = lost
    stays = frozenset(there)
    made = [one for one in there if one.switch in dead]
    not_made = []
    for one in wanted:
        if one not in stays and is_out(one, out):
            not_made.append(one)
        elif one.switch not in dead:
            made.append(one)
    taken = {end for one in made for end in _ends(one)}
    missed = {end for one in not_made for end in _ends(one)}
    for one in sorted(stays.difference(made)):
        is_free = not missed.isdisjoint(_ends(one)) and taken.isdisjoint(_ends(one))
        if is_free and links[blocks_of(network, one)]:
            made.append(one)
            taken.update(_ends(one))
    return made, not_made


def _ends(one: Joined) -> tuple[SwitchEnd, SwitchEnd]:
    return SwitchEnd(one.switch, one.a, 0), SwitchEnd(one.switch, one.b, 1)


def _dead_switches(network: Network, out: Collection[SwitchEnd]) -> set[int]:
    """Switches of which every end that a block has is out."""
    left = Counter(end.switch for end in out)
    held = 2 * sum(network.ports_of(block) for block in network.blocks)
    return {switch for switch, many in left.items() if many >= held}


def _masked(
    network: Network, demand: Demand | None, takes: Collection[str] | None
) -> Demand | None:
    return demand if demand is None or takes is None else asked_between(network, demand, takes)


def asked_between(network: Network, demand: Demand, takes: Collection[str]) -> Demand:
    """What is asked between blocks that take links."""
    alone = np.array([block.name not in takes for block in network.blocks], np.bool_)
    return np.where(np.logical_or.outer(alone, alone), 0.0, demand)


def links_wanted(
    network: Network,
    kind: str,
    demand: Demand | None,
    owners: Mapping[str, Sequence[str]],
    takes: Collection[str] | None,
    least: int = 1,
) -> Links:
    """The links of each pair; a pair that may have any keeps the least where demand decides."""
    together = None if takes is None else [[b.name for b in network.blocks if b.name in takes]]
    if kind == "uniform":
        return isolated(network, together) if together else uniform(network)
    if kind == "engineered":
        if demand is None:
            raise UnusableInput(
                "an engineered topology follows demand, and none is given",
                where=f"network {network.name}",
                remedy="Give a demand file, or ask for a uniform topology",
            )
        if together:
            return isolated(network, together, demand, least)
        return engineered(network, demand, least)
    if not owners:
        raise UnusableInput(
            "no block has an owner, so there is nobody to isolate",
            where=f"network {network.name}",
            remedy='Give blocks an "owner" in the block file',
        )
    sets = ([name for name in names if takes is None or name in takes] for names in owners.values())
    return isolated(network, [names for names in sets if names], demand, least)


def _named(network: Network, one: Joined, owner: Mapping[tuple[int, int], str]) -> Circuit:
    name = network.switch_name(one.switch)
    return Circuit(name, f"{one.a}A", f"{one.b}B", owner.get((one.switch, one.a), ""))


def _owners(network: Network, owners: Mapping[str, Sequence[str]]) -> dict[tuple[int, int], str]:
    """By switch and A port: whose block is there."""
    found = {}
    for owner, names in owners.items():
        for block in (network.by_name[name] for name in names):
            for port in range(block.first_port, block.first_port + network.ports_of(block)):
                for switch in range(1, network.switches + 1):
                    found[switch, port] = owner
    return found


def staged(plan: Plan, groups: Sequence[Sequence[str]]) -> Plan:
    """The plan of all switches, with the stages of one group of switches after those of another."""
    stages: list[Stage] = []
    for group in groups:
        names = frozenset(group)
        for stage in plan.stages:
            part = Stage(
                *(
                    tuple(circuit for circuit in some if circuit.switch in names)
                    for some in (stage.remove, stage.add)
                )
            )
            if part.remove or part.add:
                stages.append(part)
    return replace(plan, stages=tuple(stages))
