"""The history of a ticket: a line for each act, with its user."""

from typing import Any

from django.db.models import Max
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.models import Ticket, TicketEvent
from fabric_twin.repositories.change_log import UPDATE, record_change

#: Events of a ticket's authors, who do not decide about it.
BY_AUTHORS = ("make", "edit", "revise", "submit", "hasten", "hasten-undo")
#: Of a ticket that is done: somebody asks that it be undone, and it may be.
ASK_UNDO, APPROVE_UNDO, HASTEN_UNDO = "ask-undo", "approve-undo", "hasten-undo"


def note(
    ticket: Ticket, what: str, who: User | None = None, said: str = "", **detail: Any
) -> TicketEvent:
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


def record(ticket: Ticket, said: str, who: User | None = None) -> None:
    """One line of the change log and one webhook for a ticket that was written as a set."""
    ticket.refresh_from_db()
    record_change(ticket, UPDATE, said, who)


def authors_of(ticket: Ticket) -> set[str]:
    """Everybody who wrote or submitted it, in this revision or one before."""
    revisions = Ticket.objects.filter(pod=ticket.pod_id, number=ticket.number)
    written = TicketEvent.objects.filter(ticket__in=revisions, what__in=BY_AUTHORS)
    names = written.filter(who__isnull=False).values_list("who__username", flat=True)
    return {*revisions.values_list("author__username", flat=True), *names}


def has_asked_for_undo(ticket: Ticket) -> bool:
    """Whether somebody asked that it be undone after it was done."""
    return bool(TicketEvent.objects.filter(ticket=ticket, what=ASK_UNDO).exists())


def may_be_undone(ticket: Ticket) -> bool:
    """Whether somebody else approved that it be undone after it was done."""
    allowed = TicketEvent.objects.filter(ticket=ticket, what__in=(APPROVE_UNDO, HASTEN_UNDO))
    return bool(allowed.exists())


def who_asked(ticket: Ticket) -> set[str]:
    """Everybody who asked that a ticket be undone: they do not decide about that."""
    asked = TicketEvent.objects.filter(ticket=ticket, what=ASK_UNDO, who__isnull=False)
    return set(asked.values_list("who__username", flat=True))


def has_ended_since_hastened(ticket: Ticket) -> bool:
    """Whether what was hastened last, the ticket or its undo, has come to its end."""
    hastened = TicketEvent.objects.filter(ticket=ticket, what__in=("hasten", HASTEN_UNDO))
    last = hastened.order_by("-number").first()
    return bool(ticket.ended and (last is None or last.at <= ticket.ended))
