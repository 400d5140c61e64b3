"""Plan a ticket from its wish: anew, or again when the world has moved.

    slice         {"shape": "8x8x16", "twisted": false, "name": "job-a", "slots": "1-64"}
    release       {"slice": "job-a"}
    hand          {"circuits": [{"switch", "a", "b"}]}
    spare         {"port": ["iw1-ocs-x-3-2", "7A"], "spare": null, "move": false, "reason": ""}
    defragment    {"shape": "4x4x8"}
    maintenance   {"switches": [..], "boards": [[switch, 3]], "slots": [7], "interrupt": false}
<<<<<<< HEAD
    drift         {"ports": [["iw1-ocs-x-3-2", "7A"]]}
    return        {"ports": [["iw1-ocs-x-3-2", "7A"]]}
=======
    drift         {"ports": [["iw1-ocs-x-3-2", "7A"]], "accept": false}
>>>>>>> 2eb0a01 (A ticket may accept drift; light that comes back is qualified)

Only the keys that matter need be there. A proposal carries its own wish in this form.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.names import Names
from fabric_twin.core.proposals import proposal as kinds
from fabric_twin.core.proposals.effects import Effect
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.proposals.out import Out
from fabric_twin.core.proposals.proposal import Proposal
from fabric_twin.core.shapes import Shape, parse_shape
from fabric_twin.core.slots import parse_slots
from fabric_twin.core.unhealthy import numbers_of
from fabric_twin.inventory.circuits import circuits_of
from fabric_twin.services.bring_back import propose_return
from fabric_twin.services.bring_together import propose_defragmentation
from fabric_twin.services.leave_port import REASON, propose_off_port
from fabric_twin.services.maintain import propose_maintenance
from fabric_twin.services.rewire import propose_as_shown, propose_as_wanted, propose_circuits
from fabric_twin.services.wish import propose_release, propose_slice

Wish = Mapping[str, Any]


def propose(
    now: InUse,
    kind: str,
    wish: Wish,
    *,
    effects: Sequence[Effect] = (),
) -> Proposal:
    """What a wish of some kind would change, as things stand now.

    `effects` are what else it takes out of service in the records, or brings back.
    """
    try:
        return _propose(now, kind, wish, effects)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UnusableInput(
            f"the wish cannot be read ({type(error).__name__}: {error})",
            where=f"wish for {kind[:20]}",
            remedy="Write it as the documentation has it",
        ) from error


def _propose(now: InUse, kind: str, wish: Wish, effects: Sequence[Effect]) -> Proposal:
    match kind:
        case kinds.SLICE:
            allowed = _slots(now, wish.get("slots"))
            shape = _shape(now, wish)
            found = propose_slice(now, shape, name=wish.get("name") or None, slots=allowed)
        case kinds.RELEASE:
            found = propose_release(now, str(wish["slice"]))
        case kinds.HAND:
            found = propose_circuits(now, circuits_of(wish["circuits"], "wish"))
        case kinds.SPARE:
            device, port = wish["port"]
            found = propose_off_port(
                now,
                (device, port),
                spare=wish.get("spare") or None,
                move=bool(wish.get("move")),
                reason=wish.get("reason") or REASON,
            )
        case kinds.DEFRAGMENT:
            found = propose_defragmentation(now, _shape(now, wish) if wish.get("shape") else None)
        case kinds.MAINTENANCE:
            out = out_of(now.names, wish)
            interrupt = bool(wish.get("interrupt"))
            found = propose_maintenance(now, out, interrupt=interrupt, effects=effects)
        case kinds.DRIFT:
            asked = wish.get("ports")
            ports = None if asked is None else [(device, port) for device, port in asked]
            found = (propose_as_shown if wish.get("accept") else propose_as_wanted)(now, ports)
        case kinds.RETURN:
            found = propose_return(now, out_of(now.names, wish), effects)
        case _:
            raise UnusableInput(
                f"there is no kind of ticket {kind[:20]!r}",
                where="kind",
                remedy="Use slice, release, hand, spare, defragment, maintenance, drift or return",
            )
    return found


def _shape(now: InUse, wish: Wish) -> Shape:
    twisted = bool(wish.get("twisted"))
    return parse_shape(str(wish["shape"]), now.intended.design, twisted=twisted)


def _slots(now: InUse, slots: str | Sequence[int] | None) -> tuple[int, ...] | None:
    """Slots as people write them, or one by one; all where there is nothing."""
    if not slots:
        return None
    text = slots if isinstance(slots, str) else ",".join(map(str, slots))
    return parse_slots(text, now.intended.design.slots)


def out_of(names: Names, wish: Wish) -> Out:
    """What a wish takes out of service, by number."""
    switches = names.switches

    def switch(name: str) -> int:
        for whole in (name, f"{names.pod}-{name}", f"{names.pod}-ocs-{name}"):
            if whole in switches:
                return switches.index(whole)
        near = next(iter(switches), "")
        raise UnusableInput(
            f"the pod {names.pod} has no switch {name[:60]!r}",
            where="maintenance",
            remedy=f"Name one like {near}" if near else "This design has no switches",
        )

    ports = [
        number for device, port in wish.get("ports", ()) for number in _ports(names, device, port)
    ]
    return Out(
        switches=frozenset(switch(name) for name in wish.get("switches", ())),
        boards=frozenset((switch(name), int(board)) for name, board in wish.get("boards", ())),
        slots=frozenset(int(slot) for slot in wish.get("slots", ())),
        ports=frozenset(ports),
    )


def _ports(names: Names, device: str, port: str) -> list[int]:
    found = [n for n in numbers_of(names, (device, port)) if n >= names.layout.cube_ports]
    if not found:
        raise UnusableInput(
            f"the pod has no port {port[:40]!r} of a switch {device[:60]!r}",
            where="maintenance",
            remedy="Name a switch and a port as a cut sheet does",
        )
    return found
