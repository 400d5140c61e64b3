"""Plan a change of circuits, by the rules of the pod."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fabric_twin.core.cabling.plant import Intended, Substitution, intended_plant
from fabric_twin.core.circuits.links import odd_siblings
from fabric_twin.core.circuits.plans import (
    Circuit,
    Plan,
    make_plan,
    make_plan_for,
    shared_ports,
    wish_of,
)
from fabric_twin.core.circuits.rules import check_circuits, check_healthy, first_breach
from fabric_twin.core.circuits.unhealthy import Unhealthy
from fabric_twin.core.design import Design
from fabric_twin.core.kinds import Verb
from fabric_twin.core.pods.names import pod_of


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
    #: What to look at before the plan is approved.
    warnings: tuple[str, ...] = ()


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
    without: Sequence[Circuit] = (),
) -> PlannedChange:
    """Plan from present to wanted circuits, or refuse a wish that breaks a rule.

    `without` are circuits that a wanted slice knowingly does without: nobody is warned of these.
    """
    design.check_can(Verb.PLAN)
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
        warnings=tuple(
            filter(None, (*_present(intended, here, plan), _siblings(intended, wish, without)))
        ),
    )


def _present(intended: Intended, present: Sequence[Circuit], plan: Plan) -> Iterable[str]:
    """What is wrong with the state a plan begins with, and is what its undo leads back to."""
    going = set(plan.remove)
    if breach := first_breach(intended, present):
        yield (
            f"{breach.where}: the present circuit {breach.what}. Is the present state of another "
            "design? The undo makes again what the plan removes"
        )
    if both := shared_ports(present):
        first, second = both[0]
        more = f", and {len(both) - 1:,} more do" if len(both) > 1 else ""
        back = any(one in going or other in going for one, other in both)
        undo = ": the undo of this plan would make that again" if back else ""
        yield (
            f"{second.where}: the present circuit {second} shares a port with {first}{more}; "
            f"no switch can hold both{undo}"
        )


def _siblings(intended: Intended, wish: Sequence[Circuit], without: Sequence[Circuit]) -> str:
    """Which wanted circuits make no torus: a slice's indices all join the same cubes."""
    odd = odd_siblings(intended, [*wish, *without])
    where = f"{odd.odd[0].where}: " if odd.odd else ""
    return f"{where}in the request, {odd}" if str(odd) else ""
