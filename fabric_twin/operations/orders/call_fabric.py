"""Say that the fabric has its part of an order to do, once the transaction is over."""

from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.steps import BY_FABRIC
from fabric_twin.models import WorkOrder
from fabric_twin.operations import dispatch


def call_fabric(order: WorkOrder, progress: Progress) -> None:
    """Once the transaction is over: a crew has come to what the fabric does."""
    crews = range(1, progress.order.crews + 1)
    if any((step := progress.next(crew)) and step.do in BY_FABRIC for crew in crews):
        have_fabric(order)


def have_fabric(order: WorkOrder) -> None:
    """Once the transaction is over, the fabric does its part."""
    dispatch.advance_soon(order.pk)
