"""Leave a bad port of a switch: for a spare, or with the slice for another cube."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from fabric_twin.core.circuits.plans import Plan, Stage
from fabric_twin.core.circuits.unhealthy import Port, numbers_of
from fabric_twin.core.cube import AXES
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.proposals.effects import Substitute
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.proposals.maintenance import propose_maintenance
from fabric_twin.core.proposals.proposal import HOLD, LOW, MEDIUM, SPARE, Proposal, Risk
from fabric_twin.core.proposals.targets import Out, Reach

#: What a substitution says of itself where nobody says why.
REASON = "the port is bad"


def propose_off_port(
    now: InUse,
    port: Port,
    *,
    spare: str | None = None,
    move: bool = False,
    reason: str = REASON,
) -> Proposal:
    """Take a port's cable to a spare and its circuits with it, or the slice to other cubes.

    Without a spare that is free, or with `move`, the slice leaves the cube whose cable is on the
    port. The port is named as a circuit or a cut sheet names it.
    """
    number = _number(now, port)
    end = int(now.intended.mate[number])
    if end == NO_PORT:
        device, name = now.names.port(number)
        raise NotPossible(
            "no cable belongs on it, so nothing has to leave it",
            where=f"{device} port {name}",
            remedy="Name a port that a cube is cabled to",
        )
    spares = _free_spares(now, number)
    wish: dict[str, Any] = {"port": list(port), "spare": spare, "move": move, "reason": reason}
    if move or (spare is None and not spares):
        return _moved(now, number, end, wish, asked=move)
    chosen = _chosen(now, number, spare, spares)
    return _to_spare(now, number, end, chosen, reason, wish)


def _number(now: InUse, port: Port) -> int:
    layout = now.intended.design.layout
    found = [number for number in numbers_of(now.names, port) if number >= layout.cube_ports]
    if len(found) == 1:
        return found[0]
    device, name = port
    raise UnusableInput(
        f"{name[:40]!r} is " + ("on both sides" if found else "not a port of a switch of this pod"),
        where=f"port of {device[:60]}",
        remedy=f"Write {name[:40]}A or {name[:40]}B" if found else "Name a switch and its port",
    )


def _free_spares(now: InUse, number: int) -> list[int]:
    """The spares on the port's side of its switch that nothing is on, and that are well."""
    layout, intended = now.intended.design.layout, now.intended
    side = (number - layout.cube_ports) // layout.radix
    first = layout.cube_ports + side * layout.radix
    run = np.arange(first, first + layout.radix)
    free = run[layout.spare[run] & (intended.mate[run] == NO_PORT)].tolist()
    used = {port for circuit in now.circuits for port in circuit.ports}
    return [
        spare
        for spare in free
        if spare not in now.occupancy.failed_ports
        and used.isdisjoint(Reach(intended, Out(ports=frozenset({spare}))).dark)
    ]


def _chosen(now: InUse, number: int, spare: str | None, spares: list[int]) -> int:
    if spare is None:
        return spares[0]
    device, _ = now.names.port(number)
    named = [found for found in numbers_of(now.names, (device, spare)) if found in spares]
    if not named:
        shown = ", ".join(now.names.port(found)[1] for found in spares)
        raise NotPossible(
            f"port {spare[:40]} is not a spare that is free on that side",
            where=f"spare of {device}",
            remedy=f"Use one of {shown}" if shown else "Let the slice move to other cubes",
        )
    return named[0]


def _to_spare(
    now: InUse, number: int, end: int, spare: int, reason: str, wish: Mapping[str, Any]
) -> Proposal:
    """Free the port, then join the spare; between the two a hand moves the cable."""
    layout, names = now.intended.design.layout, now.names
    mate = now.intended.mate.copy()
    mate[[number, end, spare]] = NO_PORT, spare, end
    there = replace(now, intended=replace(now.intended, mate=mate))
    slot = int(layout.slot[end])
    made = [found for found in now.occupancy.on(slot) if not found.chips]
    wanted = [circuit for one in made for circuit in there.circuits_of(one)]
    plan = _by_hand_between(now.plan([one.name for one in made], wanted))
    (switch, port), (_, other) = names.port(number), names.port(spare)
    cable = names.cable(end)
    # A spare has its own cube's cable only once it is moved: no cube is lost by that.
    after = now.occupancy.copy()
    after.repair_port(number)
    by_hand = (
        f"{cable} is moved from port {port} to port {other} of {switch} by hand: once the port is "
        "free, and before the spare is joined"
    )
    return Proposal(
        kind=SPARE,
        title=f"{switch}: spare {other} in place of port {port}",
        now=now,
        after=after,
        plan=plan,
        slices=tuple(one.name for one in made),
        owners=tuple(one.name for one in made),
        lost=len(plan.remove),
        risk=Risk(MEDIUM, f"{made[0].name} loses a link until {cable} is moved by hand")
        if made
        else Risk(LOW, "no slice uses the port"),
        effects=(Substitute(switch, port, other, reason),),
        warnings=(by_hand,),
        wish=wish,
        on_failure=HOLD,
    )


def _by_hand_between(plan: Plan) -> Plan:
    """All that goes, then all that comes: no light passes until the cable is moved."""
    stages = (Stage(remove=plan.remove), Stage(add=plan.add))
    return replace(plan, stages=tuple(stage for stage in stages if stage.remove or stage.add))


def _moved(now: InUse, number: int, end: int, wish: Mapping[str, Any], *, asked: bool) -> Proposal:
    """The slice leaves the cube: the design has no spare, or somebody would rather."""
    layout, names = now.intended.design.layout, now.names
    (switch, port), local = names.port(number), end % layout.ports_per_cube
    slot, axis = int(layout.slot[end]), int(layout.axis[local])
    index = ",".join(map(str, layout.cube.indices(axis)[int(layout.index[local])]))
    what = "Asked for" if asked else _why_no_spare(now, switch)
    lost = (
        f"{what}: until {switch} is mended, {names.cube(slot)} in slot {slot} lacks "
        f"{AXES[axis]} at index {index}, and only a slice that bears a switch can use it whole"
    )
    proposal = propose_maintenance(now, Out(ports=frozenset({number})), wish=wish)
    return replace(
        proposal,
        kind=SPARE,
        title=f"{switch}: off port {port}",
        warnings=(lost, *proposal.warnings),
    )


def _why_no_spare(now: InUse, switch: str) -> str:
    design = now.intended.design
    if not design.spares:
        return f"The design {design.name} has no spare ports"
    return f"No spare of {switch} is free on that side"
