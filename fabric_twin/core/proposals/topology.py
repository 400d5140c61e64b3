"""A topology of a network as a change: the links of each pair before, meanwhile and after.

NetworkInUse -- plan_topology      links, circuits by the rule, groups of switches
             -- CabledPorts        the same circuits on the ports where strands are
             -- TopologyProposal   stages; what each pair keeps; what changes in the record
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.plans import Circuit, Key, Plan, make_plan_beside
from fabric_twin.core.counted import counted
from fabric_twin.core.diagnosis.limits import Limits
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.pods.names import Names
from fabric_twin.core.proposals.effects import AcceptCircuits, Effect
from fabric_twin.core.proposals.proposal import (
    LOW,
    MEDIUM,
    TOPOLOGY,
    ProposedChange,
    Risk,
    checked,
    undone,
)
from fabric_twin.core.tickets.words import some
from fabric_twin.core.topology.cabled import CabledPorts
from fabric_twin.core.topology.joined import all_joined, working
from fabric_twin.core.topology.links import Demand, Links, loads
from fabric_twin.core.topology.network import AT_ONCE, Network, SwitchEnd
from fabric_twin.core.topology.plan import Topology, asked_between, plan_topology, staged
from fabric_twin.core.topology.stages import check_left, kept, links_of

#: Seconds that a person who waits for a page gives the search for fewer changes.
PATIENCE = 5.0


@dataclass(frozen=True, eq=False)
class NetworkInUse:
    """A network as it is used now: its blocks, its circuits, and what is out."""

    network: Network
    #: Of all places, under the names of the record.
    intended: Intended
    #: The circuits that are wanted or shown.
    circuits: tuple[Circuit, ...]
    #: Those of them that nobody wants, and those that no switch shows.
    left_over: frozenset[Key] = frozenset()
    missing: frozenset[Key] = frozenset()
    #: Ends that carry nothing, by the ports of the rule.
    out: frozenset[SwitchEnd] = frozenset()
    #: The blocks that take links; others lose theirs.
    takes: frozenset[str] = frozenset()
    #: Whose blocks are whose.
    owners: Mapping[str, Sequence[str]] = field(default_factory=dict)
    #: What pairs ask of each other, and of which day that is; None where nobody has said.
    demand: Demand | None = None
    day: str = ""
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True)
class PairChange:
    """Two blocks whose links change."""

    one: str
    other: str
    #: Links now, the fewest on the way, and at the end.
    before: int
    least: int
    after: int
    #: Gbit/s that they ask of each other.
    asked: float

    def as_json(self) -> dict[str, Any]:
        """For programs, and for a ticket's record."""
        return {
            "a": self.one,
            "b": self.other,
            "before": self.before,
            "least": self.least,
            "after": self.after,
            "gbps": self.asked,
        }


@dataclass(frozen=True)
class LinksTouched:
    """Whom a topology concerns: pairs of blocks."""

    pairs: tuple[PairChange, ...]
    #: Links that go dark in some stage.
    links: int
    #: The greatest load of a pair over its own links; infinite where one that asks has none, None
    #: where nobody has said what is asked.
    load: tuple[float | None, float | None, float | None]

    def as_json(self) -> dict[str, Any]:
        """For programs, and for a ticket's record."""
        load = dict(zip(("before", "meanwhile", "after"), self.load, strict=True))
        finite = {
            when: None if one is None or np.isinf(one) else round(one, 4)
            for when, one in load.items()
        }
        return {
            "slices": [],
            "owners": [],
            "links": self.links,
            "pairs": [pair.as_json() for pair in self.pairs],
            "load": finite,
            "no_link": [when for when, one in load.items() if one is not None and np.isinf(one)],
        }


@dataclass(frozen=True)
class LinkStage:
    """What a stage means for those who route over its links."""

    #: Links of each pair that go dark with it, most first; and with it on the way back.
    links: Mapping[str, int]
    links_back: Mapping[str, int]
    #: Of each circuit that goes, then of each that comes: the strands at its A and its B port.
    strands: tuple[tuple[str, str], ...]
    check: str
    undo: str

    def as_json(self) -> dict[str, Any]:
        """For programs; no slice is interrupted."""
        return {
            "interrupts": {},
            "links": dict(self.links),
            "links_back": dict(self.links_back),
            "strands": [list(ends) for ends in self.strands],
            "check": self.check,
            "undo": self.undo,
        }


