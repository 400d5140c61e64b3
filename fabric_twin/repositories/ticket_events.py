"""The history of a ticket: a line for everything that is done with it, and by whom."""

from typing import Any

from django.db.models import Max
from django.utils import timezone
from nautobot.extras.choices import ObjectChangeActionChoices

from fabric_twin.models import Ticket, TicketEvent
from fabric_twin.repositories.change_record import record_change

#: Events of whoever writes a ticket: these people do not decide about it.
BY_AUTHORS = ("make", "edit", "revise", "submit", "hasten")


def note(ticket: Ticket, what: str, who: Any = None, said: str = "", **detail: Any) -> TicketEvent:
    """Add a line; the caller holds the ticket, or has just made it."""
    last = TicketEvent.objects.filter(ticket=ticket).aggregate(last=Max("number"))["last"]
    event: TicketEvent = TicketEvent.objects.create(
        ticket=ticket,
        number=(last or 0) + 1,
        at=timezone.now(),
        who=who,
        what=what,
        said=said,
        detail=detail,
    )
    return event


def record(ticket: Ticket, said: str, who: Any = None) -> None:
    """One line of the change log and one webhook for a ticket that was written as a set."""
    ticket.refresh_from_db()
    record_change(ticket, ObjectChangeActionChoices.ACTION_UPDATE, said, who)


def authors_of(ticket: Ticket) -> set[str]:
    """Everybody who wrote or submitted it, in this revision or one before."""
    revisions = Ticket.objects.filter(pod=ticket.pod_id, number=ticket.number)
    written = TicketEvent.objects.filter(ticket__in=revisions, what__in=BY_AUTHORS)
    names = written.filter(who__isnull=False).values_list("who__username", flat=True)
    return {*revisions.values_list("author__username", flat=True), *names}
