"""Look whether a ticket that waits could begin, and call for its job only then."""

from uuid import UUID

from celery import shared_task

from fabric_twin.models import Ticket
from fabric_twin.operations.dispatch import TRY_TICKET
from fabric_twin.operations.tickets.running.try_again import try_again
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT


@shared_task(name=TRY_TICKET, ignore_result=True, soft_time_limit=SOFT_LIMIT, time_limit=LIMIT)
def try_ticket(ticket: str) -> str:
    """Read its switches, and write nothing to them."""
    found = Ticket.objects.filter(pk=UUID(ticket)).first()
    return try_again(found) if found else "the ticket is gone"
