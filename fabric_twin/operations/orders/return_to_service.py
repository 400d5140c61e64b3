"""Ports come back: whatever an order's tickets took out of service is brought back after it.

    drain is done --> ports in Maintenance --> manual work --> the order ends
                                                           '--> a ticket, submitted, approved as any

    a switch is dead --> repaired --> it answers --> the same for what slices lack there

Asked for when an order ends and after every audit, so that nothing is forgotten when a worker dies
between the two, or a drain is carried out after its order was withdrawn.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Min, Q
from django.utils import timezone

from fabric_twin.core.circuits.unhealthy import numbers_of
from fabric_twin.core.counted import counted
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.findings.dead_switch import DIED, SWITCH_DOWN, has_died
from fabric_twin.core.findings.life import FREE
from fabric_twin.core.proposals.proposal import MAINTENANCE, RETURN
from fabric_twin.core.tickets.life import State
from fabric_twin.models import (
    Finding,
    OrderEvent,
    Pod,
    Reservation,
    Ticket,
    WorkOrder,
)
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.models.ticket import ENDED
from fabric_twin.models.work_order import ENDED as ORDER_ENDED
from fabric_twin.operations.orders.history import AGREES, ANSWERS, say, say_once
from fabric_twin.operations.orders.record import core_of, held
from fabric_twin.operations.orders.request_tickets import drop_needs
from fabric_twin.operations.slices.occupancy import read_in_use
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.terms import Terms
from fabric_twin.operations.tickets.lifecycle import submit
from fabric_twin.repositories.pod_lock import hold_pod
from fabric_twin.repositories.pod_record import DOWN, PodRecord, names_of
from fabric_twin.repositories.ports_out import MAINTAINED
from fabric_twin.repositories.reservations import port_names

#: A switch, and a port of it as a cut sheet names it.
Port = tuple[str, str]
#: The lines of history that say so, and that a switch that was dead is back.
_SAID, _BACK = "return", "back"
#: For how long an order asks again for what a switch lacks that answers; and its last line.
_OF_LATE = timedelta(days=1)
_NO_MORE = "the order asks no more; make a ticket that returns the switch, on its page"
#: What is said before the reason why some do not come back.
_STAY = "ports stay in maintenance"


def after_order(key: UUID) -> None:
    """After an order ends: withdraw the tickets it waits for, return its ports to service."""
    order = WorkOrder.objects.select_related("pod", "author").get(pk=key)
    if gone := drop_needs(order, None):
        with transaction.atomic():
            say(held(order), "ticket", f"withdrawn: {', '.join(gone)}"[:255])
    bring_back(order.pod_id)


def bring_back(pod: UUID) -> list[Ticket]:
    """Ask for tickets that bring back what orders that have ended left out of service, and what
    slices lack on switches that were dead and that an order mended.
    """
    there = Pod.objects.get(pk=pod)
    asked = [_ask_for_ports(order, ports) for order, ports in _ports_left(there).items()]
    asked += [_ask_for_switch(back) for back in _answer_again(there)]
    return [ticket for ticket in asked if ticket]


def _ports_left(pod: Pod) -> dict[WorkOrder, set[Port]]:
    """Ports that are out of service for orders that have ended, and that nobody brings back."""
    if not (out := _out(pod)):
        return {}
    drained = _drained(pod) & out
    return _by_order(pod, drained - _needed(pod) - _coming_back(pod, drained))


def still_out(order: WorkOrder) -> list[Port]:
    """Ports that an order's tickets took out of service, and that are out now."""
    mine = _taken_out(order.tickets.filter(kind=MAINTENANCE, state=State.DONE))
    return sorted(mine & _out(order.pod)) if mine else []


def _ask_for_ports(order: WorkOrder, ports: set[Port]) -> Ticket | None:
    """Once after each drain: what became of that ticket, people decided."""
    asked = _asked_since_drain(order)
    for ticket in {asked[port] for port in ports & asked.keys()}:
        if ticket.state != State.DONE:
            say_once(order, _SAID, f"{_STAY}: {ticket} is {ticket.state}; {_NO_MORE}")
    if not (left := ports - asked.keys()):
        return None
    try:
        return _ask(order, left)
    except FabricTwinError as refusal:
        say_once(order, _SAID, f"{_STAY}: {refusal}")
        return None


def _asked_since_drain(order: WorkOrder) -> dict[Port, Ticket]:
    """By port, the ticket by which the order has asked for it since it was last drained."""
    found: dict[Port, Ticket] = {}
    drained = Q(kind=MAINTENANCE, state=State.DONE)
    rows = order.tickets.filter(drained | Q(kind=RETURN)).order_by("number", "revision")
    for ticket in rows.select_related("pod"):
        if ticket.kind == RETURN:
            ports = ((switch, port) for switch, port in ticket.wish.get("ports", ()))
            found |= dict.fromkeys(ports, ticket)
        else:
            for port in _taken_out([ticket]):
                found.pop(port, None)
    return found


