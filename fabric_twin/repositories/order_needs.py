"""What must be so before hands come: drained slices, spares that stand in, records put right."""

from typing import Any

from django.db import transaction

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.proposals.proposal import MAINTENANCE
from fabric_twin.models import Ticket, WorkOrder
from fabric_twin.repositories.drains import busy
from fabric_twin.repositories.order_rows import core_of, held_by, say
from fabric_twin.repositories.reservations import Places, give_back, place
from fabric_twin.repositories.ticket_wishes import wish_ticket
from fabric_twin.repositories.tickets import Terms, hold_pod


def unmet(order: WorkOrder, name: str) -> str:
    """Why a need is not met yet; empty where it is, or where there is none."""
    needs = [need for need in core_of(order).needs if need.name == name]
    why = busy(order, needs).get(name, "")
    if not why:
        return ""
    ticket = order.tickets.order_by("-number", "-revision").first()
    return f"{why}, until ticket {ticket} is done" if ticket else why


def ask_for_drain(
    order: WorkOrder, user: Any, *, interrupt: bool = False, terms: Terms | None = None
) -> Ticket:
    """Make the draft of the ticket that takes circuits off the ports where hands will be.

    While it is open the ports are the ticket's; the order takes them again before hands come.
    Slices are moved elsewhere, or with `interrupt` lose their circuits once they are drained.
    """
    with transaction.atomic():
        hold_pod(order.pod, user)
        there = held_by(order, user, "change")
        needs = [need for need in core_of(there).needs if unmet(there, need.name)]
        ports = sorted({one for need in needs for end in need.ports for one in simplex(end)})
        if not ports:
            raise NotPossible(
                "no circuit is where its hands will be",
                where=str(there),
                remedy="Go on with its steps",
            )
        switches = dict(there.pod.switches.values_list("device__name", "pk"))
        places = frozenset(place(switches[name], port) for name, port in ports if name in switches)
        give_back(there, Places(places))
        wish = {"ports": [list(port) for port in ports], "interrupt": interrupt}
        ticket = wish_ticket(there.pod, MAINTENANCE, wish, user, terms)
        there.tickets.add(ticket)
        say(there, "ticket", str(ticket), user)
    return ticket
