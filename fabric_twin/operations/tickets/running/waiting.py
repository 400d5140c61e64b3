"""What a ticket says while nobody goes on with it, since when, and as whom its job runs.

Its message is why it waits now; its history has one line for that, however often it was tried.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Ticket, TicketEvent
from fabric_twin.operations.calls.heartbeat import START_IT
from fabric_twin.operations.tickets.history import note
from fabric_twin.repositories.lease import ALONE

#: How a ticket begins to say that it runs, and that nobody may go on with it.
STALLED = "nobody goes on with it:"
#: What a ticket says that is scheduled while nobody calls workers.
NO_WATCH = f"nothing starts it when its time comes: {START_IT}"
#: The line of its history that says that it waits.
WAIT = "wait"


def say_waiting(ticket: Ticket, refusal: FabricTwinError) -> None:
    """Let a ticket that cannot begin now say what it waits for."""
    scheduled = Ticket.objects.filter(pk=ticket.pk, state=State.SCHEDULED)
    if scheduled.update(message=str(refusal)):
        _note_once(ticket, str(refusal))


def say_stalled(ticket: Ticket, refusal: FabricTwinError) -> None:
    """Let a ticket with which nobody may go on say so, and who can."""
    say_waiting(ticket, refusal)
    silent = Q(message__in=("", NO_WATCH)) | Q(message__startswith=STALLED)
    running = Ticket.objects.filter(ALONE, silent, pk=ticket.pk, state=State.RUNNING)
    said = f"{STALLED} {refusal} Somebody who may run it stops and resumes it."
    if running.update(message=said):
        _note_once(ticket, said)


def waits_since(ticket: Ticket) -> datetime | None:
    """Since when it waits; none where a worker that comes finds something to do."""
    last = TicketEvent.objects.filter(ticket=ticket).order_by("-number").first()
    return last.at if last and last.what == WAIT else None


def _note_once(ticket: Ticket, said: str) -> None:
    with transaction.atomic():
        Ticket.objects.select_for_update(no_key=True, of=("self",)).get(pk=ticket.pk)
        if waits_since(ticket) is None:
            note(ticket, WAIT, None, said)


def runner_of(ticket: Ticket) -> User:
    """Who scheduled, resumed or undid it last, as whom its job runs."""
    events = ticket.events.filter(who__isnull=False, what__in=("schedule", "resume", "undo"))
    last = events.order_by("-number").first()
    runner: User = last.who if last else ticket.author
    return runner
