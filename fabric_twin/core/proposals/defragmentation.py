"""Bring slices under a cube together, so that cubes become free."""

from fabric_twin.core.circuits.plans import make_plan
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.proposals.effects import MoveSlice
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.proposals.proposal import DEFRAGMENT, MEDIUM, Proposal, Risk
from fabric_twin.core.slices.defragment import Move, defragment
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape, check_shape
from fabric_twin.core.slots import format_slots


def propose_defragmentation(now: InUse, shape: Shape | None = None) -> Proposal:
    """Free as many cubes as can be, or as a wished shape needs: with no more moves than that."""
    occupancy = now.occupancy
    if shape is None:
        found = defragment(occupancy)
    else:
        check_shape(occupancy.design, shape)
        if occupancy.place(shape):
            raise NotPossible(
                f"{shape} fits as it is", where="defragmentation", remedy="Ask for the slice"
            )
        need = shape.cubes(occupancy.design.cube) or 1
        lack = need + occupancy.held_back - len(occupancy.free)
        found = defragment(occupancy, most=lack)
    moves = found.together
    after = _after(occupancy, moves)
    if shape is not None and not after.place(shape):
        raise after.refusal(shape)
    if not moves:
        raise NotPossible(
            "no cube becomes free by bringing slices together",
            where="defragmentation",
            remedy="Only slices under a cube leave gaps, and these stand as close as they can",
        )
    names = tuple(move.before.name for move in moves)
    slots = format_slots(found.freed)
    many = len(names)
    what = f"{many} slice{'s' * (many != 1)}"
    return Proposal(
        kind=DEFRAGMENT,
        title=f"Bring {what} together, so that slot{'s' * (len(found.freed) != 1)} {slots} "
        + ("are free" if len(found.freed) != 1 else "is free"),
        now=now,
        after=after,
        plan=make_plan([], []),
        slices=names,
        risk=Risk(MEDIUM, f"{what} under a cube {'is' if many == 1 else 'are'} stopped to move"),
        effects=tuple(MoveSlice(move.before, move.after) for move in moves),
        warnings=(
            f"no circuit changes, so no light test can show it: stop {', '.join(names[:3])}"
            + (f" and {many - 3} more" if many > 3 else "")
            + " before, and start them on their new chips after",
        ),
        wish={} if shape is None else {"shape": shape.text, "twisted": shape.twisted},
    )


def _after(occupancy: Occupancy, moves: tuple[Move, ...]) -> Occupancy:
    after = occupancy.copy()
    for move in moves:
        after.release(move.before.name)
    for move in moves:
        after.add(move.after)
    return after
