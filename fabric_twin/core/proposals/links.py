"""A change of a network's links: those of each pair before, meanwhile and after.

NetworkInUse -- topology.py              links, circuits by the rule, groups of switches
             -- switches_out.py          what goes through switches that go out, and comes back
             -- LinksProposal            stages; what each pair keeps; what changes in the record
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.plans import Circuit, Key, Plan
from fabric_twin.core.counted import counted
from fabric_twin.core.diagnosis.limits import Limits
from fabric_twin.core.pods.names import Names
from fabric_twin.core.proposals.proposal import (
    LOW,
    MEDIUM,
    TOPOLOGY,
    ProposedChange,
    Risk,
    checked,
    undone,
)
from fabric_twin.core.topology.cabled import CabledPorts
from fabric_twin.core.topology.joined import Joined, all_joined, working
from fabric_twin.core.topology.links import Demand, Links, loads
from fabric_twin.core.topology.network import Network, SwitchEnd
from fabric_twin.core.topology.plan import asked_between
from fabric_twin.core.topology.stages import check_left, kept, links_of

#: What is said where no demand is kept.
NOT_ASKED = "Nobody has said what pairs ask for: no stage is held against it"


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
    #: Switches that do not answer, and through which no light passes.
    dead: frozenset[str] = frozenset()
    #: The blocks that take links: a topology takes those of others away. And those that carry
    #: something for as long as they have links; None is all.
    takes: frozenset[str] = frozenset()
    carry: frozenset[str] | None = None
    #: Whose blocks are whose.
    owners: Mapping[str, Sequence[str]] = field(default_factory=dict)
    #: What pairs ask of each other, and of which day that is; None where nobody has said.
    demand: Demand | None = None
    day: str = ""
    #: What the rings of each job that runs ask of pairs, by its name: part of the demand.
    rings: Mapping[str, Demand] = field(default_factory=dict)
    #: What jobs will ask for whose rings a topology is to make: nothing while it is made. And how
    #: many links each two blocks keep for as long as demand decides.
    coming: Demand | None = None
    least: int = 1
    limits: Limits = field(default_factory=Limits)

    @cached_property
    def ports(self) -> CabledPorts:
        """Circuits by the ports of the rule, and by those on which strands are."""
        return CabledPorts(self.network, self.intended)

    @cached_property
    def shown(self) -> Sequence[Circuit]:
        """The circuits that switches have."""
        return [circuit for circuit in self.circuits if circuit.key not in self.missing]

    @cached_property
    def links(self) -> Links:
        """By pair, the links that work now."""
        there = [c for c in self.shown if c.key not in self.left_over]
        return links_of(self.network, working(self.joined(there), self.out))

    @cached_property
    def asked(self) -> Demand:
        """What blocks ask of each other that are not out; nothing where nobody has said it."""
        every = (block.name for block in self.network.blocks)
        return self.asked_of(frozenset(every) if self.carry is None else self.carry)

    def asked_of(self, blocks: Collection[str]) -> Demand:
        """What some blocks ask of each other."""
        if self.demand is None:
            return np.zeros(self.links.shape)
        return asked_between(self.network, self.demand, blocks)

    @property
    def wanted(self) -> Demand | None:
        """What links are given out by: what is asked for now, and what is coming."""
        if self.coming is None or self.demand is None:
            return self.demand if self.coming is None else self.coming
        return self.demand + self.coming

    def joined(self, circuits: Sequence[Circuit]) -> list[Joined]:
        """Those that join two blocks, by the numbers of the rule."""
        rules = (self.ports.by_rule(circuit) for circuit in circuits)
        return all_joined(self.network, [rule for rule in rules if rule])


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
    """Whom a change of links concerns: pairs of blocks."""

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
class LinksProposal(ProposedChange):
    """A change of a network's circuits."""

    now: NetworkInUse
    #: By pair: what is asked, the fewest links on the way, and those at the end.
    asked: Demand
    least: Links
    after: Links

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
        blocks, before, least, after = (
            self.now.network.blocks,
            self.now.links,
            self.least,
            self.after,
        )
        pairs = tuple(
            PairChange(
                blocks[one].name,
                blocks[other].name,
                int(before[one, other]),
                int(least[one, other]),
                int(after[one, other]),
                float(self.asked[one, other]),
            )
            for one, other in combinations(range(len(blocks)), 2)
            if not before[one, other] == least[one, other] == after[one, other]
        )
        load = [_greatest(self.now.network, links, self.asked) for links in (before, least, after)]
        return LinksTouched(pairs, len(self.plan.remove), (load[0], load[1], load[2]))

    @cached_property
    def notes(self) -> tuple[LinkStage, ...]:
        """What each stage means for people, in the order of the plan."""
        ports = self.now.ports
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
        """What is carried out; the owner of the routing drains the links of each stage.

        A topology follows a demand; what others take away is held against the last when it goes.
        """
        follows = {"demand": self.wish.get("demand")} if self.kind == TOPOLOGY else {}
        return super().plan_json(ids) | {"drains_links": True} | follows


def risk_of(plan: Plan, now: NetworkInUse, idle: str, headroom: float = 0.0) -> Risk:
    """How much could go wrong; `idle` is said where no link goes dark."""
    if not plan.remove:
        return Risk(LOW, idle)
    many = counted(len(plan.remove), "link")
    dark = f"{many} {'go' if len(plan.remove) > 1 else 'goes'} dark"
    if now.demand is None:
        return Risk(MEDIUM, f"{dark}, and nobody has said what pairs ask for")
    room = f" and {headroom:.0%} more" if headroom else ""
    return Risk(
        MEDIUM,
        f"{dark}; in each stage pairs keep what they ask for{room}, over their own links or over "
        "one other block, as far as that fits now",
    )


def check_without(
    now: NetworkInUse, asked: Demand, first: Sequence[Circuit], left: Sequence[Circuit], where: str
) -> None:
    """Refuse circuits that do not carry what is asked, as far as the `first` ones did."""
    if now.demand is None:
        return
    at_first, then = (replace(now, circuits=tuple(some)).links for some in (first, left))
    check_left(now.network, then, kept(now.network, asked, 0.0, at_first), where)


def _greatest(network: Network, links: Links, asked: Demand) -> float | None:
    return float(loads(network, links, asked).max(initial=0.0)) if asked.any() else None


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
