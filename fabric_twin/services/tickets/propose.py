"""Plan a ticket from its wish (`wishes.py`): anew, or again when the world has moved."""

from collections.abc import Sequence

from fabric_twin.core.proposals import proposal as kinds
from fabric_twin.core.proposals.circuits import (
    propose_as_shown,
    propose_as_wanted,
    propose_circuits,
)
from fabric_twin.core.proposals.defragmentation import propose_defragmentation
from fabric_twin.core.proposals.effects import Effect
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.proposals.maintenance import propose_maintenance
from fabric_twin.core.proposals.off_port import REASON, propose_off_port
from fabric_twin.core.proposals.proposal import Proposal
from fabric_twin.core.proposals.return_to_service import propose_return
from fabric_twin.core.proposals.targets import out_of
from fabric_twin.core.proposals.wishes import Wish, check_wish
from fabric_twin.core.slices.shapes import parse_shape
from fabric_twin.core.slots import wished_slots
from fabric_twin.inventory.circuits import circuits_of
from fabric_twin.services.tickets.slice_wish import propose_release, propose_slice


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
    check_wish(kind, wish)
    design, twisted = now.intended.design, wish.get("twisted", False)
    match kind:
        case kinds.SLICE:
            allowed = wished_slots(wish.get("slots"), design.slots)
            shape = parse_shape(wish["shape"], design, twisted=twisted)
            name, bear = wish.get("name") or None, wish.get("bear", 0)
            found = propose_slice(now, shape, name=name, slots=allowed, bear=bear)
        case kinds.RELEASE:
            found = propose_release(now, wish["slice"])
        case kinds.HAND:
            found = propose_circuits(now, circuits_of(wish["circuits"], "wish"))
        case kinds.SPARE:
            device, port = wish["port"]
            found = propose_off_port(
                now,
                (device, port),
                spare=wish.get("spare") or None,
                move=wish.get("move", False),
                reason=wish.get("reason") or REASON,
            )
        case kinds.DEFRAGMENT:
            text = wish.get("shape")
            wished = parse_shape(text, design, twisted=twisted) if text else None
            found = propose_defragmentation(now, wished)
        case kinds.MAINTENANCE:
            out = out_of(now.intended, wish)
            interrupt = wish.get("interrupt", False)
            bear = wish.get("bear", 0)
            found = propose_maintenance(now, out, interrupt=interrupt, bear=bear, effects=effects)
        case kinds.DRIFT:
            asked = wish.get("ports")
            ports = None if asked is None else [(device, port) for device, port in asked]
            found = (propose_as_shown if wish.get("accept") else propose_as_wanted)(now, ports)
        case kinds.RETURN:
            found = propose_return(now, out_of(now.intended, wish), effects)
        case _:
            raise AssertionError(kind)
    return found
