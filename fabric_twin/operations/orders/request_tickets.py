"""What must be so before work begins, or before an order closes: tickets for what optics can do.

drain        maintenance: no circuit on the ports to be worked on; they come back by themselves.
             None while the switch is dead: nothing could be read back from it
circuits     drift: what the switches show becomes what is wanted
substitute   spare: once no circuit is on the port, the spare stands in for it
record       no ticket: `reports/correct_records.py`
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db import transaction
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError, NotPossible
from fabric_twin.core.orders.impact import Impact
from fabric_twin.core.orders.order import Kind, Need
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.proposals.maintenance import REPAIR_IT, SILENT
from fabric_twin.core.proposals.proposal import DRIFT, MAINTENANCE, RETURN, SPARE
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Ticket, WorkOrder
from fabric_twin.models.ticket import ENDED
from fabric_twin.operations.orders.drain_impact import (
    drain_choices,
    drain_impact,
    drain_wish,
    names_seen,
    ports_to_drain,
    wanted_dark,
)
from fabric_twin.operations.orders.history import say, say_once
from fabric_twin.operations.orders.record import core_of, held_by
from fabric_twin.operations.orders.unmet_needs import CIRCUITS, DRAIN, RECORD, SUBSTITUTE, waits
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.terms import Terms
from fabric_twin.operations.tickets.lifecycle import submit, withdraw
from fabric_twin.repositories.pod_lock import hold_pod
from fabric_twin.repositories.ports_out import dead_switches
from fabric_twin.repositories.reservations import Places, cubes_at, keys_of, place, release_places

#: Which ticket makes what a step, or a check, needs.
KIND_OF = {DRAIN: MAINTENANCE, CIRCUITS: DRIFT, SUBSTITUTE: SPARE}
#: A wish for a ticket, the needs that it is for, and the ports that the order lends it.
_Asked = tuple[dict[str, Any], Sequence[Need], set[tuple[str, str]]]


def unmet(order: WorkOrder, name: str, dead: Collection[str] | None = None) -> str:
    """Why a need is not met yet; empty where it is, or where there is none.

    Where switches were just looked at, only those of them that are still `dead` are.
    """
    needs = [need for need in core_of(order).needs if need.name == name]
    why = waits(order, needs, dead=dead).get(name, "")
    if not why:
        return ""
    ticket = ticket_for(order, needs[0])
    return f"{why}, until ticket {ticket} is done" if ticket else why


def ticket_for(order: WorkOrder, need: Need) -> Ticket | None:
    """The newest ticket that is, or was, to make what is needed."""
    return tickets_for(order, [need]).get(need.name)


def tickets_for(order: WorkOrder, needs: Iterable[Need]) -> dict[str, Ticket]:
    """By the name of each need that has one: its newest ticket."""
    rows = (
        order.tickets.select_related("pod", "author").defer("blast").order_by("number", "revision")
    )
    of: dict[tuple[str, Any], Ticket] = {}
    for ticket in rows:
        port = tuple(ticket.wish.get("port") or ()) if ticket.kind == SPARE else ()
        of[ticket.kind, port] = ticket
    found = {need.name: of.get((KIND_OF.get(need.what, ""), _port_of(need))) for need in needs}
    return {name: ticket for name, ticket in found.items() if ticket}


def _port_of(need: Need) -> tuple[str, ...]:
    """The port that a ticket of its own is about; drains and circuits share one."""
    return need.ports[0] if need.what == SUBSTITUTE else ()


def ask_for_tickets(
    order: WorkOrder,
    user: User,
    *,
    interrupt: bool = False,
    bear: bool = False,
    submitted: bool = False,
) -> list[Ticket]:
    """Make drafts of all tickets that an order waits for and that there are none of yet.

    What waits for another of them, as a spare does for the drain of its port, is asked for later.
    While a drain is open its ports are the ticket's; the order takes them again before work begins.
    With `bear`, slices stay that then lack no more switches at a join than the pod allows. Others
    are moved elsewhere; with `interrupt` those that cannot move lose their circuits once
    they are drained, and without it a drain that would leave some is refused. With `submitted` all
    drafts of the order are submitted, also those that were made before.
    """
    with transaction.atomic():
        made = _ask(order, user, interrupt=interrupt, bear=order.pod.bear if bear else 0)
        if submitted:
            drafts = order.tickets.filter(state=State.DRAFT).order_by("number", "revision")
            made = [submit(draft, user, f"For work order {order}") for draft in drafts]
    if not made:
        needs = [need for need in core_of(order).needs if need.what != RECORD]
        left = waits(order, needs, user)
        if dead := _on_dead_switches(order, [need for need in needs if need.name in left]):
            where = min(dead.values())
            raise NotPossible(SILENT.format(where), where=str(order), remedy=REPAIR_IT)
        raise NotPossible(
            next(iter(left.values()), "all that it needs is so"),
            where=str(order),
            remedy="Carry out its tickets" if left else "Go on with its steps",
        )
    return made


def can_ask(order: WorkOrder) -> bool:
    """Whether a ticket of an order is to be made, or a draft of one to be submitted."""
    kinds = {need["what"] for need in order.facts.get("needs", ())}
    if not order.is_open or kinds.isdisjoint(KIND_OF):
        return False
    return bool(_to_ask(order)) or order.tickets.filter(state=State.DRAFT).exists()


def impact_before_asking(order: WorkOrder, *, bear: bool = False) -> Impact:
    """What the drains that nobody asked for yet would do to slices, which may `bear` them.

    Without, it says what each slice would keep that the pod lets bear it.
    """
    needs = _unasked(order)
    switches = dict(order.pod.switches.values_list("device__name", "pk"))
    dark = wanted_dark(needs)
    ports = {place(switches[name], port) for name, port in dark if name in switches}
    lent = keys_of(order, Places(frozenset(ports)))
    if not bear:
        return drain_choices(order.pod, core_of(order), needs, lent)
    return drain_impact(order.pod, core_of(order), needs, lent, bear=order.pod.bear)


def ask_what_follows(order: WorkOrder) -> list[Ticket]:
    """Ask once for what had to wait for a drain that is done by now, as the order's author would.

    Where a ticket was withdrawn, or has ended without what is needed, a person asks again.
    """
    drained = order.tickets.filter(kind=MAINTENANCE, state=State.DONE)
    if not order.is_open or not _never_asked(order) or not drained.exists():
        return []
    try:
        with transaction.atomic():
            return [
                submit(ticket, order.author, f"For work order {order}")
                for ticket in _ask(order, order.author, interrupt=False, follows=True)
            ]
    except FabricTwinError as refusal:
        say_once(order, "ticket", f"its next tickets cannot be asked for: {refusal}"[:255])
        return []


def _to_ask(order: WorkOrder) -> list[Need]:
    """Needs that are not met, that no open ticket is about to meet, and that a ticket can meet."""
    needs = _unasked(order)
    dead = _on_dead_switches(order, needs)
    return [need for need in needs if need.name not in dead]


def _on_dead_switches(order: WorkOrder, needs: Sequence[Need]) -> dict[str, str]:
    """Drains that lie wholly on dead switches, by name, and one of these: none can be read back."""
    drains = [need for need in needs if need.what == DRAIN]
    dead = set(dead_switches(order.pod_id).values()) if drains else set()
    return {
        need.name: need.ports[0][0]
        for need in drains
        if need.ports and {switch for switch, _ in need.ports} <= dead
    }


def _unasked(order: WorkOrder) -> list[Need]:
    """Needs that are not met, and that no open ticket is about to meet."""
    needs = [need for need in core_of(order).needs if need.what in KIND_OF]
    left = waits(order, needs) if needs else {}
    asked = {name for name, ticket in tickets_for(order, needs).items() if ticket.is_open}
    return [need for need in needs if need.name in left and need.name not in asked]


def _never_asked(order: WorkOrder) -> list[Need]:
    """Needs for spares that no ticket was made for yet, open or ended."""
    needs = [need for need in _to_ask(order) if need.what == SUBSTITUTE]
    had = tickets_for(order, needs) if needs else {}
    return [need for need in needs if need.name not in had]


def _ask(
    order: WorkOrder, user: User, *, interrupt: bool, bear: int = 0, follows: bool = False
) -> list[Ticket]:
    with transaction.atomic():
        hold_pod(order.pod, user)
        there = held_by(order, user, "change")
        if not there.is_open:
            raise NotPossible(
                f"the order is {there.state}", where=str(there), remedy="Reopen it first"
            )
        left = waits(there, core_of(there).needs)
        needs = _never_asked(there) if follows else _to_ask(there)
        terms = Terms(reason=f"For work order {there}: {there.title}"[:255])
        made = []
        asked = [
            (what, *one)
            for what in KIND_OF
            for mine in ([need for need in needs if need.what == what],)
            for one in _wishes(there, what, mine, left, interrupt=interrupt, bear=bear)
        ]
        for what, wish, of, ports in asked:
            if what == DRAIN:  # the order's own ports at a dead switch keep no slice from moving
                ports |= set(wanted_dark(_unasked(there)))
            # The ticket that moves a slice off the cube needs the cube until it is done.
            goes = what == DRAIN and there.kind == Kind.DECOMMISSION
            _lend(there, ports, there.facts["slots"] if goes else ())
            if what == DRAIN:
                impact = drain_impact(there.pod, core_of(there), of, bear=bear)
                seen = names_seen(there.pod, impact, user)
                impact.check(str(there), interrupt=interrupt, seen=seen)
            ticket = wish_ticket(there.pod, KIND_OF[what], wish, user, terms)
            there.tickets.add(ticket)
            say(there, "ticket", f"{ticket} for {', '.join(n.name for n in of)}"[:255], user)
            made.append(ticket)
    return made


def _wishes(
    order: WorkOrder,
    what: str,
    needs: Sequence[Need],
    left: Mapping[str, str],
    *,
    interrupt: bool,
    bear: int,
) -> Iterator[_Asked]:
    """The wishes that meet some needs of a kind, and the ports that their tickets will hold."""
    if not needs:
        return
    if what == DRAIN:
        if not (to_drain := ports_to_drain(needs, dead_switches(order.pod_id))):
            return
        wish = drain_wish(order.pod, to_drain, interrupt=interrupt, bear=bear)
        yield wish, needs, set(wanted_dark(needs))
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


def _lend(order: WorkOrder, ports: set[tuple[str, str]], slots: Collection[int] = ()) -> None:
    """Ports, and cubes that go, are a ticket's while it is open."""
    switches = dict(order.pod.switches.values_list("device__name", "pk"))
    places = frozenset(place(switches[name], port) for name, port in ports if name in switches)
    release_places(order, Places(places, cubes_at(order.pod, slots)))


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
