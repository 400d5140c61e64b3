"""Change circuits that are no slice's: those made by hand, and those the switches show unasked."""

from collections.abc import Collection, Sequence
from typing import Any

from fabric_twin.core.circuits.circuits import numbered
from fabric_twin.core.circuits.links import odd_siblings, slots_behind
from fabric_twin.core.circuits.plans import Circuit, Plan, Port, make_plan_beside
from fabric_twin.core.circuits.rules import check_circuits, check_healthy
from fabric_twin.core.circuits.unhealthy import Unhealthy
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.proposals.effects import AcceptCircuits, Effect
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.proposals.proposal import DRIFT, HAND, LOW, MEDIUM, Proposal, Risk
from fabric_twin.core.slices.occupancy import Occupancy


def propose_circuits(now: InUse, wanted: Sequence[Circuit]) -> Proposal:
    """Make the circuits of a wish by hand; those made by hand before and absent from it go.

    A slice's circuits follow from its cubes, so a wish that has any is refused unless they are
    there, and theirs: then they stay as they are.
    """
    slices = {circuit.key: circuit for circuit in now.circuits if circuit.owner}
    for circuit in wanted:
        if circuit.owner and slices.get(circuit.key) != circuit:
            raise NotPossible(
                f"{circuit} would be a slice's, and a slice's circuits follow from its cubes",
                where=circuit.where,
                remedy="Leave the owner out, or ask for the slice",
            )
    wish = [circuit for circuit in wanted if not circuit.owner]
    check_circuits(now.intended, wish)
    by_hand = {c.key for c in now.circuits if not c.owner} - now.left_over
    plan = now.plan([], wish, by_hand)
    check_healthy(now.intended, plan.add, unhealthy_of(now))
    odd = str(odd_siblings(now.intended, wish))
    return _proposal(
        now,
        plan,
        kind=HAND,
        title="Circuits by hand",
        risk=Risk(MEDIUM, "removes circuits made by hand, whose owner is not known")
        if plan.remove
        else Risk(LOW, "only free ports are switched"),
        warnings=(f"in the request, {odd}",) if odd else (),
        wish={"circuits": [circuit.as_json() for circuit in wish]},
        # A cube that somebody joins by hand is no slice's to take.
        after=_left(now, plan.add),
    )


def propose_as_wanted(now: InUse, ports: Collection[Port] | None = None) -> Proposal:
    """Make what the switches show what is wanted: on some ports, where named, or on all.

    What is missing comes, and what nobody wants goes.
    """
    going, coming = _drift(now, ports)
    stays = [circuit for circuit in now.there if circuit.key not in now.left_over]
    plan = make_plan_beside(stays, going, coming)
    check_healthy(now.intended, plan.add, unhealthy_of(now))
    many = len(plan.remove) + len(plan.add)
    return _proposal(
        now,
        plan,
        kind=DRIFT,
        title=f"{many:,} circuit{'s' * (many != 1)} as the inventory wants them",
        risk=Risk(LOW, "only unwanted circuits are removed, and only lost ones are restored"),
        warnings=(),
        wish={"ports": None if ports is None else sorted(map(list, ports))},
    )


def propose_as_shown(now: InUse, ports: Collection[Port] | None = None) -> Proposal:
    """Make wanted what the switches show: on some ports, where named, or on all.

    No circuit changes, only the record. What a slice lacks is not accepted: its circuits follow
    from its cubes.
    """
    coming, going = _drift(now, ports)
    if lost := next((circuit for circuit in going if circuit.owner), None):
        raise NotPossible(
            f"{lost} is missing, and a slice's circuits follow from its cubes",
            where=lost.where,
            remedy=f"Set the switches back to what is wanted, or release {lost.owner}",
        )
    check_circuits(now.intended, coming)
    check_healthy(now.intended, coming, unhealthy_of(now))
    stays = [circuit for circuit in now.circuits if not circuit.owner]
    odd = str(odd_siblings(now.intended, [c for c in stays if c not in going]))
    many = len(coming) + len(going)
    return _proposal(
        now,
        make_plan_beside(now.there, [], []),
        kind=DRIFT,
        title=f"{many:,} circuit{'s' * (many != 1)} wanted as the switches show them",
        risk=Risk(LOW, "no circuit is switched: only the record changes"),
        warnings=(f"by hand {odd}",) if odd else (),
        wish={"ports": None if ports is None else sorted(map(list, ports)), "accept": True},
        after=_left(now, coming),
        effects=(AcceptCircuits(tuple(coming), tuple(going)),),
    )


def _drift(now: InUse, ports: Collection[Port] | None) -> tuple[list[Circuit], list[Circuit]]:
    """What switches show unasked, and what they lack; refused where neither is."""
    shown = [circuit for circuit in now.circuits if circuit.key in now.left_over]
    lost = [circuit for circuit in now.circuits if circuit.key in now.missing]
    if ports is not None:
        # What shares a port with drift is drift too.
        asked = set(ports)
        lost_first = [c for c in lost if not asked.isdisjoint(c.ports)]
        asked.update(port for c in lost_first for port in c.ports)
        shown = [c for c in shown if not asked.isdisjoint(c.ports)]
        asked.update(port for c in shown for port in c.ports)
        lost = [c for c in lost if not asked.isdisjoint(c.ports)]
    if not shown and not lost:
        raise NotPossible(
            "what the switches show there is what is wanted",
            where="circuits",
            remedy="Audit the pod: perhaps it was mended meanwhile",
        )
    return shown, lost


def _left(now: InUse, circuits: Sequence[Circuit]) -> Occupancy:
    """What is in use once circuits by hand join some cubes."""
    columns, _ = numbered(circuits, now.names)
    after = now.occupancy.copy()
    for slot in slots_behind(now.intended, columns):
        after.reserve(slot)
    return after


def unhealthy_of(now: InUse) -> Unhealthy:
    """What of a pod no circuit should be put on."""
    occupancy, names = now.occupancy, now.names
    return Unhealthy(
        frozenset(occupancy.unhealthy),
        frozenset(names.port(port) for port in occupancy.failed_ports),
    )


def _proposal(
    now: InUse,
    plan: Plan,
    *,
    kind: str,
    title: str,
    risk: Risk,
    warnings: tuple[str, ...],
    wish: dict[str, Any],
    after: Occupancy | None = None,
    effects: tuple[Effect, ...] = (),
) -> Proposal:
    touched = {circuit.owner for circuit in (*plan.remove, *plan.add)}
    return Proposal(
        kind=kind,
        title=title,
        now=now,
        after=after,
        plan=plan,
        slices=tuple(sorted(touched - {""})),
        owners=tuple(sorted(touched)),
        lost=len(plan.remove),
        risk=risk,
        effects=effects,
        warnings=warnings,
        wish=wish,
    )
