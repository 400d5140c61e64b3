"""Ports come back: whatever an order's tickets took out of service is brought back after it.

    drain is done --> ports in Maintenance --> manual work --> the order ends
                                                           '--> a ticket, submitted, approved as any

    a switch is dead --> repaired --> it answers --> the same for what slices lack there

Asked for when an order ends and after every audit, so that nothing is forgotten when a worker dies
between the two, or a drain is carried out after its order was withdrawn.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.findings.dead_switch import SWITCH_DOWN, is_dead
from fabric_twin.core.findings.life import FREE
from fabric_twin.core.orders.life import StepIs
from fabric_twin.core.orders.steps import Do
from fabric_twin.core.proposals.proposal import MAINTENANCE, RETURN
from fabric_twin.core.proposals.return_to_service import NothingLacks
from fabric_twin.core.tickets.life import State
from fabric_twin.models import (
    Finding,
    OrderEvent,
    OrderStep,
    Pod,
    Reservation,
    Ticket,
    WorkOrder,
)
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.models.ticket import ENDED
from fabric_twin.models.work_order import ENDED as ORDER_ENDED
from fabric_twin.operations.orders.history import say
from fabric_twin.operations.orders.record import core_of, held
from fabric_twin.operations.orders.request_tickets import drop_needs
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.terms import Terms
from fabric_twin.operations.tickets.lifecycle import submit
from fabric_twin.repositories.pod_record import PodRecord, names_of
from fabric_twin.repositories.ports_out import MAINTAINED
from fabric_twin.repositories.reservations import port_names

#: A switch, and a port of it as a cut sheet names it.
Port = tuple[str, str]
#: The lines of history that say so, and that a switch that was dead is back.
_SAID, _BACK = "return", "back"
#: For how long a switch that answers again is news.
_OF_LATE = timedelta(days=1)


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
    asked += [_ask_for_switch(order, switch) for order, switch in _answer_again(there)]
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


def _ask_for_ports(order: WorkOrder, ports: Iterable[Port]) -> Ticket | None:
    try:
        return _ask(order, {"ports": [list(port) for port in sorted(ports)]})
    except FabricTwinError as refusal:
        _say_once(order, f"ports stay in maintenance: {refusal}")
        return None


def _ask_for_switch(order: WorkOrder, switch: str) -> Ticket | None:
    """What slices lack on a switch, or a word that they lack nothing; once for an order."""
    lost = Finding.objects.filter(
        pod=order.pod, code="circuit-missing", state__in=FREE, places__device__name=switch
    )
    try:
        ticket = _ask(order, {"switches": [switch]}, lost.first())
        said = f"{ticket} brings back what slices lack"
    except NothingLacks:
        ticket, said = None, "no slice lacks a circuit there"
    except FabricTwinError as refusal:
        _say_once(order, f"{switch} is back, and what slices lack there is not: {refusal}")
        return None
    with transaction.atomic():
        say(held(order), _BACK, f"{switch}: {said}")
    return ticket


def _answer_again(pod: Pod) -> Iterator[tuple[WorkOrder, str]]:
    """Switches that were dead and that an order mended of late, of which it has not spoken yet.

    Those that its tickets drained come back with their ports.
    """
    of_late = Q(mended_at__gte=timezone.now() - _OF_LATE, state=FindingStateChoices.MENDED)
    mended = Finding.objects.filter(of_late, pod=pod, code=SWITCH_DOWN, work_orders__isnull=False)
    rows = mended.filter(places__device__isnull=False).order_by("key").distinct()
    for key, evidence, switch in rows.values_list("key", "evidence_now", "places__device__name"):
        checks = OrderStep.objects.filter(order__pod=pod, bundle=key, do=Do.CHECK)
        last = checks.filter(state=StepIs.VERIFIED).order_by("-order__number").first()
        if last is None or not is_dead(SWITCH_DOWN, evidence):
            continue
        order = WorkOrder.objects.select_related("pod", "author").get(pk=last.order_id)
        spoken = OrderEvent.objects.filter(order=order, what=_BACK, said__startswith=f"{switch}: ")
        drained = _taken_out(order.tickets.filter(kind=MAINTENANCE, state=State.DONE))
        if not spoken.exists() and switch not in {name for name, _ in drained}:
            yield order, switch


def _ask(order: WorkOrder, wish: dict[str, Any], finding: Finding | None = None) -> Ticket:
    """A ticket of an order's author, submitted; where it cannot be, the order says why."""
    terms = Terms(reason=f"After work order {order}: {order.title}"[:255])
    with transaction.atomic():
        ticket = wish_ticket(order.pod, RETURN, wish, order.author, terms, finding=finding)
        order.tickets.add(ticket)
        say(held(order), _SAID, f"{ticket}: {ticket.title}")
    try:
        ticket = submit(ticket, None, ticket.reason)
    except FabricTwinError as refusal:
        _say_once(order, f"{ticket} is a draft still: {refusal}")
    return ticket


def _say_once(order: WorkOrder, what: str) -> None:
    with transaction.atomic():
        there = held(order)
        last = OrderEvent.objects.filter(order=there, what=_SAID).order_by("-number").first()
        if last is None or last.said != what:
            say(there, _SAID, what)


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


def _needed(pod: Pod) -> set[Port]:
    """Ports that open orders still need dark, and what they hold."""
    found: set[Port] = set()
    for order in WorkOrder.objects.filter(pod=pod).exclude(state__in=ORDER_ENDED):
        found.update(end for need in core_of(order).needs for end in need.ports)
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
