"""What a ticket releases when it ends, however it ends; in the caller's transaction."""

from django.db.models import Q
from nautobot.users.models import User

from fabric_twin.core.orders.life import OrderIs
from fabric_twin.models import Finding, Reservation, Ticket, WorkOrder
from fabric_twin.models.work_order import ENDED
from fabric_twin.operations import dispatch
from fabric_twin.operations.audits.finding_life import release_findings
from fabric_twin.operations.audits.touches import touch
from fabric_twin.repositories.reservations import release_all


def free(ticket: Ticket, user: User | None = None, *, audit: bool = False) -> None:
    """Drop what a ticket holds; have its switches and cubes audited where it may have changed any.

    Its finding is worked on no more: the next audit says whether it is mended. Work orders of the
    pod that wait for such a change go on.
    """
    held = Reservation.objects.filter(ticket=ticket).order_by()
    switches = set(held.filter(cube=None).values_list("switch", flat=True).distinct())
    cubes = set(held.exclude(cube=None).values_list("cube", flat=True))
    release_all(ticket)
    release_findings(Finding.objects.filter(pk=ticket.finding_id), ticket.name, user)
    if audit and (switches or cubes):
        touch([ticket.pod_id], switch=switches, cube=cubes)
    if audit:
        _wake_orders(ticket)


def _wake_orders(ticket: Ticket) -> None:
    """Have a worker look at the open orders that asked for the ticket, or that are under way."""
    there = WorkOrder.objects.filter(pod=ticket.pod_id).exclude(state__in=ENDED).order_by()
    waiting = there.filter(Q(tickets=ticket) | Q(state__in=(OrderIs.UNDER_WAY,)))
    for order in set(waiting.values_list("pk", flat=True)):
        dispatch.advance_soon(order)
