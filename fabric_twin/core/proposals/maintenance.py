"""What must move before somebody touches a switch, a driver board, a cube or a rack."""

from collections.abc import Mapping, Sequence
from typing import Any

from fabric_twin.core.circuits.plans import Circuit, Plan
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.proposals.effects import Effect, MoveSlice
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.proposals.moving import Moved, move_off
from fabric_twin.core.proposals.proposal import (
    HIGH,
    LOW,
    MAINTENANCE,
    MEDIUM,
    Proposal,
    Risk,
)
from fabric_twin.core.proposals.targets import Out, Reach


def propose_maintenance(
    now: InUse,
    out: Out,
    *,
    interrupt: bool = False,
    effects: Sequence[Effect] = (),
    wish: Mapping[str, Any] | None = None,
) -> Proposal:
    """Move away what can be moved, name what cannot, and clear what is nobody's.

    With `interrupt`, slices that cannot move lose their circuits through what is out, and stand
    still until the ticket is undone; without, their circuits are left as they are. `effects` take
    it out of service in the records.
    """
    if not out:
        raise UnusableInput(
            "nothing to take out of service is named",
            where="maintenance",
            remedy="Name a switch, a driver board, a cube or a rack",
        )
    reach = Reach(now.intended, out)
    moved = move_off(now, reach)
    plan = _plan(now, reach, moved, interrupt=interrupt)
    # It concerns everybody on what is out, and everybody who moves.
    gone: dict[Circuit, None] = dict.fromkeys((*moved.through, *plan.remove))
    owned = [circuit for circuit in gone if circuit.key not in now.left_over]
    by_hand = [c for c in moved.through if not c.owner and c.key not in now.left_over]
    slices = {move.before.name for move in moved.moves}
    slices.update(stranded.name for stranded in moved.stranded)
    return Proposal(
        kind=MAINTENANCE,
        title=_title(reach),
        now=now,
        after=moved.occupancy,
        plan=plan,
        slices=tuple(sorted(slices)),
        owners=tuple(sorted({circuit.owner for circuit in owned})),
        lost=len(owned),
        risk=_risk(moved, plan, interrupt=interrupt),
        effects=(*(MoveSlice(move.before, move.after) for move in moved.moves), *effects),
        stranded=moved.stranded,
        warnings=() if interrupt else tuple(_warnings(by_hand, moved)),
        wish=wish or {**reach.as_json(), "interrupt": interrupt},
    )


#: The longest title that a ticket can have.
_LONGEST = 255


def _title(reach: Reach) -> str:
    title = f"Maintenance of {reach}"
    return title if len(title) <= _LONGEST else title[: _LONGEST - 1] + "…"


def _plan(now: InUse, reach: Reach, moved: Moved, *, interrupt: bool) -> Plan:
    """The circuits of slices that move, and those that go."""
    wanted = [c for move in moved.moves for c in now.circuits_of(move.after)]
    owners = {move.before.name for move in moved.moves}
    free = (c for c in moved.through if not c.owner)
    going = {c.key for c in free if interrupt or c.key in now.left_over}
    if interrupt:
        still = {stranded.name for stranded in moved.stranded}
        wanted += [c for c in now.there if c.owner in still and not reach.through(c)]
        owners |= still
    return now.plan(owners, wanted, going)


def _risk(moved: Moved, plan: Plan, *, interrupt: bool) -> Risk:
    """How much could go wrong, by whom it interrupts and whom it leaves behind."""
    if many := len(moved.stranded):
        who = f"{many} slice{'s' * (many != 1)} cannot move"
        if interrupt:
            return Risk(HIGH, f"{who} and {'is' if many == 1 else 'are'} down until it is undone")
        them = "it" if many == 1 else "them"
        return Risk(HIGH, f"{who}: working on what is out of service takes {them} down")
    if many := len(moved.moves):
        words = f"{many} slice{'s are' if many != 1 else ' is'} interrupted to move"
        left = len(moved.occupancy.free)
        if not left:
            return Risk(MEDIUM, f"{words}, and no free cube is left for repairs")
        return Risk(MEDIUM, words)
    if plan.remove:
        return Risk(LOW, "only unwanted circuits are removed")
    return Risk(LOW, "no slice uses it")


def _warnings(by_hand: Sequence[Circuit], moved: Moved) -> list[str]:
    """What stays on what is out, where nobody is interrupted."""
    said = []
    if by_hand:
        many = len(by_hand)
        said.append(
            f"{by_hand[0]} was made by hand and goes through it"
            + (f", and {many - 1} more do" if many > 1 else "")
            + ": they stay, because their owner is not known"
        )
    if moved.stranded:
        said.append(
            "slices that cannot move keep their circuits: release them first, or interrupt them"
        )
    return said
