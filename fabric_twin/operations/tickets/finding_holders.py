"""Which open ticket or order mends a finding; one at a time does.

A finding says so itself while it is worked on. Where an audit found it again, or somebody opened
it, it says nothing any more, and its ticket or order is open all the same.
"""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.findings.life import FREE
from fabric_twin.models import Finding, Ticket, WorkOrder
from fabric_twin.models.ticket import ENDED as TICKET_ENDED
from fabric_twin.models.work_order import ENDED as ORDER_ENDED
from fabric_twin.operations.audits.finding_life import holder_of


def holders_of(findings: Iterable[Finding]) -> dict[UUID, str]:
    """The names of those that mend some findings, by the keys of these."""
    rows = {finding.pk: finding for finding in findings}
    tickets = _open_tickets().filter(finding__in=rows).select_related("pod")
    held = {ticket.finding_id: ticket.name for ticket in tickets}
    orders = _open_orders().filter(findings__in=rows).select_related("pod").distinct()
    names = {order.pk: order.name for order in orders}
    pairs = WorkOrder.findings.through.objects.filter(workorder__in=names, finding__in=rows)
    held |= {found: names[order] for found, order in pairs.values_list("finding", "workorder")}
    return held | {pk: name for pk, one in rows.items() if (name := holder_of(one))}


def refuse_held(findings: Iterable[Finding]) -> None:
    """Refuse a finding that somebody else mends."""
    known = {finding.pk: finding for finding in findings}
    for pk, holder in holders_of(known.values()).items():
        raise NotPossible(
            f"{known[pk]} is being worked on by {holder}",
            where="findings",
            remedy=f"Leave it out, or let {holder} end first: withdraw it, or undo it",
        )


def free_of(findings: QuerySet[Finding]) -> Any:
    """Of some rows those that are there, and that nobody mends."""
    by_order = WorkOrder.findings.through.objects.filter(workorder__in=_open_orders())
    return without_tickets(findings).exclude(pk__in=by_order.values("finding"))


def without_tickets(findings: QuerySet[Finding]) -> Any:
    """Of some rows those that are there, and that no ticket mends."""
    by_ticket = _open_tickets().filter(finding__isnull=False).values("finding")
    return findings.filter(state__in=FREE).exclude(pk__in=by_ticket)


def _open_tickets() -> Any:
    return Ticket.objects.exclude(state__in=TICKET_ENDED).order_by()


def _open_orders() -> Any:
    return WorkOrder.objects.exclude(state__in=ORDER_ENDED).order_by()