@dataclass(frozen=True, kw_only=True)
class TopologyProposal(ProposedChange):
    """A change of a network's circuits."""

    now: NetworkInUse
    topology: Topology

    @property
    def design(self) -> str:
        """The name of the network's design."""
        return self.now.intended.design.name

    @property
    def names(self) -> Names:
        """What everything is called."""
        return self.now.intended.names

    @cached_property
    def blast(self) -> LinksTouched:
        """Which pairs of blocks it concerns."""
        network, after, least = self.now.network, self.topology.links, self.topology.least
        before = _working(self.now, CabledPorts(network, self.now.intended))
        asked = self.topology.demand
        blocks = network.blocks
        pairs = tuple(
            PairChange(
                blocks[one].name,
                blocks[other].name,
                int(before[one, other]),
                int(least[one, other]),
                int(after[one, other]),
                float(asked[one, other]),
            )
            for one, other in combinations(range(len(blocks)), 2)
            if not before[one, other] == least[one, other] == after[one, other]
        )
        load = [_greatest(network, links, asked) for links in (before, least, after)]
        return LinksTouched(pairs, len(self.plan.remove), (load[0], load[1], load[2]))

    @cached_property
    def notes(self) -> tuple[LinkStage, ...]:
        """What each stage means for people, in the order of the plan."""
        ports = CabledPorts(self.now.network, self.now.intended)
        return tuple(
            LinkStage(
                dict(Counter(_pairs(ports, stage.remove)).most_common()),
                dict(Counter(_pairs(ports, stage.add)).most_common()),
                tuple(ports.strands(circuit) for circuit in (*stage.remove, *stage.add)),
                checked(stage, self.now.limits),
                undone(stage),
            )
            for stage in self.plan.stages
        )

    def plan_json(self, ids: Mapping[str, str] | None = None) -> dict[str, Any]:
        """What is carried out; the owner of the routing drains the links of each stage."""
        return super().plan_json(ids) | {"drains_links": True, "demand": self.wish.get("demand")}


def propose_topology(
    now: NetworkInUse, kind: str, *, headroom: float = 0.0, at_once: int = AT_ONCE
) -> TopologyProposal:
    """Plan a kind of topology for a network as it is used now, or refuse it."""
    if not now.takes:
        raise NotPossible(
            "none of its blocks is active, so none takes links",
            where=f"network {now.network.name}",
            remedy="Set those that are ready to Active",
        )
    ports = CabledPorts(now.network, now.intended)
    shown = [circuit for circuit in now.circuits if circuit.key not in now.missing]
    wanted_now = [circuit for circuit in shown if circuit.key not in now.left_over]
    topology = plan_topology(
        now.network,
        kind,
        demand=now.demand,
        owners=now.owners,
        present=[rule for one in wanted_now if (rule := ports.by_rule(one))],
        takes=now.takes,
        out=now.out,
        at_once=at_once,
        headroom=headroom,
        patience=PATIENCE,
    )
    plan = _plan(now, ports, topology)
    asked = f" for the demand of {now.day}" if now.demand is not None else ""
    left_alone = {ports.switch(name) for name in topology.left_alone}
    return TopologyProposal(
        kind=TOPOLOGY,
        title=f"{kind.capitalize()} topology{asked}",
        now=now,
        topology=topology,
        plan=plan,
        risk=_risk(plan, now, headroom),
        effects=_effects(now, plan, left_alone),
        warnings=tuple(_warnings(now, topology, left_alone)),
    )


