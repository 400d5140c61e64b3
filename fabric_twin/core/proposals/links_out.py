"""Maintenance in a network: links go before a switch is touched, and come back after that.

    a switch, a driver board or a port goes out    its circuits go, group by group, once drained
    it is in service again                         what its maintenance took comes, lit and checked

No circuit is made elsewhere for those that go: what is left has to carry what pairs ask for.
Another topology can follow; it leaves alone what is out.
"""

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from fabric_twin.core.circuits.plans import Circuit, Plan, make_plan_beside
from fabric_twin.core.counted import counted
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.proposals.effects import AcceptCircuits, Effect
from fabric_twin.core.proposals.links import NOT_ASKED, LinksProposal, NetworkInUse, risk_of
from fabric_twin.core.proposals.maintenance import OF, SET_IT_OUT, SILENT
from fabric_twin.core.proposals.proposal import LOW, MAINTENANCE, RETURN, Risk
from fabric_twin.core.proposals.return_to_service import BACK, NothingLacks, returned
from fabric_twin.core.proposals.ring_links import ring_links_lost
from fabric_twin.core.proposals.targets import Out, Reach, title_of
from fabric_twin.core.proposals.wishes import Wish
from fabric_twin.core.topology.joined import is_out, working
from fabric_twin.core.topology.network import AT_ONCE, SwitchEnd
from fabric_twin.core.topology.plan import staged
from fabric_twin.core.topology.stages import in_stages, links_of

#: What is said where a part comes back alone.
NO_LINKS = "No circuit comes back with it: ask for a topology, to give it links"
#: What a network has none of: wishes for pods name it.
_OF_CUBES = ("slots", "bear", "interrupt")


def check_has_parts(wish: Wish) -> None:
    """Refuse what only a pod of cubes has."""
    for word in _OF_CUBES:
        if wish.get(word):
            raise UnusableInput(
                f'it says "{word}", and a network has neither cubes nor slices',
                where="wish for maintenance",
                remedy="Name switches, driver boards, ports of switches, or racks of switches",
            )


def propose_links_out(now: NetworkInUse, out: Out, effects: Sequence[Effect] = ()) -> LinksProposal:
    """Take the circuits away that go through what goes out, or refuse where a pair needs them.

    `effects` take it out of service in the records.
    """
    if not out:
        raise UnusableInput(
            "nothing to take out of service is named",
            where="maintenance",
            remedy="Name a switch, a driver board or a port of a switch",
        )
    reach = Reach(now.intended, out)
    going = [circuit for circuit in now.shown if reach.through(circuit)]
    if silent := [circuit.switch for circuit in going if circuit.switch in now.dead]:
        raise NotPossible(SILENT.format(min(silent)), where="maintenance", remedy=SET_IT_OUT)
    wanted = [circuit for circuit in now.shown if circuit.key not in now.left_over]
    there = now.joined(wanted)
    left = now.joined([circuit for circuit in wanted if not reach.through(circuit)])
    stages = in_stages(now.network, there, left, now.asked, out=now.out)
    names = now.intended.names.switches
    plan = _grouped(
        make_plan_beside([one for one in now.shown if not reach.through(one)], going, ()),
        [[names[number - 1] for number in stage.switches] for stage in stages],
    )
    links = links_of(now.network, working(left, now.out))
    gone = {port for circuit in going for port in circuit.ports}
    drop = tuple(
        circuit
        for circuit in now.circuits
        if circuit.key in now.missing - now.left_over
        and reach.through(circuit)
        and gone.isdisjoint(circuit.ports)
    )
    return LinksProposal(
        kind=MAINTENANCE,
        title=title_of(reach, OF),
        now=now,
        asked=now.asked,
        least=links,
        after=links,
        plan=plan,
        risk=risk_of(plan, now, "no link uses it"),
        effects=(*([AcceptCircuits((), drop)] if drop else ()), *effects),
        warnings=(
            *map(str, ring_links_lost(now, links)),
            *([NOT_ASKED] if now.demand is None else []),
        ),
        wish=_named(reach),
    )


