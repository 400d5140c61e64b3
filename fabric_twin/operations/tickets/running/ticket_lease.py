"""The lease of a ticket's worker: for how long it holds, and who takes it over.

running --- the lease ends, or the worker dies ---> the next worker takes it, and goes on
"""

import time
from dataclasses import dataclass
from datetime import timedelta
from uuid import uuid4

from django.db import transaction
from django.db.models.functions import Now

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Ticket
from fabric_twin.operations.tickets.changes.to_core import position_of
from fabric_twin.operations.tickets.history import note
from fabric_twin.repositories.lease import ALONE, Lease

#: How long a worker may be silent before another one goes on. It is renewed while switches are
#: waited for: so it covers a transaction, a look at light, the restart of a database, and no more.
LEASE = timedelta(seconds=60)
#: What a ticket says that goes on, or back, after somebody stopped it.
WAITS = "it goes on once what was sent before it was stopped has come to its end"


@dataclass(frozen=True)
class TicketLease(Lease):
    """The right to carry out one ticket."""

    model = Ticket
    remedy = "Another worker goes on, or somebody stopped it: its page says which"
    large = ("plan",)


def wait_for_stopped(ticket: Ticket, most: timedelta = LEASE) -> None:
    """Let what was sent before somebody stopped a ticket come to its end: its lease says when."""
    last = time.monotonic() + most.total_seconds()
    stopped = Ticket.objects.filter(
        pk=ticket.pk, state=State.RUNNING, lease_token=None, lease_until__gt=Now()
    )
    while stopped.exists() and time.monotonic() < last:
        time.sleep(0.2)


def take_lease(ticket: Ticket, length: timedelta = LEASE) -> TicketLease:
    """Be the one who goes on with a ticket that runs, if nobody else is."""
    token = uuid4()
    with transaction.atomic():
        rows = Ticket.objects.filter(ALONE, pk=ticket.pk, state=State.RUNNING).defer("plan")
        there = rows.select_for_update(no_key=True, of=("self",)).first()
        if there is None:
            raise NotPossible(
                "another worker carries it out, or it does not run",
                where=f"ticket {ticket.name}",
                remedy="Wait: its page shows how far it is",
            )
        Ticket.objects.filter(pk=ticket.pk).update(
            lease_token=token,
            lease_until=Now() + length,
            message="" if there.message == WAITS else there.message,
        )
        if there.lease_token:
            said = f"the worker before did not come back: another one goes on, {position_of(there)}"
            note(there, "take-over", None, said)
    return TicketLease(ticket.pk, f"ticket {ticket.name}", token, length)
