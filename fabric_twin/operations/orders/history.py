"""The history of an order: a line for each act, with its user."""

from django.db import transaction
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.models import OrderEvent, WorkOrder
from fabric_twin.operations.orders.record import held

#: The lines of history that say what light said.
AGREES, WRONG = "light test passed", "light test failed"
#: The line that says that an audit agrees to a bundle of a block that tells no light.
RECORDED = "records agree, no light seen"
#: The line that says that a bundle's switch was dead and is not, whatever light passes there.
ANSWERS = "answers again"
#: The line that says that it is dead once more.
DIED_AGAIN = "dead again"


def say(order: WorkOrder, what: str, said: str = "", who: User | None = None) -> None:
    """One more line of an order's history; the caller holds the order."""
    number = OrderEvent.objects.filter(order=order).count() + 1
    OrderEvent.objects.create(
        order=order, number=number, at=timezone.now(), who=who, what=what, said=said
    )


def say_once(order: WorkOrder, what: str, said: str) -> None:
    """One more line, unless the order's history has it."""
    with transaction.atomic():
        there = held(order)
        if not OrderEvent.objects.filter(order=there, what=what, said=said).exists():
            say(there, what, said)
