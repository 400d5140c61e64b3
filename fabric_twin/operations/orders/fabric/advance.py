"""The fabric's part of an order, done by a worker as soon as its crews have come so far."""

from django.core.cache import cache

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import FabricTwinError, NoAnswer
from fabric_twin.core.orders.life import OrderIs
from fabric_twin.models import WorkOrder
from fabric_twin.models.work_order import ENDED
from fabric_twin.operations import dispatch
from fabric_twin.operations.orders.bundles import ready
from fabric_twin.operations.orders.fabric.check_bundles import check_bundles
from fabric_twin.operations.orders.fabric.prepare_port import prepare_ports
from fabric_twin.operations.orders.fabric.release_ports import release_all
from fabric_twin.operations.orders.history import say, test_words
from fabric_twin.operations.orders.lifecycle import go_on_by_itself
from fabric_twin.operations.orders.record import progress_of
from fabric_twin.operations.orders.request_tickets import ask_what_follows, unmet
from fabric_twin.repositories.transactions import one_at_a_time

_LOCK = 0x7057_0B0E
#: Seconds for which word of more to do is kept; and how often a worker goes round before it lets
#: another one have its turn.
KEPT, ROUNDS = 3600, 3


def advance(order: WorkOrder) -> str:
    """Block and release what crews have come to, and test the bundles whose steps are done.

    One worker at a time: two would block and release one port against each other. Who comes
    meanwhile leaves word, and the first goes round again. To do it twice does no harm; what a
    device does not answer stays asked for, and is tried again.
    """
    word, said = f"fabric_twin.advance.{order.pk}", "another worker does it"
    cache.set(word, True, KEPT)
    for _ in range(ROUNDS):
        with one_at_a_time(_LOCK, order.pk) as mine:
            if not mine:
                return said
            cache.delete(word)
            there = WorkOrder.objects.filter(pk=order.pk)
            calls = there.values_list("advance_calls", flat=True).get()
            said, is_done = _advance(order)
            if is_done:  # unless somebody called again meanwhile
                there.filter(advance_calls=calls).update(advance_asked=None)
        if not cache.get(word):
            return said
    dispatch.advance_soon(order.pk)
    return said


def _advance(order: WorkOrder) -> tuple[str, bool]:
    """What was done, and whether nothing is left that the fabric would not do."""
    ask_what_follows(order)
    go_on_by_itself(order)
    order.refresh_from_db()
    if order.state in ENDED:
        return _release_ports(order)
    if order.state not in (OrderIs.UNDER_WAY, OrderIs.AWAITING_LIGHT):
        return f"{order} is {order.state}", True
    said, is_done = [], True
    for crew in range(1, order.crews + 1):
        ahead = prepare_ports(order, crew)
        if ahead.why:
            said.append(f"crew {crew}, step {ahead.step}: {ahead.why}")
            is_done = is_done and _waits_for_somebody(order, ahead.step)
    try:
        due = ready(progress_of(order))
        checked = check_bundles(order, None, due) if due else []
        agrees, wrong = test_words(order.pod)
        said += [f"{one.bundle}: {agrees if one.agrees else one.why or wrong}" for one in checked]
        is_done = is_done and not any(one.later for one in checked)
    except FabricTwinError as refusal:
        said.append(str(refusal))
        is_done = is_done and not isinstance(refusal, NoAnswer)
    return "; ".join(said) or "nothing more to do", is_done


def _waits_for_somebody(order: WorkOrder, number: int) -> bool:
    """Whether a step is not the fabric's to do now: the order rests, or the step needs a ticket."""
    progress = progress_of(order)
    if order.state != OrderIs.UNDER_WAY or not number:
        return True
    return bool(unmet(order, progress.step(number).need))


def _release_ports(order: WorkOrder) -> tuple[str, bool]:
    """Release the ports that are still blocked for an order that has ended."""
    try:
        return f"{counted(release_all(order), 'port')} released", True
    except FabricTwinError as refusal:
        say(order, "release", str(refusal))
        return str(refusal), False
