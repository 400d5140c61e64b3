"""The history of an order: a line for each act, with its user."""

from django.db import transaction
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.models import OrderEvent, Pod, WorkOrder
from fabric_twin.operations.orders.record import held

#: The lines of history that say what light said.
AGREES, WRONG = "light test passed", "light test failed"
#: The same of a cluster: what its devices say that they hear, and what an audit of records says.
HEARD, NOT_HEARD = "neighbours agree", "neighbours differ"
OF_RECORDS = "records agree", "records differ"
#: The line that says that an audit agrees to a bundle of a block that tells no light.
RECORDED = "records agree, no light seen"
#: The line that says that a bundle's switch was dead and is not, whatever light passes there.
ANSWERS = "answers again"
#: The line that says that it is dead once more.
DIED_AGAIN = "dead again"


def test_words(pod: Pod) -> tuple[str, str]:
    """What a line says of a test that passed, and of one that failed."""
    return (HEARD, NOT_HEARD) if pod.is_cluster else (AGREES, WRONG)


def audit_words(pod: Pod) -> tuple[str, str]:
    """The same where an audit was the test."""
    if pod.is_cluster:
        return OF_RECORDS
    return (RECORDED if pod.is_network else AGREES), WRONG


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
