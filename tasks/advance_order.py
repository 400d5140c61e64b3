"""What the fabric does for an order, a moment after hands came so far."""

from uuid import UUID

from celery import shared_task

from fabric_twin.models import WorkOrder
from fabric_twin.repositories.order_advance import advance


@shared_task(name="fabric_twin.advance_order", ignore_result=True)
def advance_order(order: str) -> str:
    """Block, release and check what an order's crews have come to."""
    found = WorkOrder.objects.filter(pk=UUID(order)).first()
    return advance(found) if found else "the order is gone"


def call_fabric(order: UUID) -> None:
    """Have it done by a worker."""
    advance_order.delay(str(order))
