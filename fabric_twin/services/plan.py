"""Plan a change of circuits, by the rules of the pod."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fabric_twin.core.circuit_rules import check_circuits, check_healthy
from fabric_twin.core.design import Design
from fabric_twin.core.names import pod_of
from fabric_twin.core.plans import Circuit, Plan, make_plan, make_plan_for, wish_of
from fabric_twin.core.plant import Substitution, intended_plant
from fabric_twin.core.unhealthy import Unhealthy


@dataclass(frozen=True)
class PlannedChange:
    """A plan, and what of the two states it does not speak of."""

    pod: str
    design: str
    owner: str | None
    plan: Plan
    #: Present circuits on switches of other pods.
    others: int
    #: Circuits that the wish has of other owners.
    not_ours: int


def plan_change(
    design: Design,
    pod: str,
    present: Sequence[Circuit],
    wanted: Sequence[Circuit],
    *,
    owner: str | None = None,
    slots: Iterable[int] | None = None,
    substitutions: Iterable[Substitution] = (),
    unhealthy: Unhealthy | None = None,
) -> PlannedChange:
    """Plan from present to wanted circuits, or refuse a wish that breaks a rule."""
    intended = intended_plant(design, pod, slots, substitutions)
    here = [circuit for circuit in present if pod_of(circuit.switch) in {pod, None}]
    wish = list(wanted) if owner is None else wish_of(owner, wanted)
    check_circuits(intended, wish)
    plan = make_plan(here, wish) if owner is None else make_plan_for(owner, here, wish)
    if unhealthy:
        check_healthy(intended, plan.add, unhealthy)
    return PlannedChange(
        pod=pod,
        design=design.name,
        owner=owner,
        plan=plan,
        others=len(present) - len(here),
        not_ours=len(wanted) - len(wish),
    )
