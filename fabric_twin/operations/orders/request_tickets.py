"""What must be so before work begins, or before an order closes: tickets for what optics can do.

drain        maintenance: no circuit on the ports to be worked on; they come back by themselves
circuits     drift: what the switches show becomes what is wanted
substitute   spare: once no circuit is on the port, the spare stands in for it
record       no ticket: `reports/correct_records.py`
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError, NotPossible
from fabric_twin.core.orders.order import Need
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.proposals.proposal import DRIFT, MAINTENANCE, RETURN, SPARE
from fabric_twin.models import Ticket, WorkOrder
from fabric_twin.models.ticket import ENDED
from fabric_twin.operations.orders.history import say
from fabric_twin.operations.orders.record import core_of, held_by
from fabric_twin.operations.orders.unmet_needs import CIRCUITS, DRAIN, RECORD, SUBSTITUTE, waits
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.lifecycle import withdraw
from fabric_twin.repositories.pod_lock import hold_pod
from fabric_twin.repositories.reservations import Places, place, release_places

#: Which ticket makes what a step, or a check, needs.
KIND_OF = {DRAIN: MAINTENANCE, CIRCUITS: DRIFT, SUBSTITUTE: SPARE}
#: A wish for a ticket, the needs that it is for, and the ports that the order lends it.
_Asked = tuple[dict[str, Any], Sequence[Need], set[tuple[str, str]]]


def unmet(order: WorkOrder, name: str) -> str:
    """Why a need is not met yet; empty where it is, or where there is none."""
    needs = [need for need in core_of(order).needs if need.name == name]
    why = waits(order, needs).get(name, "")
    if not why:
        return ""
    ticket = ticket_for(order, needs[0])
    return f"{why}, until ticket {ticket} is done" if ticket else why


def ticket_for(order: WorkOrder, need: Need) -> Ticket | None:
    """The newest ticket that is, or was, to make what is needed."""
    rows = order.tickets.filter(kind=KIND_OF.get(need.what, "")).order_by("-number", "-revision")
    if need.what == SUBSTITUTE:
        rows = rows.filter(wish__port=list(need.ports[0]))
    found: Ticket | None = rows.first()
    return found


def ask_for_tickets(order: WorkOrder, user: User, *, interrupt: bool = False) -> list[Ticket]:
    """Make drafts of all tickets that an order waits for and that there are none of yet.

    What waits for another of them, as a spare does for the drain of its port, is asked for later.
    While a drain is open its ports are the ticket's; the order takes them again before work begins.
    Slices are moved elsewhere, or with `interrupt` lose their circuits once they are drained.
    """
    made = _ask(order, user, interrupt=interrupt)
    if not made:
        left = waits(order, [need for need in core_of(order).needs if need.what != RECORD])
        raise NotPossible(
            next(iter(left.values()), "all that it needs is so"),
            where=str(order),
            remedy="Carry out its tickets" if left else "Go on with its steps",
        )
    return made


def _ask(order: WorkOrder, user: User, *, interrupt: bool) -> list[Ticket]:
    with transaction.atomic():
        hold_pod(order.pod, user)
        there = held_by(order, user, "change")
        if not there.is_open:
            raise NotPossible(
                f"the order is {there.state}", where=str(there), remedy="Reopen it first"
            )
        left = waits(there, core_of(there).needs)
        needs = [n for n in core_of(there).needs if n.name in left and not _is_asked(there, n)]
        made = []
        asked = [
            (what, *one)
            for what in KIND_OF
            for one in _wishes(there, what, [n for n in needs if n.what == what], left)
        ]
        for what, wish, of, ports in asked:
            _lend(there, ports)
            more = {"interrupt": interrupt} if what == DRAIN else {}
            ticket = wish_ticket(there.pod, KIND_OF[what], {**wish, **more}, user)
            there.tickets.add(ticket)
            say(there, "ticket", f"{ticket} for {', '.join(n.name for n in of)}"[:255], user)
            made.append(ticket)
    return made


def _is_asked(order: WorkOrder, need: Need) -> bool:
    ticket = ticket_for(order, need)
    return bool(ticket and ticket.is_open)


def _wishes(
    order: WorkOrder, what: str, needs: Sequence[Need], left: Mapping[str, str]
) -> Iterator[_Asked]:
    """The wishes that meet some needs of a kind, and the ports that their tickets will hold."""
    if not needs:
        return
    if what == DRAIN:
        ports = {one for need in needs for end in need.ports for one in simplex(end)}
        yield {"ports": [list(port) for port in sorted(ports)]}, needs, ports
    elif what == CIRCUITS:
        ports = {
            (str(move["switch"]), str(move[side]))
            for need in needs
            for move in need.moves
            for side in ("a", "b")
        }
        yield {"ports": [list(port) for port in sorted(ports)]}, needs, ports
    else:
        still = {finding for name in left for finding in _drained_by(order, name)}
        for need in needs:
            if still.isdisjoint(need.findings):
                switch, _ = need.ports[0]
                ends = (need.ports[0], (switch, need.spare))
                wish = {"port": list(need.ports[0]), "spare": need.spare, "reason": str(order)}
                yield wish, [need], {one for end in ends for one in simplex(end)}


def _drained_by(order: WorkOrder, name: str) -> tuple[str, ...]:
    """The findings whose manual work waits for a drain."""
    needs = (need for need in core_of(order).needs if need.name == name)
    return next((need.findings for need in needs if need.what == DRAIN), ())


def _lend(order: WorkOrder, ports: set[tuple[str, str]]) -> None:
    """Ports are a ticket's while it is open."""
    switches = dict(order.pod.switches.values_list("device__name", "pk"))
    places = frozenset(place(switches[name], port) for name, port in ports if name in switches)
    release_places(order, Places(places))


def drop_needs(order: WorkOrder, user: User | None) -> list[str]:
    """Withdraw the tickets that an order has asked for and that nobody needs any more.

    One that runs already goes on; what it takes out of service comes back by itself.
    """
    rows = order.tickets.exclude(kind=RETURN).exclude(state__in=ENDED).order_by("number")
    gone = []
    for ticket in rows:
        try:
            withdraw(ticket, user, f"work order {order} is {order.state}")
            gone.append(str(ticket))
        except FabricTwinError:
            continue  # it runs
    return gone
