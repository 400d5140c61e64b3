"""What a shift should know: what broke, what was mended, what waits for whom, what comes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.orders.life import OrderIs
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Finding, HandOver, Ticket, WorkOrder
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.models.work_order import ENDED
from fabric_twin.operations.audits.findings_of import heard_there
from fabric_twin.operations.shifts.hand_over import began, hand_overs
from fabric_twin.operations.tickets.changes.link_drains import DRAINS
from fabric_twin.operations.tickets.related_tickets import open_tickets
from fabric_twin.presenters.stuck import Row, stuck_rows

#: Rows of a section; a link has the others. What was mended needs no hand any more.
MOST, MOST_MENDED = 25, 10
#: Notes of the shifts before.
_NOTES = 5
#: Whom a ticket waits for.
_ACTS_ON_TICKET = {
    State.DRAFT: "{author} to submit it",
    State.SUBMITTED: "an approver",
    State.APPROVED: "{author} to schedule it",
    State.SCHEDULED: "its window, or what it interrupts to be drained",
    State.RUNNING: "the fabric",
    State.FAILED: "{author} to undo it, or to go on",
}
#: Whom an order waits for.
_ACTS_ON_ORDER = {
    OrderIs.DRAFTED: "the lead to hand it out",
    OrderIs.ASSIGNED: "{technician} to begin",
    OrderIs.UNDER_WAY: "{technician}",
    OrderIs.PAUSED: "{technician} to go on",
    OrderIs.AWAITING_LIGHT: "the fabric",
    OrderIs.REOPENED: "the lead: it failed its test",
}


@dataclass(frozen=True)
class Waiting:
    """A ticket or an order, and who has to do something."""

    name: str
    title: str
    url: str
    state: str
    state_class: str
    waits_for: str
    #: A window, or by when it should be done.
    when: datetime | None = None


@dataclass(frozen=True)
class Some:
    """The first of some rows, and where all of them are."""

    rows: list[Any]
    many: int
    url: str

    @property
    def more(self) -> int:
        """How many are left out."""
        return self.many - len(self.rows)


@dataclass(frozen=True)
class Shift:
    """A shift, as far as a user may see it."""

    since: datetime
    notes: list[HandOver]
    first: Some
    overdue: Some
    broke: Some
    mended: Some
    tickets: Some
    orders: Some
    coming: Some
    stuck: list[Row]


def shift_of(user: User) -> Shift:
    """What happened since the last hand-over, and what is open."""
    notes = hand_overs(user, _NOTES)
    since = began(notes[0] if notes else None)
    seen = Finding.objects.restrict(user, "view").select_related("pod", "owner")
    there = seen.filter(state__in=FindingStateChoices.THERE)
    heard = seen.filter(pk__in=heard_there(user).values("pk"))
    now = timezone.now()
    tickets, orders = list(_tickets(user)), list(_orders(user))
    coming = [(one.when, one) for one in (*tickets, *orders) if one.when and one.when >= now]
    coming.sort(key=lambda pair: (pair[0], pair[1].name))
    return Shift(
        since=since,
        notes=notes,
        first=_findings(heard, {"is_there": "True", "silenced": "False"}),
        overdue=_findings(there.filter(due__lte=now), {"overdue": "True"}),
        broke=_findings(
            there.filter(opened__gte=since), {"is_there": "True", "opened__gte": _written(since)}
        ),
        mended=_findings(
            seen.filter(mended_at__gte=since), {"mended_at__gte": _written(since)}, MOST_MENDED
        ),
        tickets=_open(tickets, "ticket"),
        orders=_open(orders, "workorder"),
        coming=Some([one for _, one in coming[:MOST]], len(coming), ""),
        stuck=stuck_rows(user),
    )


def _findings(rows: Any, filters: Mapping[str, str], most: int = MOST) -> Some:
    url = f"{reverse('plugins:fabric_twin:finding_list')}?{urlencode(filters)}"
    return Some(list(rows[:most]), rows.count(), url)


def _open(rows: list[Waiting], kind: str) -> Some:
    url = f"{reverse(f'plugins:fabric_twin:{kind}_list')}?is_open=True"
    return Some(rows[:MOST], len(rows), url)


def _written(moment: datetime) -> str:
    """As a filter of Nautobot reads it."""
    return moment.isoformat(timespec="seconds")


def _tickets(user: User) -> Iterable[Waiting]:
    rows = open_tickets(Ticket.objects.restrict(user, "view")).select_related("pod", "author")
    for ticket in rows.defer("plan", "wish", "blast").order_by("pod__name", "number"):
        waits = _ACTS_ON_TICKET[State(ticket.state)].format(author=ticket.author)
        if ticket.message.startswith(DRAINS):
            waits = "the owner of the routing to drain links"
        yield _waiting(ticket, waits, ticket.window_start)


def _orders(user: User) -> Iterable[Waiting]:
    rows = WorkOrder.objects.restrict(user, "view").filter(~Q(state__in=ENDED))
    rows = rows.select_related("pod", "assignee", "team").defer("facts", "measure", "wish")
    for order in rows.order_by("pod__name", "number"):
        technician = order.assignee or order.team or "a technician"
        waits = _ACTS_ON_ORDER[OrderIs(order.state)].format(technician=technician)
        yield _waiting(order, waits, order.due)


def _waiting(record: Any, waits_for: str, when: datetime | None) -> Waiting:
    return Waiting(
        name=record.name,
        title=record.title,
        url=record.get_absolute_url(),
        state=record.get_state_display(),
        state_class=record.get_state_class(),
        waits_for=waits_for,
        when=when,
    )