def _plan(now: NetworkInUse, ports: CabledPorts, topology: Topology) -> Plan:
    """The stages on real ports. What nobody wants, and what joins no two blocks, gives way."""
    wanted = [Circuit(*ports.cabled(circuit).key) for circuit in topology.circuits]
    taken = {port for circuit in wanted for port in circuit.ports}
    shown = [circuit for circuit in now.circuits if circuit.key not in now.missing]

    def changes(circuit: Circuit) -> bool:
        if circuit.key not in now.left_over and ports.by_rule(circuit):
            return True
        return not taken.isdisjoint(circuit.ports)

    ours = [circuit for circuit in shown if changes(circuit)]
    plan = make_plan_beside([one for one in shown if not changes(one)], ours, wanted)
    groups = [[ports.switch(name) for name in group] for group in topology.groups]
    known = {name for group in groups for name in group}
    others = {circuit.switch for circuit in (*plan.remove, *plan.add)} - known
    return staged(plan, [*groups, sorted(others)])


def _effects(now: NetworkInUse, plan: Plan, left_alone: Collection[str]) -> tuple[Effect, ...]:
    """Circuits that become wanted as they are, and wanted ones that never came and never will."""
    on_ports = {port for circuit in (*plan.remove, *plan.add) for port in circuit.ports}
    want = tuple(circuit for circuit in plan.keep if circuit.key in now.left_over)
    added = {circuit.key for circuit in plan.add}
    drop = tuple(
        circuit
        for circuit in now.circuits
        if circuit.key in now.missing - added - now.left_over
        and circuit.switch not in left_alone
        and on_ports.isdisjoint(circuit.ports)
    )
    return (AcceptCircuits(want, drop),) if want or drop else ()


def _risk(plan: Plan, now: NetworkInUse, headroom: float) -> Risk:
    if not plan.remove:
        return Risk(LOW, "only ports that are free are switched")
    many = counted(len(plan.remove), "link")
    if now.demand is None:
        return Risk(MEDIUM, f"{many} go dark, and nobody has said what pairs ask for")
    room = f" and {headroom:.0%} more" if headroom else ""
    return Risk(MEDIUM, f"{many} go dark; in each stage every pair keeps what it asks for{room}")


def _warnings(now: NetworkInUse, topology: Topology, left_alone: Collection[str]) -> list[str]:
    said = []
    if left_alone:
        said.append(f"Left as they are, for they are out: {some(sorted(left_alone))}")
    if topology.not_made:
        first = topology.not_made[0]
        more = f" and {len(topology.not_made) - 1:,} more" if len(topology.not_made) > 1 else ""
        said.append(f"Not made, for a port or a strand is out: {first}{more}")
    left = [block.name for block in now.network.blocks if block.name not in now.takes]
    if left:
        said.append(f"Blocks that are not active get no links: {some(left)}")
    if now.demand is None:
        said.append("Nobody has said what pairs ask for: no stage is held against it")
    return said


def _working(now: NetworkInUse, ports: CabledPorts) -> Links:
    """By pair, the links that work now."""
    gone = now.missing | now.left_over
    there = [rule for c in now.circuits if c.key not in gone and (rule := ports.by_rule(c))]
    return links_of(now.network, working(all_joined(now.network, there), now.out))


def _greatest(network: Network, links: Links, asked: Demand) -> float | None:
    return float(loads(network, links, asked).max(initial=0.0)) if asked.any() else None


def check_without(
    now: NetworkInUse, first: Sequence[Circuit], left: Sequence[Circuit], where: str
) -> None:
    """Refuse circuits that do not carry what is asked now, as far as the `first` ones did."""
    if now.demand is None:
        return
    ports = CabledPorts(now.network, now.intended)
    asked = asked_between(now.network, now.demand, now.takes)
    at_first, then = (_working(replace(now, circuits=tuple(some)), ports) for some in (first, left))
    check_left(now.network, then, kept(now.network, asked, 0.0, at_first), where)


def _pairs(ports: CabledPorts, circuits: Sequence[Circuit]) -> list[str]:
    """By circuit: the two blocks that it joins."""
    network = ports.network
    found = []
    for circuit in circuits:
        rule = ports.by_rule(circuit)
        if rule is None:
            found.append("no two blocks")
            continue
        one, other = (network.blocks[int(network.block_at[int(p[:-1])])] for p in (rule.a, rule.b))
        found.append(" and ".join(sorted((one.name, other.name))))
    return found
