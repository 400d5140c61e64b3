"""Of which slices somebody confirms that they run nothing, or can bear it, before a ticket begins.

on the way forward    those that lose links in a stage, are released, or move
on the way back       those that get their circuits from it, or stand where it put them
"""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.tickets import drains
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Slice, Ticket, TicketDrain
from fabric_twin.operations.tickets.changes.effects import slice_of
from fabric_twin.operations.tickets.history import has_asked_for_undo

_STOPPED = ("release-slice", "move-slice")
_PUT_THERE = ("make-slice", "move-slice")


def to_be_drained(plan: Mapping[str, Any]) -> list[str]:
    """Names of the slices that a plan interrupts, in the order in which; under a cube ones last."""
    lost = [name for note in plan.get("notes", ()) for name in note.get("interrupts", {}) if name]
    gone = [slice_of(one)["name"] for one in plan.get("effects", ()) if one["do"] in _STOPPED]
    return list(dict.fromkeys((*lost, *gone)))


def interrupted_by(ticket: Ticket) -> tuple[str, ...]:
    """Names of the slices that a ticket interrupts; when it is to be undone, on its way back."""
    if not _goes_back(ticket):
        return tuple(to_be_drained(ticket.plan))
    owners = ticket.plan.get("records", {}).get("owners", {})
    lit = {row.get("owner") for stage in ticket.plan.get("stages", ()) for row in stage["add"]}
    keys = {owners[name] for name in lit if name in owners}
    keys |= {one["id"] for one in ticket.plan.get("effects", ()) if one["do"] in _PUT_THERE}
    rows = Slice.objects.filter(pod=ticket.pod_id, pk__in=keys)
    return tuple(rows.order_by("name").values_list("name", flat=True))


def drains_of(ticket: Ticket) -> "QuerySet[TicketDrain]":
    """What was confirmed for what comes next; for the way back, since it was done."""
    rows: QuerySet[TicketDrain] = TicketDrain.objects.filter(ticket=ticket)
    return rows.filter(at__gt=ticket.ended) if _goes_back(ticket) else rows


def not_drained(ticket: Ticket) -> list[str]:
    """Slices that it takes circuits from and nobody confirmed; one gone runs nothing."""
    names = interrupted_by(ticket)
    if not names:
        return []
    done = set(drains_of(ticket).values_list("slice__name", flat=True))
    there = set(Slice.objects.filter(pod=ticket.pod_id).values_list("name", flat=True))
    return [name for name in names if name in there and name not in done]


def not_drained_each(tickets: Collection[Ticket]) -> dict[UUID, list[str]]:
    """The same of tickets that have not run, by their keys: read at once, however many."""
    names = {ticket.pk: to_be_drained(ticket.plan) for ticket in tickets}
    if not any(names.values()):
        return names
    rows = TicketDrain.objects.filter(ticket__in=names)
    done = set(rows.values_list("ticket", "slice__name"))
    pods = {ticket.pk: ticket.pod_id for ticket in tickets}
    slices = Slice.objects.filter(pod__in=set(pods.values()))
    there = set(slices.values_list("pod", "name"))
    return {
        pk: [one for one in of if (pods[pk], one) in there and (pk, one) not in done]
        for pk, of in names.items()
    }


def check_drained(ticket: Ticket) -> None:
    """Refuse to go on before somebody confirmed all of them."""
    if left := not_drained(ticket):
        ends = not all(drains.bears(name, ticket.plan) for name in left)
        when = "when its job has ended" if ends else "if its owner agrees"
        raise NotPossible(
            f"nobody confirmed that {drains.unconfirmed(left, ticket.plan)}",
            where=f"ticket {ticket.name}",
            remedy=f"Confirm it on the ticket's page {when}",
        )


def _goes_back(ticket: Ticket) -> bool:
    return ticket.state == State.DONE and has_asked_for_undo(ticket)
