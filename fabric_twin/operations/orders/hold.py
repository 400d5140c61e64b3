"""Hold an order until the transaction ends, for a user who may do something with it."""

from uuid import UUID

from django.db import transaction
from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted
from fabric_twin.models import WorkOrder


def held(order: WorkOrder | UUID) -> WorkOrder:
    """The order as it stands, held until the transaction ends."""
    assert transaction.get_connection().in_atomic_block  # noqa: S101  # else nothing is held
    key = order.pk if isinstance(order, WorkOrder) else order
    found: WorkOrder = (
        WorkOrder.objects.select_for_update(of=("self",))
        .select_related("pod", "assignee")
        .get(pk=key)
    )
    return found


def held_by(order: WorkOrder, user: User | None, action: str) -> WorkOrder:
    """The same, if the user may do this to it."""
    require_to(order, user, action)
    return held(order)


def require_to(order: WorkOrder, user: User | None, action: str) -> None:
    """Refuse a user who may not do this to an order."""
    allowed = user is None or WorkOrder.objects.restrict(user, action).filter(pk=order.pk).exists()
    if not allowed:
        raise NotPermitted(
            f"{user} may not {action} the order {order}",
            where=f"work order {order}",
            remedy=f"Ask for the permission fabric_twin.{action}_workorder",
        )
