"""What must move before somebody touches a switch, a driver board, a cube or a rack."""

from collections.abc import Mapping, Sequence
from typing import Any

from fabric_twin.core.circuits.plans import Circuit, Plan
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.kinds import Verb
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
from fabric_twin.core.proposals.targets import Out, Reach, title_of
from fabric_twin.core.proposals.wishes import Wish
from fabric_twin.core.slices.bearing_cubes import check_bear

#: How the title of a maintenance begins.
OF = "Maintenance of"
#: Why no circuit is taken off a switch that is dead, and what to do instead.
SILENT = (
    "{} is dead: nothing can be read back from it, so no ticket takes circuits off it until it "
    "answers"
)
REPAIR_IT = (
    "Its slices already do without these circuits. Repair it by a work order for its finding: that "
    "needs no drain while the switch is dead, and asks for what slices lack once it is back"
)
#: The same in a network, which has no work orders.
SET_IT_OUT = (
    "Its links carry nothing already. Repair it, and set it to Maintenance by hand meanwhile: a "
    "topology then leaves it alone"
)


def propose_maintenance(
    now: InUse,
    out: Out,
    *,
    interrupt: bool = False,
    bear: int = 0,
    effects: Sequence[Effect] = (),
    wish: Mapping[str, Any] | None = None,
) -> Proposal:
    """Say who bears it, move who can move, name who cannot, and clear what is nobody's.

    A slice whose joins each lack at most `bear` switches stays, and loses its circuits through
    what is out: that comes before moving, which interrupts a job. With `interrupt`, slices that
    can neither bear it nor move lose their circuits through what is out, and stand still until the
    ticket is undone; without, their circuits are left as they are. `effects` take it out of
    service in the records.
    """
    if not out:
        raise UnusableInput(
            "nothing to take out of service is named",
            where="maintenance",
            remedy="Name a switch, a driver board, a cube or a rack",
        )
    reach = Reach(now.intended, out)
    check_bear(bear, now.intended.design, Verb.LET_BEAR)
    moved = move_off(now, reach, bear)
    plan = _plan(now, reach, moved, interrupt=interrupt)
    dead = now.dead & switches_in(reach.as_json())
    if silent := [c.switch for c in (*moved.through, *plan.remove) if c.switch in dead]:
        raise NotPossible(SILENT.format(min(silent)), where="maintenance", remedy=REPAIR_IT)
    # It concerns everybody on what is out, and everybody who moves.
    gone: dict[Circuit, None] = dict.fromkeys((*moved.through, *plan.remove))
    owned = [circuit for circuit in gone if circuit.key not in now.left_over]
    by_hand = [c for c in moved.through if not c.owner and c.key not in now.left_over]
    slices = {move.before.name for move in moved.moves}
    slices.update(stranded.name for stranded in moved.stranded)
    slices.update(bears.made.name for bears in moved.bears)
    return Proposal(
        kind=MAINTENANCE,
        title=title_of(reach, OF),
        now=now,
        after=moved.occupancy,
        plan=plan,
        slices=tuple(sorted(slices)),
        owners=tuple(sorted({circuit.owner for circuit in owned})),
        lost=len(owned),
        risk=_risk(moved, plan, interrupt=interrupt),
        effects=(*(MoveSlice(move.before, move.after) for move in moved.moves), *effects),
        bears=moved.bears,
        bear=bear,
        stranded=moved.stranded,
        warnings=() if interrupt else tuple(_warnings(by_hand, moved)),
        wish=wish or {**reach.as_json(), "interrupt": interrupt, "bear": bear},
    )


def switches_in(wish: Wish) -> set[str]:
    """The switches that a wish for maintenance takes out of service, or parts of them."""
    parts = (*wish.get("boards", ()), *wish.get("ports", ()))
    return {*wish.get("switches", ()), *(str(switch) for switch, _ in parts)}


def _plan(now: InUse, reach: Reach, moved: Moved, *, interrupt: bool) -> Plan:
    """The circuits of slices that move, and those that go."""
    wanted = [c for move in moved.moves for c in now.circuits_of(move.after)]
    owners = {move.before.name for move in moved.moves}
    free = (c for c in moved.through if not c.owner)
    going = {c.key for c in free if interrupt or c.key in now.left_over}
    stay = {bears.made.name for bears in moved.bears}
    if interrupt:
        stay.update(stranded.name for stranded in moved.stranded)
    wanted += [c for c in now.there if c.owner in stay and not reach.through(c)]
    owners |= stay
    return now.plan(owners, wanted, going)


def _risk(moved: Moved, plan: Plan, *, interrupt: bool) -> Risk:
    """How much could go wrong, by whom it interrupts and whom it leaves behind."""
    many = len(moved.bears)
    slower = f"{_slices(many)} slower until it is returned" if many else ""
    if many := len(moved.stranded):
        who = f"{many} slice{'s' * (many != 1)} cannot move"
        them = "it" if many == 1 else "them"
        said = f"{who}: working on what is out of service takes {them} down"
        if interrupt:
            said = f"{who} and {'is' if many == 1 else 'are'} down until it is undone"
        return Risk(HIGH, _joined(said, slower))
    if many := len(moved.moves):
        words = f"{_slices(many)} interrupted to move"
        if not moved.occupancy.free:
            words += ", and no free cube is left for repairs"
        return Risk(MEDIUM, _joined(words, slower))
    if slower:
        return Risk(MEDIUM, slower)
    if plan.remove:
        return Risk(LOW, "only unwanted circuits are removed")
    return Risk(LOW, "no slice uses it")


def _slices(many: int) -> str:
    return f"{many} slice{'s are' if many != 1 else ' is'}"


def _joined(*said: str) -> str:
    return "; ".join(filter(None, said))


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
    if moved.stranded and moved.occupancy.design.medium.is_switched:
        said.append(
            "slices that cannot move keep their circuits: release them first, or interrupt them"
        )
    return said
