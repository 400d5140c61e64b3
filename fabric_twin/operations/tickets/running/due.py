"""Which tickets wait for a worker: their window has begun, or their worker is gone.

    somebody starts, resumes or undoes one  --+
    a window begins                         --+--> a worker is called
    a worker died, and its lease is over    --+

A call that is lost is called again, and of two workers one finds that the other has the lease. A
ticket that waits for a switch, or for somebody, is not carried out again and again: a worker looks
whether it could begin (`try_again.py`), each time after longer, and only then is its job called.
One that waits until links are drained waits for no worker: who confirms it calls one.
"""

from contextlib import suppress
from uuid import UUID

from django.core.cache import cache
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from redis.exceptions import RedisError

from fabric_twin.core.errors import FabricTwinError, NotPossible
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Ticket
from fabric_twin.models.ticket import DirectionChoices
from fabric_twin.operations import dispatch
from fabric_twin.operations.calls.unheard_calls import is_on_its_way
from fabric_twin.operations.tickets.changes.link_drains import DRAINS
from fabric_twin.operations.tickets.running.jobs import name_job
from fabric_twin.operations.tickets.running.waiting import (
    NO_WATCH,
    runner_of,
    say_waiting,
    waits_since,
)
from fabric_twin.repositories.lease import ALONE
from fabric_twin.repositories.transactions import after_commit

#: Seconds after which a worker that was called for and did not come is called for again.
FORGOTTEN = 30
#: Seconds between two looks at a ticket that waits: as long as it waited already, within these.
SOONEST, LATEST = 5, 300
#: What a ticket says whose window went by.
MISSED = "its window is over, and it had not begun: schedule it again"
#: The job that carries a ticket out.
JOB = "fabric_twin.tasks.carry_out_ticket.CarryOutTicket"


def due_tickets() -> list[UUID]:
    """Tickets that a worker should go on with now, those that began to wait first."""
    begun = Q(window_start__isnull=True) | Q(window_start__lte=Now())
    lasts = Q(window_end__isnull=True) | Q(window_end__gt=Now())
    # Who waits for people waits until its window is over: then it turns, or holds.
    back = Q(direction=DirectionChoices.BACK)
    for_people = Q(lasts | back, state=State.RUNNING, message__startswith=DRAINS)
    due = Ticket.objects.filter(
        Q(begun, lasts, state=State.SCHEDULED) | Q(ALONE, ~for_people, state=State.RUNNING)
    )
    return list(due.order_by("window_start", "created").values_list("pk", flat=True))


def call_due() -> int:
    """Call a worker for every ticket that is due, each once in a while; say for how many."""
    missed = Ticket.objects.filter(state=State.SCHEDULED, window_end__lte=Now())
    missed.exclude(message=MISSED).update(message=MISSED)
    Ticket.objects.filter(message=NO_WATCH).update(message="")
    called = 0
    for ticket in due_tickets():
        if cache.add(_called(ticket), True, _pause(ticket) or FORGOTTEN):
            with suppress(FabricTwinError):  # the ticket says why it waits
                call_worker(ticket)
            called += 1
    return called


def call_soon(ticket: Ticket) -> None:
    """Want a worker for a ticket as soon as the transaction is over."""
    after_commit(_call_first, ticket.pk)


def _call_first(ticket: UUID) -> None:
    cache.add(_called(ticket), True, FORGOTTEN)
    with suppress(FabricTwinError):  # the ticket says why it waits
        call_worker(ticket)


def call_now(ticket: Ticket) -> None:
    """Look at a ticket that waits now, and not when its pause is over."""
    cache.set(_called(ticket.pk), True, FORGOTTEN)
    call_worker(ticket.pk)


def call_worker(ticket: UUID) -> None:
    """Have a worker go on with a ticket, or look whether it could where it waits."""
    found = Ticket.objects.filter(pk=ticket).select_related("job_result").first()
    if found is None:
        return
    if waits_since(found):
        dispatch.try_soon(found.pk)
    else:
        carry_out_soon(found)


def carry_out_soon(ticket: Ticket) -> None:
    """Have a ticket carried out by a worker, as the last person who set it going."""
    if ticket.job_result and is_on_its_way(ticket.job_result):
        return  # it is ended, or called for again, where it was lost: `calls/lost_jobs.py`
    try:
        where = f"ticket {ticket.name}"
        name_job(ticket, dispatch.run_job(JOB, runner_of(ticket), where, ticket=ticket))
    except NotPossible as refusal:
        say_waiting(ticket, refusal)
        raise


def answer_call(ticket: UUID) -> None:
    """A worker came, and is gone again: the next one is called for at once, or, where the ticket
    waits, after a pause."""
    pause = _pause(ticket)
    with suppress(RedisError):  # then it is called for a moment later
        if pause:
            cache.set(_called(ticket), True, pause)
        else:
            cache.delete(_called(ticket))


def _pause(ticket: UUID) -> int:
    """Seconds until a ticket that waits is looked at again; 0 where it does not wait."""
    found = Ticket.objects.filter(pk=ticket).first()
    since = waits_since(found) if found else None
    if since is None:
        return 0
    waited = (timezone.now() - since).total_seconds()
    return int(min(max(waited, SOONEST), LATEST))


def _called(ticket: UUID) -> str:
    return f"fabric_twin:due:{ticket}"
