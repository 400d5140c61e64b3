"""What the fabric does for an order, a moment after a crew came so far."""

from uuid import UUID

from celery import shared_task

from fabric_twin.models import WorkOrder
from fabric_twin.operations.dispatch import ADVANCE_ORDER
from fabric_twin.operations.orders.fabric.advance import advance
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT


@shared_task(name=ADVANCE_ORDER, ignore_result=True, soft_time_limit=SOFT_LIMIT, time_limit=LIMIT)
def advance_order(order: str) -> str:
    """Block, release and check what an order's crews have come to."""
    found = WorkOrder.objects.filter(pk=UUID(order)).first()
    return advance(found) if found else "the order is gone"
