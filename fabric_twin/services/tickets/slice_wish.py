"""Wish for a slice, or for the end of one: what it would change."""

from collections.abc import Collection

from fabric_twin.core.circuits.circuits import numbered
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.proposals.effects import MakeSlice, ReleaseSlice
from fabric_twin.core.proposals.in_use import InUse, named
from fabric_twin.core.proposals.proposal import LOW, RELEASE, SLICE, Proposal, Risk
from fabric_twin.core.slices.bearing_cubes import check_bear
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.slots import format_slots
from fabric_twin.services.slices.allocate import allocate_within


def propose_slice(
    now: InUse,
    shape: Shape,
    *,
    name: str | None = None,
    slots: Collection[int] | None = None,
    bear: int = 0,
) -> Proposal:
    """Find a place for a slice and plan its circuits, or refuse with what would fit.

    `bear` is how many switches a join of two cubes may lack.
    """
    after = now.occupancy.copy(slots)
    after.bear = check_bear(bear, now.intended.design)
    present, _ = numbered(now.circuits, now.names)
    found = allocate_within(after, now.intended, shape, name, present)
    made = found.made
    plan = now.plan([made.name], named(found.circuits, now.names, made.name))
    wider = now.occupancy.copy()  # `after` may be used in part only
    wider.add(made)
    return Proposal(
        kind=SLICE,
        title=f"Slice {made.name} ({shape})",
        now=now,
        after=wider,
        plan=plan,
        slices=(made.name,),
        owners=(made.name,),
        risk=Risk(
            LOW,
            "only ports of free cubes are switched"
            if plan.stages
            else "no circuit is switched: it is joined by copper",
        ),
        effects=(MakeSlice(made),),
        warnings=found.warnings,
        wish={
            "shape": shape.text,
            "twisted": shape.twisted,
            "name": made.name,
            **({} if slots is None else {"slots": format_slots(tuple(slots))}),
            **({"bear": bear} if bear else {}),
        },
    )


def propose_release(now: InUse, name: str) -> Proposal:
    """Release a slice and its circuits."""
    made = now.occupancy.slices.get(name)
    if made is None:
        raise NotPossible(
            f"no slice of this name stands in pod {now.names.pod}",
            where=f"slice {name[:60]}",
            remedy="Name a slice that stands; perhaps it is released already",
        )
    plan = now.plan([name], [])
    after = now.occupancy.copy()
    after.release(name)
    return Proposal(
        kind=RELEASE,
        title=f"Release of slice {name} ({made.shape})",
        now=now,
        after=after,
        plan=plan,
        slices=(name,),
        owners=(name,) if plan.remove else (),
        lost=len(plan.remove),
        risk=Risk(LOW, f"only circuits of {name} are removed"),
        effects=(ReleaseSlice(made),),
        wish={"slice": name},
    )
