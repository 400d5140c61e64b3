"""One act with several orders, in one transaction: with all of them, or with none."""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import WorkOrder
from fabric_twin.operations.acts import Deed
from fabric_twin.operations.orders.actions import OrderGiven


def act_on_orders(
    deed: Deed[WorkOrder, OrderGiven],
    orders: Collection[WorkOrder],
    user: User,
    given: OrderGiven,
) -> dict[UUID, str]:
    """Do it with each; where some are refused, with none, and say why of each that is."""
    refused: dict[UUID, str] = {}
    with transaction.atomic():
        for order in orders:
            try:
                with transaction.atomic():
                    deed.do(order, user, given)
            except FabricTwinError as refusal:
                refused[order.pk] = str(refusal)
        transaction.set_rollback(bool(refused))
    return refused