def propose_links_back(
    now: NetworkInUse,
    out: Out,
    taken: Sequence[Circuit],
    still_out: Collection[SwitchEnd],
    effects: Sequence[Effect],
) -> LinksProposal:
    """Put parts of switches back into service, with the circuits that they lack.

    These are the wanted ones that they do not have, and those that were `taken` with them, the last
    first: as far as their ports are free, in service, and of blocks that take links. `still_out`
    is what carries nothing afterwards.
    """
    reach = returned(now.intended, out)
    coming = list(_coming(now, reach, taken, still_out))
    if not coming and not effects:
        raise _nothing_comes(now, reach, still_out)
    ports = {port for circuit in coming for port in circuit.ports}
    going = [
        circuit
        for circuit in now.shown
        if circuit.key in now.left_over and not ports.isdisjoint(circuit.ports)
    ]
    gone = {circuit.key for circuit in going}
    stays = [circuit for circuit in now.shown if circuit.key not in gone]
    plan = _grouped(make_plan_beside(stays, going, coming))
    wanted = [circuit for circuit in now.shown if circuit.key not in now.left_over]
    after = links_of(now.network, working(now.joined([*wanted, *coming]), still_out))
    many = counted(len(coming), "link")
    return LinksProposal(
        kind=RETURN,
        title=title_of(reach, BACK),
        now=now,
        asked=now.asked,
        least=np.minimum(now.links, after),
        after=after,
        plan=plan,
        risk=Risk(LOW, f"{many} come back, and only if their light is good")
        if coming
        else Risk(LOW, "no circuit is switched"),
        effects=tuple(effects),
        warnings=() if coming else (NO_LINKS,),
        wish=_named(reach),
    )


def _coming(
    now: NetworkInUse, reach: Reach, taken: Sequence[Circuit], still_out: Collection[SwitchEnd]
) -> Iterator[Circuit]:
    """Circuits through what comes back that can be made, each port in one of them."""
    there = [circuit for circuit in now.circuits if circuit.key not in now.left_over]
    wanted = [one for one in there if one.key in now.missing and reach.through(one)]
    held = {port for circuit in there if circuit not in wanted for port in circuit.ports}
    # What was taken and is not out was returned before, and is as later tickets left it.
    lost = [
        c for c in taken if reach.through(c) and any(is_out(j, now.out) for j in now.joined([c]))
    ]
    for some in (wanted, lost):
        for circuit in some:
            if held.isdisjoint(circuit.ports) and not _why_not(now, circuit, still_out):
                held.update(circuit.ports)
                yield circuit
        # What is wanted and cannot be made yet keeps its ports.
        held.update(port for circuit in some for port in circuit.ports)


def _why_not(now: NetworkInUse, circuit: Circuit, out: Collection[SwitchEnd]) -> str:
    """Why a circuit cannot be made; empty where it joins two blocks that take links, at ends that
    are in service."""
    [*joined] = now.joined([circuit])
    if not joined:
        return "it joins no two blocks"
    if is_out(joined[0], out):
        return "a port or a strand of it is out of service"
    ends = (int(now.network.block_at[place]) for place in (joined[0].a, joined[0].b))
    names = (now.network.blocks[block].name for block in ends)
    idle = next((name for name in names if name not in now.takes), "")
    return f"block {idle} is not active" if idle else ""


def _nothing_comes(
    now: NetworkInUse, reach: Reach, still_out: Collection[SwitchEnd]
) -> NotPossible:
    """What is wanted there and cannot be made, and why; or that nothing lacks."""
    for circuit in now.circuits:
        if circuit.key in now.missing - now.left_over and reach.through(circuit):
            why = _why_not(now, circuit, still_out) or "another circuit has its port"
            return NotPossible(
                f"circuit {circuit} is wanted there and cannot be made: {why}",
                where="return",
                remedy="Put that right first, or ask for a topology: it decides anew",
            )
    return NothingLacks(
        "it is in service, and has all the circuits that are wanted there",
        where="return",
        remedy="Nothing is left to do; ask for a topology to change its links",
    )


def _grouped(plan: Plan, groups: Sequence[Sequence[str]] = ()) -> Plan:
    """The plan in groups of switches, then the other switches, as many at once as of a topology."""
    known = {name for group in groups for name in group}
    others = sorted({circuit.switch for circuit in (*plan.remove, *plan.add)} - known)
    more = [others[first : first + AT_ONCE] for first in range(0, len(others), AT_ONCE)]
    return staged(plan, [*groups, *more])


def _named(reach: Reach) -> Wish:
    """What is out, as a wish: only what a network has."""
    return {word: value for word, value in reach.as_json().items() if value}
