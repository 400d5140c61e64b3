"""A topology of a network as a change: the circuits by the rule on the ports where strands are."""

from collections.abc import Collection

import numpy as np

from fabric_twin.core.circuits.plans import Circuit, Plan, make_plan_beside
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.proposals.effects import AcceptCircuits, Effect
from fabric_twin.core.proposals.links import NOT_ASKED, LinksProposal, NetworkInUse, risk_of
from fabric_twin.core.proposals.proposal import TOPOLOGY
from fabric_twin.core.proposals.ring_links import check_rings_close
from fabric_twin.core.tickets.words import some
from fabric_twin.core.topology.cabled import CabledPorts
from fabric_twin.core.topology.network import AT_ONCE
from fabric_twin.core.topology.plan import Topology, plan_topology, staged

#: Seconds that a person who waits for a page gives the search for fewer changes.
PATIENCE = 5.0


def propose_topology(
    now: NetworkInUse, kind: str, *, headroom: float = 0.0, at_once: int = AT_ONCE
) -> LinksProposal:
    """Plan a kind of topology for a network as it is used now, or refuse it."""
    if not now.takes:
        raise NotPossible(
            "none of its blocks is active, so none takes links",
            where=f"network {now.network.name}",
            remedy="Set those that are ready to Active",
        )
    ports = now.ports
    wanted_now = [circuit for circuit in now.shown if circuit.key not in now.left_over]
    topology = plan_topology(
        now.network,
        kind,
        demand=now.wanted,
        asked_now=np.zeros(now.links.shape) if now.demand is None else now.asked_of(now.takes),
        owners=now.owners,
        present=[rule for one in wanted_now if (rule := ports.by_rule(one))],
        takes=now.takes,
        out=now.out,
        at_once=at_once,
        headroom=headroom,
        patience=PATIENCE,
        least=now.least,
    )
    left_alone = {ports.switch(name) for name in topology.left_alone}
    plan = _plan(now, ports, topology, left_alone)
    asked = f" for the demand of {now.day}" if now.day else ""
    return LinksProposal(
        kind=TOPOLOGY,
        title=f"{kind.capitalize()} topology{asked}",
        now=now,
        asked=topology.demand,
        least=topology.least,
        after=topology.links,
        plan=plan,
        risk=risk_of(plan, now, "only ports that are free are switched", headroom),
        effects=_effects(now, plan, left_alone),
        warnings=(
            *check_rings_close(now, topology.least, topology.links),
            *_warnings(now, topology, left_alone),
        ),
    )


def _plan(
    now: NetworkInUse, ports: CabledPorts, topology: Topology, left_alone: Collection[str]
) -> Plan:
    """The stages on real ports. What nobody wants goes; what joins no two blocks gives way."""
    wanted = [Circuit(*ports.cabled(circuit).key) for circuit in topology.circuits]
    taken = {port for circuit in wanted for port in circuit.ports}

    def changes(circuit: Circuit) -> bool:
        if circuit.key in now.left_over:
            goes = circuit.switch not in left_alone
        else:
            goes = ports.by_rule(circuit) is not None
        return goes or not taken.isdisjoint(circuit.ports)

    ours = [circuit for circuit in now.shown if changes(circuit)]
    plan = make_plan_beside([one for one in now.shown if not changes(one)], ours, wanted)
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
        said.append(NOT_ASKED)
    return said