def _ask_for_switch(back: "_Back") -> Ticket | None:
    """What slices lack on a switch, or a word that they lack nothing; once for each death.

    What cannot be asked for within a day is left to people, and the last line says so.
    """
    order, switch = back.order, back.switch
    lost = Finding.objects.filter(
        pod=order.pod, code="circuit-missing", state__in=FREE, places__device__name=switch
    )
    ticket = None
    try:
        with transaction.atomic():
            hold_pod(order.pod, order.author)
            held(order)
            if back.is_said:
                return None
            lacks = _lacking(back)
            if lacks.ports:
                ticket = _ask(order, lacks.ports, lost.first())
            if not lacks.why:
                brings = f"{ticket} brings back what slices lack"
                say(order, _BACK, f"{switch}: {brings if ticket else lacks.told}")
            why = lacks.why
    except FabricTwinError as refusal:
        why = str(refusal)
    if why and not ticket:
        said = f"{switch} is back, and what slices lack there is not: {why}"
        say_once(order, _SAID, said)
        # While the order is open, it may hold these ports itself.
        if order.ended and max(back.at, order.ended) < timezone.now() - _OF_LATE:
            with transaction.atomic():
                say(held(order), _BACK, f"{switch}: {_NO_MORE}")
    return ticket


@dataclass(frozen=True)
class _Back:
    """A switch that was dead, and the order that mended it."""

    order: WorkOrder
    switch: str
    #: The key of its finding, since when it was dead, and when the order saw that it is not.
    finding: str
    since: datetime
    at: datetime

    @property
    def is_said(self) -> bool:
        """Whether the order has spoken of this death."""
        said = OrderEvent.objects.filter(order=self.order, what=_BACK, at__gte=self.since)
        return bool(said.filter(said__startswith=f"{self.switch}: ").exists())


@dataclass(frozen=True)
class _Lacking:
    """The ports of what slices lack on a switch, and why others wait; empty: none does."""

    ports: frozenset[Port] = frozenset()
    why: str = ""
    #: What the order says where there is nothing to ask for.
    told: str = "every circuit that is wanted there is made"


def _answer_again(pod: Pod) -> Iterator[_Back]:
    """Switches that were dead and that an order mended, of which it has not spoken yet.

    Three queries, however many there are.
    """
    mended = Finding.objects.filter(
        Q(code=SWITCH_DOWN) | Q(evidence_now__has_key=DIED),
        pod=pod,
        state=FindingStateChoices.MENDED,
        work_orders__isnull=False,
        places__number=0,
        places__device__isnull=False,
    )
    columns = "key", "code", "evidence_now", "opened", "places__device__name"
    died = {
        key: (since, switch)
        for key, code, evidence, since, switch in mended.distinct().values_list(*columns)
        if has_died(code, evidence)
    }
    if not died:
        return
    events = OrderEvent.objects.filter(
        order__findings__key__in=died, order__pod=pod, what__in=(AGREES, ANSWERS, _BACK)
    ).distinct()
    lines = list(events.order_by("at", "number").values_list("order", "what", "said", "at"))
    ends: dict[str, tuple[UUID, datetime]] = {}
    for key, (since, switch) in died.items():
        for order, what, said, at in lines:
            if at >= since and what != _BACK and said.startswith(key):
                ends[key] = order, at
            elif at >= since and said.startswith(f"{switch}: ") and key in ends:
                del ends[key]
    orders = WorkOrder.objects.select_related("pod", "author").in_bulk(
        {order for order, _ in ends.values()}
    )
    for key, (order, at) in sorted(ends.items()):
        since, switch = died[key]
        yield _Back(orders[order], switch, key, since, at)


def _lacking(back: _Back) -> _Lacking:
    """What slices want on a switch and it does not show, and that nothing else keeps dark.

    Only these ports come back: not a board that is out by a ticket of its own.
    """
    now, record = read_in_use(back.order.pod)
    lost = [circuit for circuit in now.lacking() if circuit.switch == back.switch]
    if not lost:
        return _Lacking()
    [down] = [state for _, name, state in record.switches.values() if name == back.switch]
    if down in DOWN:
        return _Lacking(why=f"it is in {down}")
    ports_of = {
        circuit.key: {n for end in circuit.ports for n in numbers_of(now.names, end)}
        for circuit in lost
    }
    numbers = set[int]().union(*ports_of.values())
    named = {now.names.port(number): number for number in numbers}
    drained = {named[port] for port in named.keys() & still_out(back.order)}
    lost = [c for c in lost if not ports_of[c.key] <= drained]
    if not lost:
        return _Lacking(told="it comes back with the ports that were drained")
    told, ports = _asked(back, named.keys())
    asked = {named[port] for port in ports}
    lost = [c for c in lost if not ports_of[c.key] <= asked]
    kept = _needed(back.order.pod, back.finding) | _coming_back(back.order.pod, set(named))
    shut = {named[port] for port in kept & named.keys()} | now.occupancy.failed_ports
    mate = now.intended.mate
    free = [c for c in lost if shut.isdisjoint(n for p in ports_of[c.key] for n in (p, mate[p]))]
    coming = [c for c in free if c.owner not in now.on_the_way]
    why = ""
    if many := len(lost) - len(free):
        held = counted(many, "circuit")
        why = f"other work holds the ports of {held}, or they are out of service"
    if len(coming) < len(free):  # many may read it: it names no slice
        why = "an open ticket makes, releases or moves a slice that has circuits there"
    wish = frozenset(now.names.port(n) for c in coming for n in ports_of[c.key])
    return _Lacking(wish, why, told)


