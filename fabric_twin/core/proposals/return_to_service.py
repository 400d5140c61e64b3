"""Bring ports back that were out of service for manual work, and the light that they lack.

a slice stands on ports that return, and lacks circuits there --> they come, checked by light
a slice does without circuits on them                         --> they come alike
a switch that came back empty lost circuits that are wanted   --> they come alike
a slice moved away for the repair                             --> it stays where it is now
"""

from collections.abc import Sequence
from dataclasses import replace

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.plans import Circuit, make_plan_beside
from fabric_twin.core.circuits.rules import check_healthy
from fabric_twin.core.circuits.unhealthy import Unhealthy
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.proposals.effects import Effect
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.proposals.proposal import LOW, RETURN, UNDO, Proposal, Risk
from fabric_twin.core.proposals.targets import Out, Reach, title_of
from fabric_twin.core.slices.slice import Slice, circuit_json

#: How the title of a return begins.
BACK = "Back into service:"
#: Slices that a refusal names.
_MOST = 3
#: What of it a wish names.
_ASKED = ("switches", "ports")


class NothingLacks(NotPossible):
    """What is to be returned is in service, and all that slices want there is made."""


def propose_return(now: InUse, out: Out, effects: Sequence[Effect]) -> Proposal:
    """Put switches, or ports of them, back into service; slices that stand on them get their light.

    A slice that an open ticket makes, releases or moves gets none: its circuits come and go with
    that ticket. Light is checked as with every ticket: what a repair left weak goes out again.
    """
    reach = returned(now.intended, out)
    back = reach.dark
    layout, failed = now.intended.design.layout, now.occupancy.failed_ports - reach.ports
    switches = frozenset(port for port in failed if port >= layout.cube_ports)
    still_out = Reach(now.intended, Out(ports=switches)).dark
    lacking = [circuit for circuit in now.lacking() if not back.isdisjoint(circuit.ports)]
    waiting = sorted({circuit.owner for circuit in lacking} & now.on_the_way)
    lacking = [circuit for circuit in lacking if circuit.owner not in now.on_the_way]
    coming = [c for c in lacking if still_out.isdisjoint(c.ports)]
    if not coming and not effects:
        raise _nothing_to_bring(waiting, len(lacking))
    ports = {port for circuit in coming for port in circuit.ports}
    going = [c for c in now.there if c.key in now.left_over and not ports.isdisjoint(c.ports)]
    stays = [c for c in now.there if c not in going]
    plan = make_plan_beside(stays, going, coming)
    sick = Unhealthy(
        frozenset(now.occupancy.unhealthy), frozenset(now.names.port(port) for port in failed)
    )
    check_healthy(now.intended, plan.add, sick)
    after = now.occupancy.copy()
    for port in reach.ports:
        after.repair_port(port)
    for made in [made for made in after.slices.values() if made.without]:
        after.release(made.name)
        after.add(_with_its_own(made, coming, now))
    owners = tuple(sorted({circuit.owner for circuit in coming}))
    left = len(lacking) - len(coming)
    return Proposal(
        kind=RETURN,
        title=title_of(reach, BACK),
        now=now,
        after=after,
        plan=plan,
        slices=owners,
        owners=owners,
        risk=Risk(LOW, "only circuits that slices lack are added, and only if their light is good")
        if coming
        else Risk(LOW, "no circuit is switched"),
        effects=tuple(effects),
        warnings=(
            *([f"{left} more circuits wait for ports that are still out of service"] * bool(left)),
            *(
                f"{name} gets nothing: an open ticket makes, releases or moves it"
                for name in waiting
            ),
        ),
        wish={key: value for key, value in reach.as_json().items() if key in _ASKED},
        on_failure=UNDO,
    )


def returned(intended: Intended, out: Out) -> Reach:
    """What comes back; nothing at all is refused."""
    if not out.ports and not out.switches:
        raise UnusableInput(
            "no switch or port to return to service is named",
            where="return",
            remedy="Name switches, or ports of switches, that are in maintenance",
        )
    return Reach(intended, out)


def _nothing_to_bring(waiting: Sequence[str], left: int) -> NotPossible:
    """Why nothing can come back: slices wait for a ticket, or for other ports, or lack nothing."""
    if waiting:
        who = ", ".join(waiting[:_MOST])
        more = f" and {len(waiting) - _MOST} more" if len(waiting) > _MOST else ""
        return NotPossible(
            f"slices lack light there, and an open ticket makes, releases or moves {who}{more}",
            where="return",
            remedy="Ask again once that ticket has ended",
        )
    if left:
        return NotPossible(
            f"{left:,} circuits wait for ports that are still out of service",
            where="return",
            remedy="Return these ports too",
        )
    return NothingLacks(
        "they are in service, and no slice lacks light there",
        where="return",
        remedy="Nothing is left to do",
    )


def _with_its_own(made: Slice, coming: Sequence[Circuit], now: InUse) -> Slice:
    """A slice that does without fewer circuits, once those that come are made."""
    there = {circuit.key for circuit in coming}
    rows = [(row, circuit_json(now.names.switches, row)) for row in made.without]
    left = [row for row, named in rows if (named["switch"], named["a"], named["b"]) not in there]
    return replace(made, without=tuple(left))
