"""A technician's orders: what is ready first, where each starts, and what it waits for."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Count, Min, Prefetch, Q
from django.urls import reverse
from nautobot.users.models import User

from fabric_twin.core.orders.in_the_aisle import fabric_does, without_key
from fabric_twin.core.orders.life import SETTLED, OrderIs, StepIs
from fabric_twin.core.orders.steps import BY_FABRIC, Do, Step
from fabric_twin.models import OrderStep, Ticket, WorkOrder
from fabric_twin.operations.orders.given_to import given_to
from fabric_twin.operations.orders.reports.rack_places import RackPlaces, rack_places
from fabric_twin.operations.tickets.related_tickets import open_tickets

#: Orders that a page shows; nobody has more in hand.
MOST = 50
#: What is begun goes before what is not.
_FIRST = (OrderIs.UNDER_WAY, OrderIs.REOPENED, OrderIs.PAUSED, OrderIs.ASSIGNED)


@dataclass(frozen=True)
class Start:
    """Where a crew goes on."""

    #: 0 where there is one crew.
    crew: int
    url: str
    #: Row, place and rack of the next step, and what is done there.
    where: str
    words: str
    left: int
    #: Why nobody can do it now; empty where it can be done.
    waits_for: str


@dataclass(frozen=True)
class MyOrder:
    """One line of the page."""

    name: str
    title: str
    url: str
    state: str
    due: datetime | None
    left: int
    starts: tuple[Start, ...]
    waits_for: str

    @property
    def is_ready(self) -> bool:
        """Whether there is something to do now."""
        return not self.waits_for and any(not start.waits_for for start in self.starts)


def my_orders(user: User) -> tuple[list[MyOrder], int]:
    """The orders of a user, what is ready first; and how many there are, shown or not."""
    tickets = open_tickets(Ticket.objects.restrict(user, "view")).select_related("pod")
    tickets = tickets.only("number", "revision", "state", "pod").order_by("number")
    given = given_to(user)
    rows = given.select_related("pod").defer("facts", "measure", "wish")
    asked = Prefetch("tickets", queryset=tickets)
    orders = list(rows.prefetch_related(asked).order_by("pod__name", "number")[:MOST])
    pods = {order.pod_id: order.pod for order in orders}
    places = {key: rack_places(pod) for key, pod in pods.items()}
    starts = _starts(orders, places)
    shown = [_mine(order, starts[order.pk]) for order in orders]
    turn = {order.name: _turn(order) for order in orders}
    shown.sort(key=lambda one: (not one.is_ready, turn[one.name], one.due is None, one.due or 0))
    return shown, given.count() if len(orders) == MOST else len(orders)


def _turn(order: WorkOrder) -> int:
    return _FIRST.index(OrderIs(order.state)) if order.state in _FIRST else len(_FIRST)


def _mine(order: WorkOrder, starts: Collection[Start]) -> MyOrder:
    return MyOrder(
        name=order.name,
        title=order.title,
        url=reverse("plugins:fabric_twin:workorder_do", args=[order.pk]),
        state=order.get_state_display(),
        due=order.due,
        left=sum(start.left for start in starts),
        starts=tuple(starts),
        waits_for="; ".join(_waits(order, starts)),
    )


def _waits(order: WorkOrder, starts: Iterable[Start]) -> Iterable[str]:
    """What has to happen before anybody can go on."""
    if order.state == OrderIs.AWAITING_LIGHT:
        yield "the fabric: a light test has to pass"
        return
    starts = list(starts)
    if not starts or any(not start.waits_for for start in starts):
        return
    yield from dict.fromkeys(start.waits_for for start in starts)
    for ticket in order.tickets.all():
        yield f"ticket {ticket.name}: {ticket.get_state_display().lower()}"


def _starts(
    orders: Collection[WorkOrder], places: Mapping[Any, RackPlaces]
) -> Mapping[Any, list[Start]]:
    """The next step of each crew of each order."""
    of = {order.pk: order for order in orders}
    rows = OrderStep.objects.filter(order__in=of).exclude(state__in=[*SETTLED, StepIs.NOT_DUE])
    firsts = rows.order_by().values("order", "crew").annotate(at=Min("number"), many=Count("pk"))
    left = {(row["order"], row["at"]): row["many"] for row in firsts}
    found: dict[Any, list[Start]] = defaultdict(list)
    if left:
        which = reduce(or_, (Q(order=order, number=number) for order, number in left))
        for row in OrderStep.objects.filter(which).order_by("order", "crew"):
            order = of[row.order_id]
            many = left[row.order_id, row.number]
            found[order.pk].append(_start(order, row, many, places[order.pod_id]))
    return found


def _start(order: WorkOrder, row: OrderStep, left: int, places: RackPlaces) -> Start:
    step = Step.from_json(row.facts)
    crew = f"?crew={row.crew}" if order.crews > 1 else ""
    spot = f"{places.spots[step.rack]}, " if step.rack in places.spots else ""
    return Start(
        crew=row.crew if order.crews > 1 else 0,
        url=f"{reverse('plugins:fabric_twin:workorder_do', args=[order.pk])}{crew}",
        where=f"{spot}rack {step.rack}",
        words="" if step.do in BY_FABRIC else str(step),
        left=left,
        waits_for=_why_not(step, row) if order.state == OrderIs.UNDER_WAY else "",
    )


def _why_not(step: Step, row: OrderStep) -> str:
    """Why the next step cannot be done now. One that is locked without a reason is read first."""
    if step.do == Do.CHECK:
        return f"the fabric: it tests the work at rack {step.rack}"
    if step.do in BY_FABRIC:
        return fabric_does(step)
    return without_key(step.bundle, row.why) if row.state == StepIs.LOCKED else ""
