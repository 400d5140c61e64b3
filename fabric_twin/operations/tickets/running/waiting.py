"""What a ticket says while nobody goes on with it, and as whom its job runs."""

from django.db.models import Q
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Ticket
from fabric_twin.repositories.lease import ALONE

#: How a ticket begins to say that it runs, and that nobody may go on with it.
STALLED = "nobody goes on with it:"


def say_waiting(ticket: Ticket, refusal: FabricTwinError) -> None:
    """Let a ticket that cannot begin now say what it waits for."""
    scheduled = Ticket.objects.filter(pk=ticket.pk, state=State.SCHEDULED)
    scheduled.update(message=str(refusal))


def say_stalled(ticket: Ticket, refusal: FabricTwinError) -> None:
    """Let a ticket with which nobody may go on say so, and who can."""
    say_waiting(ticket, refusal)
    silent = Q(message="") | Q(message__startswith=STALLED)
    running = Ticket.objects.filter(ALONE, silent, pk=ticket.pk, state=State.RUNNING)
    running.update(message=f"{STALLED} {refusal} Somebody who may run it stops and resumes it.")


def runner_of(ticket: Ticket) -> User:
    """Who scheduled, resumed or undid it last, as whom its job runs."""
    events = ticket.events.filter(who__isnull=False, what__in=("schedule", "resume", "undo"))
    last = events.order_by("-number").first()
    runner: User = last.who if last else ticket.author
    return runner
