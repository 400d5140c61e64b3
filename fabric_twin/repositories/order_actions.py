"""What a user can do with a work order now: one list, for buttons and for who does it.

What is listed may still be refused when it is done: only then everything is looked at.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.core.orders.life import SETTLED, Act, OrderIs, order_after
from fabric_twin.core.orders.steps import Do as StepDo
from fabric_twin.models import WorkOrder
from fabric_twin.repositories import orders
from fabric_twin.repositories.needed import CIRCUITS, DRAIN, RECORD, SUBSTITUTE, waits
from fabric_twin.repositories.order_needs import ask_for_tickets
from fabric_twin.repositories.order_records import correct_records
from fabric_twin.repositories.order_rows import core_of

#: An act on an order by a user, with what is said and to whom it is given.
Do = Callable[[WorkOrder, Any, str, Any, Any], WorkOrder]
#: What is done with an order and does not change its state.
ASK, CORRECT = "ask", "correct"


@dataclass(frozen=True)
class OrderDeed:
    """Something that people do with orders."""

    act: Act | str
    label: str
    #: What happens, in a sentence, where it is confirmed.
    told: str
    icon: str
    color: str
    #: The permission's action, asked of this very order.
    needs: str
    do: Do
    must_say: bool = False
    #: Whether an order asks for it now, where that is not said by its life.
    asked_for: Callable[[WorkOrder], bool] | None = None


ORDER_DEEDS = (
    OrderDeed(
        Act.ASSIGN,
        "Assign",
        "It is given to a person, a team, or both; who has it now has it no more.",
        "mdi-account-arrow-right",
        "primary",
        "change",
        lambda order, user, said, assignee, team: orders.assign_order(
            order, user, assignee=assignee, team=team, said=said
        ),
    ),
    OrderDeed(
        Act.START,
        "Start",
        "Hands begin, or go on; time is counted from now.",
        "mdi-play",
        "success",
        "do",
        lambda order, user, *_: orders.start_order(order, user),
    ),
    OrderDeed(
        Act.PAUSE,
        "Pause",
        "Hands rest; time is not counted, and its ports stay its own.",
        "mdi-pause",
        "secondary",
        "do",
        lambda order, user, said, *_: orders.pause_order(order, user, said),
    ),
    OrderDeed(
        Act.FINISH,
        "Hands are done",
        "No step is left for hands: light, and an audit, have to agree.",
        "mdi-hand-okay",
        "success",
        "do",
        lambda order, user, *_: orders.finish_order(order, user),
    ),
    OrderDeed(
        Act.CLOSE,
        "Close",
        "It is done, and gives its ports back. Audits that agree close it by themselves.",
        "mdi-check-all",
        "success",
        "change",
        lambda order, user, said, *_: orders.close_order(order, user, said),
    ),
    OrderDeed(
        Act.REOPEN,
        "Reopen",
        "Something is not as it should be: it takes its ports again.",
        "mdi-refresh",
        "warning",
        "change",
        lambda order, user, said, *_: orders.reopen_order(order, user, said),
        must_say=True,
    ),
    OrderDeed(
        Act.WITHDRAW,
        "Withdraw",
        "It is not done any more; it gives its ports back, and its findings are open again.",
        "mdi-close",
        "danger",
        "change",
        lambda order, user, said, *_: orders.withdraw_order(order, user, said),
        must_say=True,
    ),
    OrderDeed(
        ASK,
        "Tickets for its needs",
        "Drafts are made of the tickets that its steps and checks wait for: they are approved as "
        "any. Slices in the way are moved elsewhere.",
        "mdi-swap-horizontal",
        "primary",
        "change",
        lambda order, user, *_: _asked(order, user),
        asked_for=lambda order: _waits(order, (DRAIN, CIRCUITS, SUBSTITUTE)),
    ),
    OrderDeed(
        CORRECT,
        "Correct the record",
        "Light looks again; where it still says so, what is there is written into the inventory.",
        "mdi-file-document-edit",
        "primary",
        "change",
        lambda order, user, *_: _corrected(order, user),
        asked_for=lambda order: _waits(order, (RECORD,)),
    ),
)


def _asked(order: WorkOrder, user: Any) -> WorkOrder:
    ask_for_tickets(order, user)
    order.refresh_from_db()
    return order


def _corrected(order: WorkOrder, user: Any) -> WorkOrder:
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


def possible_deeds(order: WorkOrder, user: Any) -> list[OrderDeed]:
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