def _asked(back: _Back, lacking: Collection[Port]) -> tuple[str, set[Port]]:
    """Which of some ports the order has asked for since, and what it says of that; a ticket that
    was withdrawn is not asked for again.
    """
    rows = back.order.tickets.filter(kind=RETURN).annotate(made=Min("events__at"))
    found: set[Port] = set()
    gone = brings = ""
    for ticket in rows.filter(made__gte=back.since).order_by("number", "revision"):
        ports = {(switch, port) for switch, port in ticket.wish.get("ports", ())} & set(lacking)
        found |= ports
        if ports and (ticket.is_open or ticket.state == State.DONE):
            brings = f"{ticket} brings back what slices lack"
        elif ports:
            gone = f"{ticket} is {ticket.state}; {_NO_MORE}"
    return gone or brings, found


def _ask(order: WorkOrder, ports: Iterable[Port], finding: Finding | None = None) -> Ticket:
    """A ticket of an order's author, submitted; where it cannot be, the order says why."""
    terms = Terms(reason=f"After work order {order}: {order.title}"[:255])
    wish = {"ports": [list(port) for port in sorted(ports)]}
    with transaction.atomic():
        ticket = wish_ticket(order.pod, RETURN, wish, order.author, terms, finding=finding)
        order.tickets.add(ticket)
        say(held(order), _SAID, f"{ticket}: {ticket.title}")
        try:
            with transaction.atomic():
                return submit(ticket, None, ticket.reason)
        except FabricTwinError as refusal:
            say_once(order, _SAID, f"{ticket} is a draft still: {refusal}")
            return ticket


def _out(pod: Pod) -> set[Port]:
    rows = pod.ports.filter(switch__isnull=False, interface__status__name=MAINTAINED)
    numbers = list(rows.order_by().values_list("number", flat=True))
    names = names_of(PodRecord(pod)) if numbers else None
    return {names.port(number) for number in numbers} if names else set()


def _drained(pod: Pod) -> set[Port]:
    """What orders' tickets have taken out of service."""
    rows = Ticket.objects.filter(pod=pod, kind=MAINTENANCE, state=State.DONE)
    return _taken_out(rows.filter(work_orders__isnull=False).distinct())


def _taken_out(tickets: Iterable[Ticket]) -> set[Port]:
    return {
        (one["switch"], port)
        for ticket in tickets
        for one in ticket.plan.get("effects", ())
        if one["do"] == "set-port-status" and one["to"] == MAINTAINED
        for port in one["ports"]
    }


def _needed(pod: Pod, mended: str = "") -> set[Port]:
    """Ports that open orders still need dark, but for a `mended` finding, and what they hold."""
    found: set[Port] = set()
    for order in WorkOrder.objects.filter(pod=pod).exclude(state__in=ORDER_ENDED):
        needs = (need for need in core_of(order).needs if mended not in need.findings)
        found.update(end for need in needs for end in need.ports)
    simple = port_names(Reservation.objects.filter(switch__pod=pod, order__isnull=False))
    return found | simple | {(switch, port[:-1]) for switch, port in simple}


def _coming_back(pod: Pod, out: set[Port]) -> set[Port]:
    """Those of some ports that an open ticket brings back, alone or with their switch."""
    rows = Ticket.objects.filter(pod=pod, kind=RETURN).exclude(state__in=ENDED)
    wishes = list(rows.values_list("wish", flat=True))
    ports = {(switch, port) for wish in wishes for switch, port in wish.get("ports", ())}
    switches = {name for wish in wishes for name in wish.get("switches", ())}
    return {port for port in out if port in ports or port[0] in switches}


def _by_order(pod: Pod, left: set[Port]) -> dict[WorkOrder, set[Port]]:
    """Ports by the newest order whose ticket took them out."""
    found: dict[WorkOrder, set[Port]] = defaultdict(set)
    orders = WorkOrder.objects.filter(pod=pod, state__in=ORDER_ENDED, tickets__isnull=False)
    for order in orders.select_related("pod", "author").distinct().order_by("-number"):
        mine = left & _taken_out(order.tickets.filter(kind=MAINTENANCE, state=State.DONE))
        if mine:
            found[order] = mine
            left = left - mine
    return found
