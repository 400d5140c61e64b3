"""The history of an order: a line for each act, with its user."""

from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.models import OrderEvent, WorkOrder

#: The lines of history that say what light said.
AGREES, WRONG = "light test passed", "light test failed"


def say(order: WorkOrder, what: str, said: str = "", who: User | None = None) -> None:
    """One more line of an order's history; the caller holds the order."""
    number = OrderEvent.objects.filter(order=order).count() + 1
    OrderEvent.objects.create(
        order=order, number=number, at=timezone.now(), who=who, what=what, said=said
    )
