"""What a user can do with a work order: one list, for pages, for REST, and for who does it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from nautobot.users.models import User

from fabric_twin.core.orders.life import NEEDS_REASON, PERMISSION, SETTLED, Act, states_for
from fabric_twin.core.orders.steps import Do as StepDo
from fabric_twin.models import WorkOrder
from fabric_twin.operations.acts import Deed, Deeds, Given
from fabric_twin.operations.orders import lifecycle
from fabric_twin.operations.orders.call_worker import call_for_correction
from fabric_twin.operations.orders.record import core_of
from fabric_twin.operations.orders.request_tickets import ask_for_tickets, can_ask
from fabric_twin.operations.orders.unmet_needs import RECORD, waits

#: What is done with an order and does not change its state.
ASK, CORRECT = "ask", "correct"
#: Orders that are dealt with in one go; and those whose tickets are asked for: each is planned on
#: its whole pod.
MANY, MOST_ASKED = 500, 20


@dataclass(frozen=True, kw_only=True)
class OrderGiven(Given):
    """What is said with an act on an order, and whom the order is given to."""

    assignee: Any = None
    team: Any = None
    #: Of tickets that it asks for: slices may bear it; those that cannot, nor move, lose their
    #: circuits; submit them too.
    bear: bool = False
    interrupt: bool = False
    submitted: bool = False


def _assigned(order: WorkOrder, user: User, given: OrderGiven) -> WorkOrder:
    return lifecycle.assign_order(
        order, user, assignee=given.assignee, team=given.team, said=given.said
    )


def _asked(order: WorkOrder, user: User, given: OrderGiven) -> WorkOrder:
    ask_for_tickets(
        order, user, interrupt=given.interrupt, bear=given.bear, submitted=given.submitted
    )
    order.refresh_from_db()
    return order


def _corrected(order: WorkOrder, user: User, _given: OrderGiven) -> WorkOrder:
    call_for_correction(order, user)
    return order


def _has_tickets_to_ask(order: WorkOrder, _user: User) -> bool:
    return can_ask(order)


def _has_wrong_records(order: WorkOrder, _user: User) -> bool:
    """Whether records are still to be corrected for an open order."""
    if not order.is_open or not any(n["what"] == RECORD for n in order.facts.get("needs", ())):
        return False
    return bool(waits(order, [need for need in core_of(order).needs if need.what == RECORD]))


def _no_manual_step_left(order: WorkOrder, _user: User) -> bool:
    """Whether no manual step is left."""
    left = order.steps.exclude(state__in=SETTLED).exclude(do=StepDo.CHECK)
    return not left.exists()


def _deed(
    act: Act,
    do: Callable[[WorkOrder, User, str], WorkOrder],
    if_also: Callable[[WorkOrder, User], bool] | None = None,
    most: int = 1,
) -> Deed[WorkOrder, OrderGiven]:
    """An act of the table, which takes a word and nothing else."""
    return Deed(
        act,
        PERMISSION[act],
        lambda order, user, given: do(order, user, given.said),
        states_for(act),
        if_also,
        needs_reason=act in NEEDS_REASON,
        most=most,
    )


ORDER_DEEDS: Deeds[WorkOrder, OrderGiven] = Deeds(
    WorkOrder,
    OrderGiven,
    Deed(Act.ASSIGN, PERMISSION[Act.ASSIGN], _assigned, states_for(Act.ASSIGN), most=MANY),
    _deed(Act.START, lambda order, user, _: lifecycle.start_order(order, user), most=MANY),
    _deed(Act.PAUSE, partial(lifecycle.act_on, Act.PAUSE)),
    _deed(
        Act.FINISH,
        lambda order, user, _: lifecycle.act_on(Act.FINISH, order, user),
        _no_manual_step_left,
    ),
    _deed(Act.CLOSE, partial(lifecycle.act_on, Act.CLOSE)),
    _deed(Act.REOPEN, lifecycle.reopen_order),
    _deed(Act.WITHDRAW, lifecycle.withdraw_order, most=MANY),
    Deed(ASK, "change", _asked, if_also=_has_tickets_to_ask, most=MOST_ASKED),
    Deed(CORRECT, "change", _corrected, if_also=_has_wrong_records),
)
