"""A technician's orders: what is ready first, where each starts, and what it waits for.

OrderStep rows --> the next step of each crew, and the first that hands do there
                   --> what it waits for: a need that is not met, another crew's step, a lock
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Case, Count, F, Min, Prefetch, Q, Value, When
from django.urls import reverse
from nautobot.users.models import User

from fabric_twin.core.orders.in_the_aisle import fabric_does, without_key
from fabric_twin.core.orders.life import SETTLED, OrderIs, StepIs
from fabric_twin.core.orders.order import Need, need_from
from fabric_twin.core.orders.steps import BY_FABRIC, Do, Step
from fabric_twin.models import OrderStep, Ticket, WorkOrder
from fabric_twin.operations.orders.given_to import given_to
from fabric_twin.operations.orders.reports.rack_places import RackPlaces, rack_places
from fabric_twin.operations.orders.unmet_needs import waits
from fabric_twin.operations.tickets.related_tickets import open_tickets

#: Orders that a page shows; nobody has more in hand.
MOST = 50
#: What is begun goes before what is not.
_FIRST = (OrderIs.UNDER_WAY, OrderIs.REOPENED, OrderIs.PAUSED, OrderIs.ASSIGNED)
#: A step: its order, and its number there.
_Key = tuple[Any, int]


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
    turn = Case(
        *(When(state=state, then=Value(at)) for at, state in enumerate(_FIRST)),
        default=Value(len(_FIRST)),
    )
    due = F("due").asc(nulls_last=True)
    in_turn = rows.prefetch_related(asked).order_by(turn, due, "pod__name", "number")
    orders = list(in_turn[:MOST])
    pods = {order.pod_id: order.pod for order in orders}
    places = {key: rack_places(pod) for key, pod in pods.items()}
    starts = _starts(orders, places, user)
    shown = [_mine(order, starts[order.pk]) for order in orders]
    shown.sort(key=lambda one: not one.is_ready)
    return shown, given.count() if len(orders) == MOST else len(orders)


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
        yield "neighbours have to agree" if order.pod.is_cluster else "a light test has to pass"
        return
    if order.state == OrderIs.PAUSED:
        yield "it is paused until somebody presses Start"
        return
    starts = list(starts)
    if not starts or any(not start.waits_for for start in starts):
        return
    yield from dict.fromkeys(start.waits_for for start in starts)
    for ticket in order.tickets.all():
        yield f"ticket {ticket.name}: {ticket.get_state_display().lower()}"


def _starts(
    orders: Collection[WorkOrder], places: Mapping[Any, RackPlaces], user: User
) -> Mapping[Any, list[Start]]:
    """The next step of each crew of each order."""
    of = {order.pk: order for order in orders}
    rows = OrderStep.objects.filter(order__in=of).exclude(state__in=[*SETTLED, StepIs.NOT_DUE])
    by_hand = Min("number", filter=~Q(do__in=[Do.GO, *BY_FABRIC]))
    crews = rows.order_by().values("order", "crew")
    firsts = list(crews.annotate(at=Min("number"), hands=by_hand, many=Count("pk")))
    asked: dict[Any, set[int]] = defaultdict(set)
    for first in firsts:
        asked[first["order"]] |= {first["at"], first["hands"]} - {None}
    row_of = _rows(rows, asked)
    read = {key: Step.from_json(row.facts) for key, row in row_of.items()}
    unmet, before = _unmet(of, read, user), _before(rows, read)
    found: dict[Any, list[Start]] = defaultdict(list)
    for first in sorted(firsts, key=lambda one: one["crew"]):
        at, hands = (first["order"], first["at"]), (first["order"], first["hands"])
        # What hands do at the rack to which the crew goes; another rack's comes later.
        then = hands if hands in read and read[hands].rack == read[at].rack else at
        order = of[first["order"]]
        why = unmet.get(at) or unmet.get(then) or before.get(then, "")
        if not why and order.state == OrderIs.UNDER_WAY:
            why = _why_not(read[at], row_of[at]) or _why_not(read[then], row_of[then])
        start = _start(order, row_of[at], first["many"], places[order.pod_id])
        found[order.pk].append(replace(start, waits_for=why))
    return found


def _rows(rows: Any, asked: Mapping[Any, Collection[int]]) -> dict[_Key, OrderStep]:
    """Some steps of some orders, by order and number."""
    if not asked:
        return {}
    which = reduce(or_, (Q(order=order, number__in=many) for order, many in asked.items()))
    return {(row.order_id, row.number): row for row in rows.filter(which)}


def _unmet(
    of: Mapping[Any, WorkOrder], read: Mapping[_Key, Step], user: User
) -> Mapping[_Key, str]:
    """Why the need of a step is not met, of those whose need is not; read once for each pod."""
    wanted = {key: step.need for key, step in read.items() if step.need}
    kept = WorkOrder.objects.filter(pk__in={order for order, _ in wanted}).order_by()
    needs: dict[Any, list[Need]] = defaultdict(list)
    for order, facts in kept.values_list("pk", "facts__needs") if wanted else ():
        # Needs of several orders have the same names.
        named = (replace(need, name=f"{order} {need.name}") for need in map(need_from, facts))
        of_steps = {f"{one} {need}" for (one, _), need in wanted.items()}
        needs[of[order].pod_id] += [need for need in named if need.name in of_steps]
    pods = {order.pod_id: order for order in of.values()}
    why: dict[str, str] = {}
    for pod, of_pod in needs.items():
        why |= waits(pods[pod], of_pod, user)
    found = {key: why.get(f"{key[0]} {need}", "") for key, need in wanted.items()}
    return {key: words for key, words in found.items() if words}


def _before(rows: Any, read: Mapping[_Key, Step]) -> Mapping[_Key, str]:
    """What another crew has to do before a step; its own crew's steps come in turn anyway."""
    asked: dict[Any, set[int]] = defaultdict(set)
    for (order, _), step in read.items():
        if step.after and step.do not in BY_FABRIC:
            asked[order] |= set(step.after)
    open_ = _rows(rows, asked)
    found: dict[_Key, str] = {}
    for (order, number), step in read.items():
        rows_before = (open_[order, at] for at in sorted(step.after) if (order, at) in open_)
        row = next((one for one in rows_before if one.crew != step.crew), None)
        if row:
            words = Step.from_json(row.facts)
            if words.do == Do.CHECK:
                found[order, number] = _why_not(words, row)
            else:
                what = fabric_does(words) if words.do in BY_FABRIC else str(words)
                found[order, number] = f"crew {row.crew} does step {row.number} first: {what}"
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
        waits_for="",
    )


def _why_not(step: Step, row: OrderStep) -> str:
    """Why a step cannot be done now. One that is locked without a reason is read first."""
    if step.do == Do.CHECK:
        return f"the fabric tests the work at rack {step.rack}"
    if step.do in BY_FABRIC:
        return fabric_does(step)
    return without_key(step.bundle, row.why) if row.state == StepIs.LOCKED else ""
