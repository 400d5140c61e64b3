"""What a user can do with a work order now: one list, for buttons and for who does it.

What is listed may still be refused when it is done: only then everything is looked at.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.core.orders.life import SETTLED, Act, OrderIs, order_after
from fabric_twin.core.orders.steps import Do as StepDo
from fabric_twin.models import WorkOrder
from fabric_twin.operations.orders import lifecycle
from fabric_twin.operations.orders.reports.correct_records import correct_records
from fabric_twin.operations.orders.request_tickets import ask_for_tickets
from fabric_twin.operations.orders.to_core import core_of
from fabric_twin.operations.orders.unmet_needs import CIRCUITS, DRAIN, RECORD, SUBSTITUTE, waits

#: An act on an order by a user, with what is said and to whom it is given.
Do = Callable[[WorkOrder, Any, str, Any, Any], WorkOrder]
#: What is done with an order and does not change its state.
ASK, CORRECT = "ask", "correct"


@dataclass(frozen=True)
class OrderDeed:
    """Something that people do with orders."""

    act: Act | str
    #: The permission's action, asked of this very order.
    needs: str
    do: Do
    must_say: bool = False
    #: Whether an order asks for it now, where that is not said by its life.
    asked_for: Callable[[WorkOrder], bool] | None = None


ORDER_DEEDS = (
    OrderDeed(
        Act.ASSIGN,
        "change",
        lambda order, user, said, assignee, team: lifecycle.assign_order(
            order, user, assignee=assignee, team=team, said=said
        ),
    ),
    OrderDeed(
        Act.START,
        "do",
        lambda order, user, *_: lifecycle.start_order(order, user),
    ),
    OrderDeed(
        Act.PAUSE,
        "do",
        lambda order, user, said, *_: lifecycle.pause_order(order, user, said),
    ),
    OrderDeed(
        Act.FINISH,
        "do",
        lambda order, user, *_: lifecycle.finish_order(order, user),
    ),
    OrderDeed(
        Act.CLOSE,
        "change",
        lambda order, user, said, *_: lifecycle.close_order(order, user, said),
    ),
    OrderDeed(
        Act.REOPEN,
        "change",
        lambda order, user, said, *_: lifecycle.reopen_order(order, user, said),
        must_say=True,
    ),
    OrderDeed(
        Act.WITHDRAW,
        "change",
        lambda order, user, said, *_: lifecycle.withdraw_order(order, user, said),
        must_say=True,
    ),
    OrderDeed(
        ASK,
        "change",
        lambda order, user, *_: _asked(order, user),
        asked_for=lambda order: _waits(order, (DRAIN, CIRCUITS, SUBSTITUTE)),
    ),
    OrderDeed(
        CORRECT,
        "change",
        lambda order, user, *_: _corrected(order, user),
        asked_for=lambda order: _waits(order, (RECORD,)),
    ),
)


def _asked(order: WorkOrder, user: User) -> WorkOrder:
    ask_for_tickets(order, user)
    order.refresh_from_db()
    return order


def _corrected(order: WorkOrder, user: User) -> WorkOrder:
    correct_records(order, user)
    order.refresh_from_db()
    return order


def _waits(order: WorkOrder, whats: Collection[str]) -> bool:
    """Whether an open order has such needs that are not met."""
    if not order.is_open or not any(n["what"] in whats for n in order.facts.get("needs", ())):
        return False
    left = waits(order, core_of(order).needs)
    return any(need.name in left and need.what in whats for need in core_of(order).needs)


def _hands_have(order: WorkOrder) -> bool:
    """Whether a step is left for hands."""
    left = order.steps.exclude(state__in=SETTLED).exclude(do=StepDo.CHECK)
    return bool(left.exists())


def order_deed(name: str) -> OrderDeed:
    """The deed of this name, or a refusal."""
    for deed in ORDER_DEEDS:
        if deed.act == name:
            return deed
    raise UnusableInput(
        f"nothing with orders is called {name[:40]!r}",
        where="do",
        remedy=f"Name one of {', '.join(deed.act for deed in ORDER_DEEDS)}",
    )


def possible_deeds(order: WorkOrder, user: User) -> list[OrderDeed]:
    """What this user can do with this order as it stands."""
    leave = {
        action: WorkOrder.objects.restrict(user, action).filter(pk=order.pk).exists()
        for action in {deed.needs for deed in ORDER_DEEDS}
    }
    return [deed for deed in ORDER_DEEDS if leave[deed.needs] and _fits(order, deed)]


def _fits(order: WorkOrder, deed: OrderDeed) -> bool:
    """Whether the act leads somewhere; to hand an order on changes it in any state."""
    if deed.asked_for:
        return deed.asked_for(order)
    state, act = OrderIs(order.state), Act(deed.act)
    if act == Act.FINISH and _hands_have(order):
        return False
    try:
        return order_after(state, act) != state or act == Act.ASSIGN
    except FabricTwinError:
        return False
